/// An HTTP answer as received, unpacked.
///
/// None of its textual forms shows a header or the body.
package struct WireResponse: Hashable, Sendable {
  /// The HTTP status.
  package var status: Int

  /// The headers.
  package var headers: [HeaderField]

  /// The body, after decompression.
  package var body: [UInt8]

  /// Makes an answer.
  package init(status: Int, headers: [HeaderField] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

extension WireResponse: Confidential {
  /// The status and the body's size.
  package var description: String { "\(status) (\(body.count) bytes)" }
}
