import GraphAPI
import GraphFlow

/// Turns a token into a stored login: exchanges it, asks Graph about it, and stores it.
struct NewLogin: Sendable {
  let profile: String
  /// The name or the id of the page whose token is kept; nil: the person's is.
  let page: String?
  let client: GraphClient
  let settings: Settings
  let store: LoginStore

  /// A token from standard input is exchanged if it ends in less than this, in seconds: 30 days.
  private static let renewalThreshold = 2_592_000

  /// Stores the token of a device login, even if Graph reports nothing about it.
  func keep(_ grant: TokenGrant) async throws -> StoredLogin {
    if let page { return try await keep(page: page, of: grant) }
    return try await keep(await exchanged(grant) ?? grant, known: TokenFacts())
  }

  /// Replaces a login's token by a new one that lives long; what Graph does not report is kept.
  func refresh(_ old: StoredLogin) async throws -> StoredLogin {
    guard old.facts.end != .never else {
      Terminal.notify("the token never ends, so it is kept")
      return old
    }
    guard settings.appSecret != nil, settings.appID != nil else {
      throw CommandFailure(
        .misconfigured, "the token cannot be refreshed without the app's id and secret",
        hint: "set GRAPHFLOW_APP_SECRET, and the id with --app-id or GRAPHFLOW_APP_ID")
    }
    guard let grant = try await exchange(TokenGrant(token: old.token)) else {
      throw CommandFailure(.failed, "Graph issued no new token for this one")
    }
    return try await keep(grant, known: old.facts)
  }

  /// Stores the token of a grant; `known` is what counts if Graph reports nothing about it.
  private func keep(_ grant: TokenGrant, known: TokenFacts) async throws -> StoredLogin {
    let now = WallClock.seconds()
    var facts = known
    do {
      facts = try await TokenFacts(of: grant.token, by: client, settings)
      facts.app = facts.app ?? known.app
    } catch let failure as CommandFailure where failure.status != .notPermitted {
      Terminal.warn(
        "\(failure.message); the login is kept, and 'graphflow whoami' may show more later")
    }
    return try stored(grant, at: now, facts)
  }

  /// Stores an existing token, if Graph accepts it.
  func keep(given token: AccessToken) async throws -> StoredLogin {
    if let page { return try await keep(page: page, of: TokenGrant(token: token)) }
    var (grant, now) = (TokenGrant(token: token), WallClock.seconds())
    var facts = try await TokenFacts(of: token, by: client, settings)
    // A person's token that ends soon.
    if facts.type == nil || facts.type == "USER", case .at(let end) = facts.end,
      end - WallClock.seconds() < Self.renewalThreshold, let longer = await exchanged(grant)
    {
      (grant, now) = (longer, WallClock.seconds())
      facts = try await TokenFacts(of: grant.token, by: client, settings)
    }
    return try stored(grant, at: now, facts)
  }

  /// Stores the token of a page that a person has; it has no end if the person's is long-lived.
  ///
  /// Source: Facebook Login, "Long-Lived Access Tokens", Page tokens.
  private func keep(page name: String, of person: TokenGrant) async throws -> StoredLogin {
    let longer = await exchanged(person) ?? person
    let pages = try await PageTokens(of: longer.token, by: client, appSecret: settings.appSecret)
    let token = try pages.token(of: name)
    let now = WallClock.seconds()
    return try stored(
      TokenGrant(token: token), at: now, try await TokenFacts(of: token, by: client, settings))
  }

  /// Stores a login with what Graph reports about its token; what the grant says about its end counts.
  private func stored(
    _ grant: TokenGrant, at now: Int, _ reported: TokenFacts
  ) throws -> StoredLogin {
    var facts = reported
    facts.type = nil
    let end = grant.expiry(grantedAt: now)
    if end != .unknown, facts.end != .never { facts.end = end }
    if grant.dataAccessExpiry != .unknown { facts.dataAccessExpiry = grant.dataAccessExpiry }
    let login = StoredLogin(
      profile: profile, graphURL: client.url, token: grant.token, obtainedAt: now, facts: facts)
    try Task.checkCancellation()
    try store.save(login)
    return login
  }

  /// A long-lived token; nil if the app's secret is unknown, or Graph issues none.
  private func exchanged(_ grant: TokenGrant) async -> TokenGrant? {
    do {
      return try await exchange(grant)
    } catch let failure as CommandFailure {
      Terminal.warn("the token was not exchanged for a long-lived one: \(failure.message)")
      return nil
    } catch {
      return nil
    }
  }

  private func exchange(_ grant: TokenGrant) async throws -> TokenGrant? {
    guard let secret = settings.appSecret, let appID = settings.appID,
      let request = TokenExchange.request(
        for: grant.token, appID: appID, secret: secret, version: client.version)
    else { return nil }
    guard var longer = TokenGrant(body: try await client.body(of: request)) else { return nil }
    ProcessRedactor.record(longer.token)
    if longer.dataAccessExpiry == .unknown {
      longer = TokenGrant(
        token: longer.token, lifetime: longer.lifetime, dataAccessExpiry: grant.dataAccessExpiry)
    }
    return longer
  }
}

/// The app of a login, which identifies itself to Graph by its client token, without its secret.
struct AppClient: Sendable {
  static let variable = "GRAPHFLOW_CLIENT_TOKEN"
  let id: String
  /// The app's id, a bar, and its client token.
  let token: AccessToken

  /// Takes the id from the flag, the environment or the configuration, the client token from the
  /// environment.
  init(flag: String?, settings: Settings) throws {
    let id = try AppClient.id(flag: flag, settings: settings)
    guard let text = Environment.value(AppClient.variable) else {
      throw CommandFailure(
        .misconfigured, "\(AppClient.variable) is not set",
        hint: """
          find it in the App Dashboard under Settings, Advanced, Security: 'Client token'; the \
          app needs Login from Devices switched on
          """)
    }
    guard let client = AccessToken(text), !text.contains("|"),
      let token = AccessToken("\(id)|\(text)")
    else { throw CommandFailure(.misconfigured, "\(AppClient.variable) holds no client token") }
    ProcessRedactor.record(client)
    ProcessRedactor.record(token)
    self.id = id
    self.token = token
  }

  /// The id from the flag, the environment or the configuration.
  static func id(flag: String?, settings: Settings) throws -> String {
    if let flag, !AppClient.isID(flag) {
      throw CommandFailure(.usage, "--app-id: '\(flag)' is not an app's id, which is a number")
    }
    guard let id = flag ?? settings.appID else {
      throw CommandFailure(
        .misconfigured, "the id of the app is not set",
        hint: "set it with --app-id, GRAPHFLOW_APP_ID, or app_id in the configuration")
    }
    guard AppClient.isID(id) else {
      throw CommandFailure(.misconfigured, "'\(id)' is not an app's id, which is a number")
    }
    return id
  }

  private static func isID(_ text: String) -> Bool {
    (1...32).contains(text.utf8.count) && text.utf8.allSatisfy { (48...57).contains($0) }
  }
}

extension Settings {
  private static let refreshTime = 7 * 86_400

  /// Refreshes the kept logins of profiles whose tokens end within a week, if the app's secret is
  /// known; if that fails, the present token is used.
  func refreshLogins(
    of profiles: [String], over transport: any Transport, quietly: Bool
  ) async {
    guard appSecret != nil, let store = LoginStore.standard else { return }
    let client = GraphClient(transport: transport, url: graphURL, version: version ?? .current)
    for profile in profiles {
      guard case .login? = tokens.source(of: profile),
        let old = try? store.login(of: profile, at: graphURL), let end = old.facts.end.seconds,
        old.facts.end != .never, end < WallClock.seconds() + Self.refreshTime
      else { continue }
      var settings = self
      if let id = old.facts.app?.id, appID == nil { settings.choose(app: id) }
      do {
        _ = try await NewLogin(
          profile: profile, page: nil, client: client, settings: settings, store: store
        ).refresh(old)
        if !quietly { Terminal.notify("profile '\(profile)': the token was refreshed") }
      } catch {
        Terminal.warn(
          "profile '\(profile)': the token ends soon, and was not refreshed: "
            + CommandFailure(error).message)
      }
    }
  }
}
