/// One operation, fully bound: what the world executes.
struct GraphRequest: Sendable {
  var method: GraphMethod
  var version: String?
  /// Decoded path segments after the version.
  var path: [String]
  var parameters: Parameters
  /// The operation's own proof belongs to this token.
  var token: String?
  var ifNoneMatch: String?
  var files: [UploadedFile]
  /// Whether anybody sees the tag of the answer, which costs a digest.
  var needsTag = true
}
