/// An HTTP answer as received, after decompression.
///
/// No textual form of it shows a header or the body.
public struct WireResponse: Hashable, Sendable {
  /// The HTTP status.
  public var status: Int
  /// The headers.
  public var headers: [HeaderField]
  /// The body, after decompression.
  public var body: [UInt8]

  /// Makes an answer.
  public init(status: Int, headers: [HeaderField] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

extension WireResponse: Confidential {
  /// The status and the body's size.
  public var description: String { "\(status) (\(body.count) bytes)" }
}
