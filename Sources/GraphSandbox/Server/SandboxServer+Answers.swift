import NIOCore
import NIOHTTP1

extension SandboxServer {
  /// The answer to a request; its body is nil if it is too large.
  func answer(to head: HTTPRequestHead, _ body: [UInt8]?, isLocal: Bool) -> HTTPAnswer {
    if let answer = pageAnswer(to: head, body, isLocal: isLocal) { return answer }
    let call = HTTPCall(
      method: head.method.rawValue, target: head.uri,
      authorization: head.headers.first(name: "authorization"),
      contentType: head.headers.first(name: "content-type"),
      contentEncoding: head.headers.first(name: "content-encoding"),
      ifNoneMatch: head.headers.first(name: "if-none-match"), body: body ?? [])
    return world.answer(
      body == nil
        ? GraphCall(refused: .bodyTooLarge, call) : GraphCall(call, takesLists: takesLists))
  }

  /// The page's answer to a request; nil if the request is for the Graph API.
  private func pageAnswer(
    to head: HTTPRequestHead, _ body: [UInt8]?, isLocal: Bool
  ) -> HTTPAnswer? {
    let request = PageRequest(
      method: head.method.rawValue, target: head.uri, host: head.headers.first(name: "host"),
      origin: head.headers.first(name: "origin"), site: head.headers.first(name: "sec-fetch-site"),
      accept: head.headers.first(name: "accept"), isLocal: isLocal)
    switch request.decision {
    case .passes: return nil
    case .refused(let reason): return Page.refusal(reason)
    case .page:
      let (world, calls) = world.snapshot
      return Page(world: world, lastCalls: calls, key: pageKey).answer
    case .form:
      guard let body, body.count <= 1 << 16 else {
        return Page.refusal("the form is too large", status: 413)
      }
      let form = Parameters(form: body)
      guard form["key"] == pageKey else {
        return Page.refusal("the form is from another page; reload this one")
      }
      if let fault = self.world.perform(form) { return Page.refusal(fault.message, status: 400) }
      return Page.redirect
    }
  }

  static func isLoopback(_ address: SocketAddress) -> Bool {
    switch address.ipAddress {
    case let text?: text == "::1" || text.hasPrefix("127.") || text.hasPrefix("::ffff:127.")
    case nil: false
    }
  }

  /// A new key for the page's forms: 128 random bits.
  static func makePageKey() -> String {
    let halves = [UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max)]
    return halves.map { String($0, radix: 36) }.joined(separator: "-")
  }
}
