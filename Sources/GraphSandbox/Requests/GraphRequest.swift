/// One operation, fully bound: what the world executes.
struct GraphRequest: Sendable {
  var method: GraphMethod
  var version: String?
  /// Decoded path segments after the version.
  var path: ResourcePath
  var parameters: Parameters
  /// The operation's own proof belongs to this token.
  var token: String?
  var ifNoneMatch: String?
  var files: [UploadedFile]
  /// Whether anybody sees the headers of the answer; tags and usage cost something.
  var showsHeaders = true

  /// Whether anybody looks at the tag of the answer.
  var needsTag: Bool { showsHeaders || ifNoneMatch != nil }
}
