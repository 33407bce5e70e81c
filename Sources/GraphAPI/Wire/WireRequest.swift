/// An HTTP request, ready to send.
///
/// None of its textual forms shows a query, a header or the body.
public struct WireRequest: Hashable, Sendable {
  /// The HTTP method.
  public var method: String

  /// The absolute address, which holds no token.
  public var url: String

  /// The headers; those that frame the message are the transport's.
  public var headers: [HeaderField]

  /// The body; empty for none.
  public var body: [UInt8]

  /// Makes a request.
  public init(method: String, url: String, headers: [HeaderField] = [], body: [UInt8] = []) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

extension WireRequest: Confidential {
  /// Method, address without its query, and the body's size.
  public var description: String {
    "\(method) \(url.prefix { $0 != "?" && $0 != "#" }) (\(body.count) bytes)"
  }
}
