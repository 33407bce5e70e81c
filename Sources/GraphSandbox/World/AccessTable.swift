import Crypto

/// A permission that the application requested of a user, and its status.
typealias Permission = WorldDescription.Grant

/// A user's tasks on a page, and the page token for them.
struct PageRole: Hashable, Sendable {
  let token: String
  let tasks: [String]

  /// Whether one of the tasks includes such work: itself, or full control.
  func allows(_ task: PageTask) -> Bool {
    tasks.contains { [task.rawValue, "MANAGE"].contains($0) }
  }
}

/// Work that a page's token is good for only if the person has the task.
///
/// Source: Pages API, "Permissions and Tasks".
enum PageTask: String, Sendable {
  case analyze = "ANALYZE"
  case createContent = "CREATE_CONTENT"
  case message = "MESSAGING"
  case moderate = "MODERATE"
}

/// The access tokens of an application, and what their users have granted and may use.
struct AccessTable: Sendable {
  /// The application's id.
  var application = ""
  var proofs = ProofCheck()
  var generator: TokenGenerator
  /// By token.
  var grants: [String: AccessGrant] = [:]
  /// By user; every user has a list.
  var permissions: Permissions = [:]
  /// By page, then by user.
  var roles: [String: [String: PageRole]] = [:]
  /// The users of each ad account.
  var adUsers: [String: Set<String>] = [:]
  /// The tokens that the sandbox prints when it starts.
  var namedTokens: [(name: String, token: String)] = []
  /// The user who logs in by default.
  var standardUser: String?

  typealias Permissions = [String: [Permission]]

  /// The lifetime in seconds of tokens from logins: 60 days (docs/internals/graph-api.md, Access
  /// tokens).
  static let tokenLifetime = 5_184_000

  init(seed: UInt64) { generator = TokenGenerator(seed: seed) }
}

// MARK: - Tokens

extension AccessTable {
  /// The application's own token: its id and its secret.
  var applicationToken: String { "\(application)|\(secret)" }

  /// The application's secret, or a substitute if it accepts any.
  var secret: String {
    proofs.appSecret ?? SeededText.traceID(seed: generator.seed, ordinal: 0)
  }

  /// Checks a token and its proof.
  func session(for token: String, proof: String?, at now: Int) throws(GraphFault) -> Session {
    guard let grant = grants[token] else { throw .tokenUnreadable }
    if let fault = grant.fault(of: application, at: now) { throw fault }
    try proofs.check(proof, of: token)
    return Session(token: token, grant: grant, access: self)
  }

  /// Issues a user's token as a login does.
  mutating func issueToken(to user: String, at now: Int) -> String {
    let token = generator.nextLoginToken()
    grants[token] = AccessGrant(
      kind: .user, profile: user, user: user, expires: now + Self.tokenLifetime)
    return token
  }

  /// The user who logs in: the named one, or else the owner of the default token.
  func loginUser(_ named: String?) throws(GraphFault) -> String {
    if let named {
      guard permissions[named] != nil else { throw .unsupported(.post, named) }
      return named
    }
    guard let user = standardUser, permissions[user] != nil else { throw .activeTokenRequired }
    return user
  }

  /// A name for a token that does not reveal it.
  static func handle(of token: String) -> String {
    Hexadecimal.text(of: SHA256.hash(data: Array("page \(token)".utf8)).prefix(8))
  }

  /// The token with a name, a handle, or this text.
  func token(named name: String) -> String? {
    if let named = namedTokens.first(where: { $0.name == name }) { return named.token }
    return grants[name] != nil ? name : grants.keys.first { Self.handle(of: $0) == name }
  }

  /// Puts a token into a state; one that has ended by its time gets another lifetime if restored.
  mutating func setToken(_ token: String, to state: TokenState, at now: Int) {
    grants[token]?.state = state
    if state == .valid, let end = grants[token]?.expires, end <= now {
      grants[token]?.expires = now + Self.tokenLifetime
    }
  }
}

// MARK: - Permissions

extension AccessTable {
  /// Grants permissions to the application; declined ones only if `includingDeclined` is true.
  mutating func grant(_ names: [String], to user: String, includingDeclined: Bool) {
    for name in names.prefix(200) where !name.isEmpty {
      guard let index = permissions[user]?.firstIndex(where: { $0.name == name }) else {
        permissions[user, default: []].append(Permission(name.excerpt, .granted))
        continue
      }
      if permissions[user]?[index].status == .declined && !includingDeclined { continue }
      permissions[user]?[index].status = .granted
    }
  }

  /// Sets the status of a permission; a new one is added, up to a limit per user.
  mutating func set(_ name: String, to status: Permission.Status, for user: String) {
    guard let index = permissions[user]?.firstIndex(where: { $0.name == name }) else {
      guard permissions[user, default: []].count < 1_000 else { return }
      permissions[user, default: []].append(Permission(name, status))
      return
    }
    permissions[user]?[index].status = status
  }

  /// Makes a user decline a permission that the application may not have requested yet.
  mutating func decline(_ name: String, by user: String) {
    permissions[user, default: []].removeAll { $0.name == name }
    permissions[user, default: []].append(Permission(name, .declined))
  }

  /// Revokes one permission of a user; without a name, all of them and the user's tokens
  /// (docs/internals/graph-api.md, Permissions and decision 32).
  mutating func revoke(_ name: String?, of user: String) throws(GraphFault) {
    guard let name else {
      permissions[user] = []
      for token in grants.keys where grants[token]?.user == user { grants[token]?.state = .revoked }
      return
    }
    guard permissions[user]?.contains(where: { $0.name == name }) == true else {
      throw .parameterMalformed("permission", "one that the user was asked for")
    }
    set(name, to: .declined, for: user)
  }
}

/// Whom an access token acts for, and whether it is valid.
struct AccessGrant: Hashable, Sendable {
  enum Kind: String, Hashable, Sendable {
    case user = "USER"
    /// A user of a business, for programs.
    case systemUser = "SYSTEM_USER"
    case page = "PAGE"
    case app = "APP"

    /// Whether `me` is a user.
    var isUser: Bool { self == .user || self == .systemUser }
  }

  var kind: Kind
  /// The id that `me` names: of the user, the page or the application.
  var profile: String
  /// The user whose permissions apply, for a page token too; nil for an app token.
  var user: String?
  var state = TokenState.valid
  /// When it expires, in seconds since 1970; nil: never.
  var expires: Int?

  /// The error of a call with this token; nil if the token is valid.
  func fault(of application: String, at now: Int) -> GraphFault? {
    switch state {
    case .valid: break
    case .expired: return .tokenExpired(at: expires ?? now, now: now)
    case .revoked: return .sessionEnded(466)
    case .removed: return .tokenRemoved(application)
    case .checkpoint: return .sessionEnded(459)
    case .passwordChanged: return .sessionEnded(460)
    case .unconfirmed: return .sessionEnded(464)
    case .loggedOut: return .sessionEnded(467)
    case .inactive: return .tokenInactive
    }
    guard let expires, now >= expires else { return nil }
    return .tokenExpired(at: expires, now: now)
  }
}

/// Checks `appsecret_proof` (docs/internals/graph-api.md, Proofs).
struct ProofCheck: Sendable {
  /// nil: any proof is accepted.
  var appSecret: String?
  /// Whether a call with a token must carry a proof; ignored without a secret.
  var isRequired = false

  func check(_ proof: String?, of token: String) throws(GraphFault) {
    guard let appSecret else { return }
    guard let proof else {
      guard !isRequired else { throw .proofRequired }
      return
    }
    // The application's own tokens contain the secret or need none.
    guard !token.utf8.contains(UInt8(ascii: "|")) else { return }
    let key = SymmetricKey(data: Array(appSecret.utf8))
    let code = HMAC<SHA256>.authenticationCode(for: Array(token.utf8), using: key)
    guard proof.utf8.count == 64, proof.lowercased() == Hexadecimal.text(of: code)
    else { throw .proofInvalid }
  }
}
