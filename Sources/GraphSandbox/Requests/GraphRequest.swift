/// One operation, fully bound: what the world executes.
struct GraphRequest: Sendable {
  let method: GraphMethod
  var version: String?
  /// Decoded path segments after the version.
  let path: [String]
  let parameters: Parameters
  /// The operation's own proof belongs to this token.
  var token: String?
  var ifNoneMatch: String?
  var files: [UploadedFile] = []
  /// Whether the operation asks for the headers of its answer.
  var wantsHeaders = true

  /// Whether it needs no token of its own, for it asks for one.
  var isLogin: Bool {
    switch path.first {
    case "oauth"?, "device"?, "dialog"?, World.controlSegment?: true
    default: false
    }
  }
}
