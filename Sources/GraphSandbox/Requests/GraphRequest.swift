/// One operation with all references resolved, ready to be executed.
struct GraphRequest: Sendable {
  let method: GraphMethod
  var version: String?
  /// Decoded path segments after the version.
  let path: [String]
  let parameters: Parameters
  /// The operation's own token, which its own proof belongs to.
  var token: String?
  var ifNoneMatch: String?
  var files: [UploadedFile] = []
  /// Whether the item of its answer shows headers.
  var wantsHeaders = true

  /// Whether it is a login or a call to the sandbox itself, which need no session.
  var isLogin: Bool {
    switch path.first {
    case "oauth"?, "device"?, "dialog"?, World.controlSegment?: true
    default: false
    }
  }
}
