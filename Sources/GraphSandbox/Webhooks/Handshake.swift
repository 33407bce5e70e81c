/// The request by which Graph finds out whether a callback wants its webhooks (Graph API, Webhooks,
/// Verification Requests), and the callback's reply.
struct Handshake: Hashable, Sendable {
  let callback: CallbackURL
  /// A text by which the callback knows who asks.
  let verifyToken: String?
  /// A number that the callback has to send back.
  let challenge: String
  /// nil: none was sent.
  var reply: CallbackReply?

  /// The handshakes that a call needs before it can be answered, if it may need any.
  static func needed(by call: GraphCall, in world: World) -> [Handshake] {
    var found: [Handshake] = []
    func add(_ path: [String], _ parameters: Parameters, _ token: String?) {
      let proof = parameters["appsecret_proof"] ?? call.proof
      guard path.count == 2, path[1] == Edge.subscriptions.name.text,
        path[0] == "app" || path[0] == world.access.application, let token,
        let session = try? world.access.session(for: token, proof: proof, at: world.now),
        session.grant.kind == .app, let wanted = try? WebhookSubscription(parameters, version: ""),
        !found.contains(where: { $0.isFor(wanted, parameters) })
      else { return }
      let ordinal = UInt64(world.callCount * GraphRequest.identifierLimit + found.count)
      found.append(
        Handshake(
          callback: wanted.callback, verifyToken: parameters["verify_token"],
          challenge: SeededText.challenge(seed: world.access.generator.seed, ordinal: ordinal)))
    }
    switch call.kind {
    case .single(let request): add(request.path, request.parameters, request.token)
    case .batch(let batch):
      for item in batch.items where item.method == .post && !item.hasReferences {
        let own = item.parameters["access_token"] ?? item.tokenField
        add(item.url.path, item.parameters, own ?? call.token)
      }
    case .refused: break
    }
    return found
  }

  /// The handshakes of the described subscriptions that a world has.
  static func needed(
    by described: [WorldDescription.Subscription], in world: World
  ) -> [Handshake] {
    let present = WebhookSubscription.all(of: world.objects[world.access.application])
    return described.enumerated().compactMap { index, one in
      let found = present.first {
        $0.object == one.object && $0.callback.description == one.callbackURL
      }
      guard let callback = found?.callback else { return nil }
      return Handshake(
        callback: callback, verifyToken: one.verifyToken,
        challenge: SeededText.challenge(
          seed: world.access.generator.seed, ordinal: UInt64(index)))
    }
  }

  /// Whether a call may subscribe to something; it is asked of every call.
  static func mayNeed(_ call: GraphCall) -> Bool {
    let name = Edge.subscriptions.name.text
    return switch call.kind {
    case .single(let request): request.method == .post && request.path.last == name
    case .batch(let batch): batch.items.contains { $0.url.path.last == name }
    case .refused: false
    }
  }

  func isFor(_ subscription: WebhookSubscription, _ parameters: Parameters) -> Bool {
    callback == subscription.callback && verifyToken == parameters["verify_token"]
  }

  var request: CallbackRequest {
    var target = Array(callback.target.utf8)
    let values = [("mode", "subscribe"), ("challenge", challenge), ("verify_token", verifyToken)]
    for case (let name, let value?) in values {
      target.append(UInt8(ascii: target.contains(UInt8(ascii: "?")) ? "&" : "?"))
      target += Array("hub.\(name)=".utf8)
      FormText.appendEncoded(value, to: &target)
    }
    return CallbackRequest(
      callback: callback, target: String(decoding: target, as: UTF8.self),
      headers: ["User-Agent": "facebookplatform/1.0 (+http://developers.facebook.com)"])
  }

  /// Why the callback is refused; nil: it has sent the challenge back.
  var fault: GraphFault? {
    let failed = "Callback verification failed with the following errors:"
    switch reply {
    case .answered(200, _, challenge)?: return nil
    case .answered(200, _, let body)?:
      return .numbered(
        2_201,
        "response does not match challenge, expected value=\"\(challenge)\", "
          + "received=\"\(body.excerpt)\"")
    case .answered(let status, let reason, _)?:
      return .numbered(
        2_200, "\(failed) HTTP Status Code = \(status); HTTP Message = \(reason.excerpt)")
    case .failed(let code, let reason)?:
      return .numbered(2_200, "\(failed) curl_errno = \(code); curl_error = \(reason)").invented
    case nil:
      return .numbered(2_200, "\(failed) references are not filled in before the handshake")
        .invented
    }
  }
}
