import GraphAPI
import GraphFlow

/// Turns a token into a stored login: exchanges it, asks Graph about it, and stores it.
struct NewLogin: Sendable {
  let profile: String
  let client: GraphClient
  let settings: Settings
  let store: LoginStore
  let notify: @Sendable (String) -> Void

  /// A token from standard input is exchanged if it ends in less than this, in seconds: 30 days.
  private static let renewalThreshold = 2_592_000

  /// Stores the token of a device login, even if Graph reports nothing about it.
  func keep(_ grant: TokenGrant) async throws -> StoredLogin {
    let grant = await exchanged(grant) ?? grant
    var login = login(grant)
    do {
      login.merge(try await TokenFacts.read(of: grant.token, by: client, settings))
    } catch let failure as CommandFailure where failure.status != .notPermitted {
      notify("\(failure.message); the login is kept, and 'graphflow whoami' may show more later")
    }
    try Task.checkCancellation()
    try store.save(login)
    return login
  }

  /// Stores an existing token, if Graph accepts it.
  func keep(given token: AccessToken) async throws -> StoredLogin {
    var login = login(TokenGrant(token: token))
    let facts = try await TokenFacts.read(of: token, by: client, settings)
    login.merge(facts)
    if mayBeExchanged(facts), let grant = await exchanged(TokenGrant(token: token)) {
      login = self.login(grant)
      login.merge(try await TokenFacts.read(of: grant.token, by: client, settings))
    }
    try Task.checkCancellation()
    try store.save(login)
    return login
  }

  private func login(_ grant: TokenGrant) -> StoredLogin {
    let now = WallClock.seconds()
    return StoredLogin(
      profile: profile, graphURL: client.url, token: grant.token, obtainedAt: now,
      facts: TokenFacts(end: grant.expiry(grantedAt: now), dataAccessExpiry: grant.dataAccessExpiry)
    )
  }

  /// Whether a token is a person's and ends soon.
  private func mayBeExchanged(_ facts: TokenFacts) -> Bool {
    guard facts.type == nil || facts.type == "USER", case .at(let end) = facts.end else {
      return false
    }
    return end - WallClock.seconds() < Self.renewalThreshold
  }

  /// A long-lived token; nil if the app's secret is unknown, or Graph issues none.
  private func exchanged(_ grant: TokenGrant) async -> TokenGrant? {
    guard let secret = settings.appSecret, let appID = settings.appID,
      let request = TokenExchange.request(
        for: grant.token, appID: appID, secret: secret, version: client.version)
    else { return nil }
    do {
      guard var longer = TokenGrant(body: try await client.body(of: request)) else { return nil }
      ProcessRedactor.record(longer.token)
      if longer.dataAccessExpiry == .unknown {
        longer = TokenGrant(
          token: longer.token, lifetime: longer.lifetime, dataAccessExpiry: grant.dataAccessExpiry)
      }
      return longer
    } catch let failure as CommandFailure {
      notify("the token was not exchanged for a long-lived one: \(failure.message)")
      return nil
    } catch {
      return nil
    }
  }
}

extension StoredLogin {
  /// Adds what Graph reports about the token; facts from the login itself stay.
  fileprivate mutating func merge(_ facts: TokenFacts) {
    let earlier = self.facts
    self.facts = facts
    self.facts.type = nil
    if earlier.end != .unknown, facts.end != .never { self.facts.end = earlier.end }
    if earlier.dataAccessExpiry != .unknown {
      self.facts.dataAccessExpiry = earlier.dataAccessExpiry
    }
  }
}
