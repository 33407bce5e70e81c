/// The answer to an operation, before it becomes a batch item or an HTTP answer.
struct Answer: Sendable {
  let status: Int
  /// JSON text in ASCII; nil without a body (304, 302).
  let body: [UInt8]?
  /// The version that answered.
  let version: String
  /// Quoted, as in the header; absent on errors and writes.
  var etag: String?
  var location: String?
  /// The code of its error, followed by the subcode if there is one: `190/463`.
  var errorCode: String?
  /// The value of `WWW-Authenticate`.
  var challenge: String?
  let usage: UsageHeaders
  /// Whether a part of it is invented; a header then marks it.
  var isInvented = false

  var hasSucceeded: Bool { status < 400 }
}
