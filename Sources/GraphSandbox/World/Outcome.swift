/// What executing an operation came to, before version, tag and headers are added.
struct Outcome: Sendable {
  var status = 200
  /// JSON text; empty where there is no body.
  var body: [UInt8] = []
  var location: String?
  var isInvented = false

  static let success = Outcome(body: Array("{\"success\":true}".utf8))
}
