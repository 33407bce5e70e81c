/// The parts of an HTTP request that the Graph API uses.
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
