import HTTPTypes
import Hummingbird
import NIOCore

extension SandboxServer {
  /// The page's answer to a request; nil if the request is for the Graph API.
  func pageAnswer(to request: Request, over channel: any Channel) async -> HTTPAnswer? {
    let head = request.head
    let fields = head.headerFields
    let pageRequest = PageRequest(
      method: head.method.rawValue, target: head.path ?? "/", host: head.authority,
      origin: fields[.origin], site: HTTPField.Name("Sec-Fetch-Site").flatMap { fields[$0] },
      accept: fields[.accept], isLocal: channel.remoteAddress.map(Self.isLoopback) ?? false)
    switch pageRequest.decision {
    case .passes: return nil
    case .refused(let reason): return Page.refusal(reason)
    case .page:
      let (world, calls) = world.snapshot
      return Page(world: world, lastCalls: calls, key: pageKey).answer
    case .form:
      guard var body = try? await request.body.collect(upTo: 1 << 16) else {
        return Page.refusal("the form is too large", status: 413)
      }
      let form = Parameters(form: body.readBytes(length: body.readableBytes) ?? [])
      guard form["key"] == pageKey else {
        return Page.refusal("the form is from another page; reload this one")
      }
      if let fault = self.world.perform(form) { return Page.refusal(fault.message, status: 400) }
      return Page.redirect
    }
  }

  private static func isLoopback(_ address: SocketAddress) -> Bool {
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
