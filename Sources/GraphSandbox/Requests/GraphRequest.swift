/// One operation, fully bound: what the world executes.
///
/// A class, because it is handed on from function to function.
final class GraphRequest: Sendable {
  let method: GraphMethod
  let version: String?
  /// Decoded path segments after the version.
  let path: ResourcePath
  let parameters: Parameters
  /// The operation's own proof belongs to this token.
  let token: String?
  let ifNoneMatch: String?
  let files: [UploadedFile]
  /// Whether the operation asks for the headers of its answer.
  let wantsHeaders: Bool
  /// Whether it needs no token of its own, for it asks for one.
  let isLogin: Bool
  let cost: OperationCost

  init(
    method: GraphMethod,
    version: String?,
    path: ResourcePath,
    parameters: Parameters,
    token: String?,
    ifNoneMatch: String?,
    files: [UploadedFile],
    wantsHeaders: Bool = true
  ) {
    self.method = method
    self.version = version
    self.path = path
    self.parameters = parameters
    self.token = token
    self.ifNoneMatch = ifNoneMatch
    self.files = files
    self.wantsHeaders = wantsHeaders
    isLogin = World.isLogin(path)
    cost = OperationCost(of: method, path, isUpload: !files.isEmpty)
  }
}
