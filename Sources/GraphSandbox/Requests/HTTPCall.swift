/// An HTTP request, as far as Graph looks at it.
struct HTTPCall: Sendable {
  var method: String
  /// Path and query, as received.
  var target: String
  var authorization: String?
  var contentType: String?
  var contentEncoding: String?
  var ifNoneMatch: String?
  var body: [UInt8] = []
}
