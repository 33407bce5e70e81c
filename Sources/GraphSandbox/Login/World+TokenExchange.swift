import JSONPath

extension World {
  /// `oauth/access_token`: exchanges a user's token for one that lives longer, the application's
  /// credentials for its own token, or a code of the dialog for a token
  /// (docs/internals/graph-api.md, Logging in).
  mutating func exchange(_ request: GraphRequest) throws(GraphFault) -> Outcome {
    let parameters = request.parameters
    guard let client = parameters["client_id"], !client.isEmpty else {
      throw .parameterRequired("client_id")
    }
    guard client == application else { throw .applicationInvalid }
    guard let secret = parameters["client_secret"], !secret.isEmpty else {
      throw .parameterRequired("client_secret")
    }
    if let own = proofs.appSecret, own != secret { throw .clientSecretInvalid }
    switch parameters["grant_type"] {
    case "client_credentials"?:
      return Self.tokenAnswer(applicationToken, lifetime: nil)
    case "fb_exchange_token"?:
      guard let short = parameters["fb_exchange_token"], !short.isEmpty else {
        throw .parameterRequired("fb_exchange_token")
      }
      guard let grant = access.grants[short] else { throw .tokenUnreadable }
      if let fault = grant.fault(of: application, at: now) { throw fault }
      guard grant.kind == .user, let user = grant.user else { throw .tokenUnreadable }
      let token = issueToken(to: user, for: Self.tokenLifetime)
      return Self.tokenAnswer(token, lifetime: Self.tokenLifetime)
    case nil, "authorization_code"?:
      guard let code = parameters["code"] else { throw .parameterRequired("code") }
      guard let login = dialogCodes.removeValue(forKey: code) else { throw .codeInvalid }
      guard login.redirect == parameters["redirect_uri"] else { throw .codeInvalid }
      let token = issueToken(to: login.user, for: Self.tokenLifetime)
      return Self.tokenAnswer(token, lifetime: Self.tokenLifetime)
    default: throw .grantTypeInvalid
    }
  }

  private static func tokenAnswer(_ token: String, lifetime: Int?) -> Outcome {
    var facts: JSON.Object = ["access_token": .string(token), "token_type": "bearer"]
    if let lifetime { facts["expires_in"] = .number(.init(lifetime)) }
    return Outcome(.object(facts))
  }
}
