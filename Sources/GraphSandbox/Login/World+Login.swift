/// Requests without a session: tokens, device login, the dialog, and the sandbox's own controls.
extension World {
  /// The first path segment of the sandbox's own calls.
  static let controlSegment = "sandbox"

  /// Executes such a request.
  mutating func login(_ request: GraphRequest) throws(GraphFault) -> Outcome {
    let path = request.path
    switch (path.first, path.dropFirst().first, path.count) {
    case ("oauth"?, "access_token"?, 2): return try exchange(request)
    case ("device"?, "login"?, 2) where request.method == .post: return try beginDevice(request)
    case ("device"?, "login_status"?, 2) where request.method == .post:
      return try pollDevice(request)
    case ("dialog"?, "oauth"?, 2) where request.method == .get: return try showDialog(request)
    case (Self.controlSegment?, let name?, 2): return try control(name, request)
    default: throw .unknownPath(path)
    }
  }

  /// Issues a user's token that expires after some seconds.
  mutating func issueToken(to user: String, for seconds: Int) -> String {
    let token = identifiers.nextLoginToken()
    var grant = AccessGrant(kind: .user, profile: user, user: user)
    grant.expires = now + seconds
    access.grants[token] = grant
    return token
  }

  /// The user who logs in: the named one, or else the owner of the default token.
  func loginUser(_ named: String?) throws(GraphFault) -> String {
    if let named {
      guard objects[named]?.type == .user else { throw .unsupported(.post, named) }
      return named
    }
    guard let user = access.standardUser, objects[user]?.type == .user else {
      throw .activeTokenRequired
    }
    return user
  }

  /// The lifetime in seconds of tokens from logins: 60 days (docs/internals/graph-api.md, Access
  /// tokens).
  static let tokenLifetime = 5_184_000
}

extension GraphCall {
  /// Whether it is one of the sandbox's own calls, which faults never affect.
  var isControl: Bool {
    guard case .single(let request) = kind else { return false }
    return request.path.first == World.controlSegment
  }
}
