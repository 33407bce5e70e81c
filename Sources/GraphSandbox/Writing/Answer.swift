/// What one operation came to, before it is written into a batch or onto the wire.
struct Answer: Sendable {
  let status: Int
  /// JSON text in ASCII; nil where there is none (304, 302).
  let body: [UInt8]?
  /// The version that answered.
  let version: String
  /// Quoted, as in the header; absent on errors and writes.
  var etag: String?
  var location: String?
  /// The code of the error that it carries, with its subcode: `190/463`.
  var errorCode: String?
  /// The value of `WWW-Authenticate`.
  var challenge: String?
  let usage: UsageHeaders
  /// Whether something in it is not Graph's but ours; a header then says so.
  var isInvented = false

  var hasSucceeded: Bool { status < 400 }
}
