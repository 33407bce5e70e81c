import JSONPath

/// Requests without a session: tokens, device login, the dialog, and the sandbox's own controls.
struct Logins: Sendable {
  /// What a code of the login dialog is exchanged for.
  private struct DialogCode: Sendable {
    let user: String
    let redirect: String
    let created: Int
    var isUsed = false

    /// Seconds until it expires; Graph's are not documented.
    static let lifetime = 600
  }

  /// The client token that device logins need; nil: any is accepted.
  var clientToken: String?
  /// By the code that the device polls with.
  var devices: [String: DeviceLogin] = [:]
  /// The codes of the dialog.
  private var dialogCodes: [String: DialogCode] = [:]

  var testUsers = TestUsers()

  /// The first path segment of the sandbox's own calls.
  static let controlSegment = "sandbox"
  /// The second segments of those calls.
  static let controls = ["devices", "permissions"]

  mutating func answer(
    _ request: GraphRequest, _ access: inout AccessTable, at now: Int, _ origin: String
  ) throws(GraphFault) -> Answer {
    let path = request.path
    switch (path.first, path.dropFirst().first, path.count) {
    case ("oauth"?, "access_token"?, 2): return try exchange(request.parameters, &access, at: now)
    case ("device"?, "login"?, 2) where request.method == .post:
      return try beginDevice(request, &access, at: now, origin)
    case ("device"?, "login_status"?, 2) where request.method == .post:
      return try pollDevice(request, &access, at: now)
    case ("dialog"?, "oauth"?, 2) where request.method == .get:
      return try showDialog(request.parameters, &access, at: now)
    case (Self.controlSegment?, let name?, 2):
      return try control(name, request, &access, at: now)
    default: throw .unknownPath(path)
    }
  }

  /// `oauth/access_token`: exchanges a user's token for one that lives longer, the application's
  /// credentials for its own token, or a code of the dialog for a token
  /// (docs/internals/graph-api.md, Logging in).
  private mutating func exchange(
    _ parameters: Parameters, _ access: inout AccessTable, at now: Int
  ) throws(GraphFault) -> Answer {
    let client = try parameters.required("client_id")
    guard client == access.application else { throw .applicationInvalid }
    let secret = try parameters.required("client_secret")
    if let own = access.proofs.appSecret, own != secret { throw .clientSecretInvalid }
    let user: String
    switch parameters["grant_type"] {
    case "client_credentials"?:
      return Answer([
        "access_token": .string(access.applicationToken), "token_type": "bearer",
      ])
    case "fb_exchange_token"?:
      guard let short = parameters["fb_exchange_token"], !short.isEmpty else {
        throw .exchangeTokenMissing
      }
      guard let grant = access.grants[short] else { throw .tokenUnreadable }
      if let fault = grant.fault(of: access.application, at: now) { throw fault }
      guard grant.kind == .user, let owner = grant.user else { throw .tokenUnreadable }
      user = owner
    case nil, "authorization_code"?:
      guard let code = parameters["code"] else { throw .parameterRequired("code") }
      guard let login = dialogCodes[code] else { throw .codeInvalid }
      guard login.redirect == parameters["redirect_uri"] else { throw .codeOfOtherRedirect }
      guard !login.isUsed else { throw .codeUsed }
      guard now < login.created + DialogCode.lifetime else { throw .codeExpired }
      dialogCodes[code]?.isUsed = true
      user = login.user
    case let type?: throw .grantTypeInvalid(type)
    }
    return Answer([
      "access_token": .string(access.issueToken(to: user, at: now)), "token_type": "bearer",
      "expires_in": .number(.init(AccessTable.tokenLifetime)),
    ])
  }

  /// `dialog/oauth`: a stub of the login page; its user agrees at once, or with `action=decline`
  /// refuses, and declines the permissions in `declined`.
  ///
  /// Permissions that were declined earlier are requested again only with `auth_type=rerequest`
  /// (docs/internals/graph-api.md, decision 33).
  private mutating func showDialog(
    _ parameters: Parameters, _ access: inout AccessTable, at now: Int
  ) throws(GraphFault) -> Answer {
    guard parameters["client_id"] == access.application else { throw .applicationInvalid }
    guard let redirect = parameters["redirect_uri"],
      redirect.hasPrefix("https://") || redirect.hasPrefix("http://"),
      !redirect.utf8.contains(where: { $0 <= 32 || $0 >= 127 })
    else { throw .parameterRequired("redirect_uri") }
    let user = try access.loginUser(nil)
    let isRepeated = parameters.words("auth_type").contains("rerequest")
    let isRefused = parameters["action"] == "decline"
    let (asked, declined) = (parameters.words("scope"), Set(parameters.words("declined")))
    if !isRefused {
      access.grant(
        ["public_profile"] + asked.filter { !declined.contains($0) }, to: user,
        includingDeclined: isRepeated)
      for name in asked where declined.contains(name) { access.set(name, to: .declined, for: user) }
    }
    var location = Array(redirect.utf8)
    if isRefused {
      // Manually Build a Login Flow, "Canceled login".
      location.append(UInt8(ascii: redirect.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"))
      location += Array(
        "error_reason=user_denied&error=access_denied&error_description=Permissions+error.".utf8)
    } else if parameters["response_type"] == "token" {
      let token = access.issueToken(to: user, at: now)
      location += Array("#access_token=\(token)&expires_in=\(AccessTable.tokenLifetime)".utf8)
    } else {
      let code = access.generator.nextDialogCode()
      if dialogCodes.count >= 10_000 { dialogCodes = [:] }
      dialogCodes[code] = DialogCode(user: user, redirect: redirect, created: now)
      location.append(UInt8(ascii: redirect.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"))
      location += Array("code=\(code)".utf8)
    }
    if let state = parameters["state"] {
      location += Array("&state=".utf8)
      FormText.appendEncoded(state.excerpt, to: &location)
    }
    return Answer(
      status: 302, location: String(decoding: location, as: UTF8.self), note: .invented)
  }
}

extension Parameters {
  func required(_ name: String) throws(GraphFault) -> String {
    guard let text = self[name], !text.isEmpty else { throw .parameterRequired(name) }
    return text
  }
}

extension GraphCall {
  /// Whether it is one of the sandbox's own calls, which faults never affect.
  var isControl: Bool {
    guard case .single(let request) = kind else { return false }
    return request.path.first == Logins.controlSegment
  }
}
