import NIOCore
import NIOHTTP1

extension SandboxServer {
  /// The answer to a request with a body, or to one whose body cannot be used.
  func answer(
    to head: HTTPRequestHead, _ body: Result<[UInt8], GraphFault>, isLocal: Bool
  ) -> HTTPAnswer {
    let bytes = try? body.get()
    if let answer = pageAnswer(to: head, bytes, isLocal: isLocal) { return answer }
    if head.method == .OPTIONS { return .preflight(for: head.headers) }
    let call = HTTPCall(
      method: head.method.rawValue, target: head.uri,
      authorization: head.headers.first(name: "authorization"),
      contentType: head.headers.first(name: "content-type"),
      ifNoneMatch: head.headers.first(name: "if-none-match"),
      host: head.headers.first(name: "host"),
      scheme: head.headers.first(name: "x-forwarded-proto") ?? scheme, body: bytes ?? [])
    let decoded =
      switch body {
      case .failure(let fault): GraphCall(refused: fault, call)
      case .success where !Self.decodes(head.headers.first(name: "content-encoding")):
        GraphCall(refused: .bodyUnreadable, call)
      case .success: GraphCall(call, takesLists: takesLists)
      }
    return world.answer(decoded, of: call, head.headers.map { ($0.name, $0.value) }).answer
  }

  /// Whether the server decodes a content encoding before it passes a body on.
  private static func decodes(_ encoding: String?) -> Bool {
    ["", "identity", "gzip", "x-gzip", "deflate"].contains((encoding ?? "").lowercased())
  }

  /// The answer of the page or the control interface; nil if the request is for the Graph API.
  private func pageAnswer(
    to head: HTTPRequestHead, _ body: [UInt8]?, isLocal: Bool
  ) -> HTTPAnswer? {
    let request = PageRequest(
      method: head.method.rawValue, target: head.uri, host: head.headers.first(name: "host"),
      origin: head.headers.first(name: "origin"), site: head.headers.first(name: "sec-fetch-site"),
      accept: head.headers.first(name: "accept"), isLocal: isLocal, scheme: scheme)
    switch request.decision {
    case .passes: return nil
    case .refused(let reason): return Page.refusal(reason)
    case .page:
      let view = PageView(query: RelativeURL(head.uri.utf8).query)
      return Page(state: world.present, view: view, key: pageKey).answer
    case .state: return HTTPAnswer(.success(world.change))
    case .form:
      guard let body, body.count <= 1 << 16 else {
        return Page.refusal("the form is too large", status: 413)
      }
      return answer(to: PageForm(Parameters(form: body)))
    case .control(let name):
      let command = ControlRequest(
        name: name, method: request.method,
        authorization: head.headers.first(name: "authorization"), body: body,
        isLocal: request.isLocalRequest, isSameOrigin: request.isSameOrigin)
      return HTTPAnswer(
        Result { () throws(ControlFailure) in try world.perform(try command.command(control)) })
    }
  }

  private func answer(to form: PageForm) -> HTTPAnswer {
    guard form.key == pageKey else {
      return Page.refusal("the form is from another page; reload this one")
    }
    do throws(ControlFailure) {
      switch try form.action {
      case .copy(let token, let asExport):
        return Page.plain(try world.present.text(ofToken: token, asExport: asExport))
      case .explore(let request, let token):
        var request = request
        request.authorization = try world.present.authorization(token)
        let call = GraphCall(request, takesLists: takesLists)
        let headers = request.authorization.map { [(name: "Authorization", value: $0)] } ?? []
        let number = world.answer(call, of: request, headers).call.number
        return Page.redirect(to: form.view.with(\.call, number))
      case .command(.snapshot(name: nil)):
        return Page.download(try world.perform(.snapshot(name: nil)), named: "world.json")
      case .command(let command):
        _ = try world.perform(command)
        return Page.redirect(to: form.view)
      }
    } catch {
      return Page(state: world.present, view: form.view, key: pageKey, complaint: error).answer
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
