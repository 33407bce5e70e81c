/// What executing an operation came to, before version, tag and headers are added.
struct Outcome: Sendable {
  var status = 200
  /// JSON text; empty where there is no body.
  var body: [UInt8] = []
  var location: String?
  var isInvented = false
  /// Quoted, as in the header; nil as long as nobody has asked for it.
  var tag: String?
  /// The body as the contents of a JSON string, if it has been written so before.
  var escapedBody: [UInt8]?

  static let success = Outcome(body: Array("{\"success\":true}".utf8))
}
