import JSONPath
import NIOCore
import NIOHTTP1

extension SandboxServer {
  /// A request that is decoded.
  enum Reception: Sendable {
    case answered(HTTPAnswer)
    /// A call to Graph, which may need handshakes before it is answered.
    case call(ReceivedCall)
  }

  /// A call to Graph, as it was received.
  struct ReceivedCall: Sendable {
    var call: GraphCall
    let request: HTTPCall
    let headers: [(name: String, value: String)]
    /// What the page shows with the call, if the page makes it.
    var view: PageView?
  }

  /// Decodes a request with a body, or one whose body cannot be used.
  func reception(
    of head: HTTPRequestHead, _ body: Result<[UInt8], GraphFault>, isLocal: Bool
  ) -> Reception {
    let bytes = try? body.get()
    if let reception = pageReception(of: head, bytes, isLocal: isLocal) { return reception }
    if head.method == .OPTIONS { return .answered(.preflight(for: head.headers)) }
    let call = HTTPCall(
      method: head.method.rawValue, target: head.uri,
      authorization: head.headers.first(name: "authorization"),
      contentType: head.headers.first(name: "content-type"),
      ifNoneMatch: head.headers.first(name: "if-none-match"),
      host: head.headers.first(name: "host"),
      scheme: head.headers.first(name: "x-forwarded-proto") ?? scheme,
      uploadHeaders: Self.uploadHeaders(of: head), body: bytes ?? [])
    let decoded =
      switch body {
      case .failure(let fault): GraphCall(refused: fault, call)
      case .success where !Self.decodes(head.headers.first(name: "content-encoding")):
        GraphCall(refused: .bodyUnreadable, call)
      case .success: GraphCall(call, takesLists: takesLists)
      }
    return .call(
      ReceivedCall(
        call: decoded, request: call, headers: head.headers.map { ($0.name, $0.value) }))
  }

  /// The answer to a call whose handshakes are made.
  func answer(to received: ReceivedCall) -> HTTPAnswer {
    let (answer, log) = world.answer(received.call, of: received.request, received.headers)
    deliverWebhooks()
    return received.view.map { Page.redirect(to: $0.with(\.call, log.number)) } ?? answer
  }

  /// The headers of an upload; nil if it is another request.
  private static func uploadHeaders(of head: HTTPRequestHead) -> [String: String]? {
    guard head.uri.hasPrefix("/\(VideoUpload.segment)/") else { return nil }
    let pairs = HTTPCall.uploadHeaderNames.compactMap { name in
      head.headers.first(name: name).map { (name, $0) }
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }

  /// Whether the server decodes a content encoding before it passes a body on: its decoder knows these
  /// words, in lower case.
  private static func decodes(_ encoding: String?) -> Bool {
    ["", "identity", "gzip", "deflate"].contains(encoding ?? "")
  }

  /// A request to the page or the control interface; nil if it is for the Graph API.
  private func pageReception(
    of head: HTTPRequestHead, _ body: [UInt8]?, isLocal: Bool
  ) -> Reception? {
    let request = PageRequest(
      method: head.method.rawValue, target: head.uri, host: head.headers.first(name: "host"),
      origin: head.headers.first(name: "origin"), site: head.headers.first(name: "sec-fetch-site"),
      accept: head.headers.first(name: "accept"), isLocal: isLocal, scheme: scheme)
    switch request.decision {
    case .passes: return nil
    case .refused(let reason): return .answered(Page.refusal(reason))
    case .page:
      var view = PageView(query: RelativeURL(head.uri.utf8).query)
      if head.uri == PageRequest.devicePath { view.device = "" }
      return .answered(Page(state: world.present, view: view, key: pageKey).answer)
    case .picture:
      return .answered(
        HTTPAnswer(
          status: 200, headers: [("Content-Type", "image/jpeg")], body: PageAsset.picture.bytes))
    case .state: return .answered(HTTPAnswer(.success(world.change)))
    case .form:
      guard let body, body.count <= 1 << 16 else {
        return .answered(Page.refusal("the form is too large", status: 413))
      }
      return reception(of: PageForm(Parameters(form: body)))
    case .control(let name):
      let command = ControlRequest(
        name: name, method: request.method,
        authorization: head.headers.first(name: "authorization"), body: body,
        isLocal: request.isLocalRequest, isSameOrigin: request.isSameOrigin)
      return .answered(
        HTTPAnswer(
          Result { () throws(ControlFailure) in try perform(try command.command(control)) }))
    }
  }

  private func perform(_ command: ControlCommand) throws(ControlFailure) -> JSON {
    defer { deliverWebhooks() }
    return try world.perform(command)
  }

  private func reception(of form: PageForm) -> Reception {
    guard form.key == pageKey else {
      return .answered(Page.refusal("the form is from another page; reload this one"))
    }
    do throws(ControlFailure) {
      switch try form.action {
      case .copy(let token, let asExport):
        return .answered(
          Page.plain(try world.present.text(ofToken: token, asExport: asExport)))
      case .explore(let request, let token):
        var request = request
        request.authorization = try world.present.authorization(token)
        let call = GraphCall(request, takesLists: takesLists)
        let headers = request.authorization.map { [(name: "Authorization", value: $0)] } ?? []
        return .call(
          ReceivedCall(call: call, request: request, headers: headers, view: form.view))
      case .command(.snapshot(name: nil)):
        return .answered(
          Page.download(try world.perform(.snapshot(name: nil)), named: "world.json"))
      case .command(let command):
        _ = try perform(command)
        return .answered(Page.redirect(to: form.view))
      }
    } catch {
      return .answered(
        Page(state: world.present, view: form.view, key: pageKey, complaint: error).answer)
    }
  }

  static func isLoopback(_ address: SocketAddress) -> Bool {
    switch address.ipAddress {
    case let text?: text == "::1" || text.hasPrefix("127.") || text.hasPrefix("::ffff:127.")
    case nil: false
    }
  }
}

extension HTTPAnswer {
  /// The answer to a browser that asks whether a page of another site may send a request (Fetch
  /// Standard, "CORS-preflight request").
  fileprivate static func preflight(for request: HTTPHeaders) -> HTTPAnswer {
    let headers = request["access-control-request-headers"].joined(separator: ",")
    return HTTPAnswer(
      status: 200,
      headers: [
        ("Access-Control-Allow-Origin", "*"),
        ("Access-Control-Allow-Methods", "GET, POST, DELETE, PUT, OPTIONS"),
        ("Access-Control-Allow-Headers", headers.isEmpty ? "Authorization" : headers),
        ("Access-Control-Max-Age", "600"),
      ], body: [])
  }
}
