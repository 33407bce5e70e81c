/// An HTTP request, as far as Graph looks at it.
struct HTTPCall: Sendable {
  var method: String
  /// Path and query, as received.
  var target: String
  var authorization: String?
  var contentType: String?
  var contentEncoding: String?
  var ifNoneMatch: String?
  var body: [UInt8]

  init(
    method: String,
    target: String,
    authorization: String? = nil,
    contentType: String? = nil,
    contentEncoding: String? = nil,
    ifNoneMatch: String? = nil,
    body: [UInt8] = []
  ) {
    self.method = method
    self.target = target
    self.authorization = authorization
    self.contentType = contentType
    self.contentEncoding = contentEncoding
    self.ifNoneMatch = ifNoneMatch
    self.body = body
  }
}
