/// An HTTP request, ready to send.
///
/// No textual form of it shows a query, a header or the body.
public struct WireRequest: Hashable, Sendable {
  /// The HTTP method.
  public var method: String
  /// The absolute URL, which contains no token.
  public var url: String
  /// The headers, without those that the transport adds, such as `Content-Length`.
  public var headers: [HeaderField]
  /// The body; empty if there is none.
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
  /// The method, the URL without its query, and the size of the body.
  public var description: String {
    "\(method) \(url.prefix { $0 != "?" && $0 != "#" }) (\(body.count) bytes)"
  }
}
