/// What one operation came to, before it is written into a batch or onto the wire.
///
/// A class, because it is handed on from function to function.
final class Answer: Sendable {
  let status: Int
  /// JSON text in ASCII; nil where there is none (304, 302).
  let body: [UInt8]?
  /// The version that answered.
  let version: String
  /// Quoted, as in the header; absent on errors and writes.
  let etag: String?
  let location: String?
  /// The code of the error that it carries, with its subcode: `190/463`.
  let errorCode: String?
  /// The value of `WWW-Authenticate`.
  let challenge: String?
  let usage: UsageHeaders
  /// Whether something in it is not Graph's but ours; a header then says so.
  let isInvented: Bool

  init(
    status: Int,
    body: [UInt8]?,
    version: String,
    etag: String? = nil,
    location: String? = nil,
    errorCode: String? = nil,
    challenge: String? = nil,
    usage: UsageHeaders,
    isInvented: Bool
  ) {
    self.status = status
    self.body = body
    self.version = version
    self.etag = etag
    self.location = location
    self.errorCode = errorCode
    self.challenge = challenge
    self.usage = usage
    self.isInvented = isInvented
  }

  var hasSucceeded: Bool { status < 400 }
}
