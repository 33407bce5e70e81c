import GraphAPI
import GraphFlow

/// Makes a stored login of a token: exchanges it, asks what it is good for, and keeps it.
struct NewLogin: Sendable {
  let profile: String
  let client: GraphClient
  let settings: Settings
  let store: LoginStore
  /// Tells people what goes on.
  let tell: @Sendable (String) -> Void

  /// A token with less than this left is exchanged if the person gave it by hand, in seconds: 30 days.
  private static let freshEnough = 2_592_000

  /// Keeps what a device login gave, though nothing may be known of it: a person has just agreed.
  ///
  /// - Throws: a ``CommandFailure`` if Graph refuses the token or the login cannot be kept.
  func keep(_ grant: TokenGrant) async throws -> StoredLogin {
    let grant = await exchanged(grant) ?? grant
    var login = login(grant)
    do {
      login.take(try await TokenFacts.read(of: grant.token, by: client, settings))
    } catch let failure as CommandFailure where failure.status != .notPermitted {
      tell("\(failure.message); the login is kept, and 'graphflow whoami' may say more later")
    }
    try Task.checkCancellation()
    try store.save(login)
    return login
  }

  /// Keeps a token that somebody has already, if Graph takes it.
  ///
  /// - Throws: a ``CommandFailure`` if Graph cannot be asked, or refuses the token.
  func keep(given token: AccessToken) async throws -> StoredLogin {
    var login = login(TokenGrant(token: token))
    let facts = try await TokenFacts.read(of: token, by: client, settings)
    login.take(facts)
    if mayBeExchanged(facts), let grant = await exchanged(TokenGrant(token: token)) {
      login = self.login(grant)
      login.take(try await TokenFacts.read(of: grant.token, by: client, settings))
    }
    try Task.checkCancellation()
    try store.save(login)
    return login
  }

  private func login(_ grant: TokenGrant) -> StoredLogin {
    let now = WallClock.seconds()
    return StoredLogin(
      profile: profile,
      graphURL: client.url,
      token: grant.token,
      obtainedAt: now,
      facts: TokenFacts(end: grant.expiry(grantedAt: now), dataAccessExpiry: grant.dataAccessExpiry)
    )
  }

  /// Whether a token is a person's and about to end.
  private func mayBeExchanged(_ facts: TokenFacts) -> Bool {
    guard facts.type == nil || facts.type == "USER", case .at(let end) = facts.end else {
      return false
    }
    return end - WallClock.seconds() < Self.freshEnough
  }

  /// A token that lives longer; nil where the app's secret is not known, or Graph gives none.
  private func exchanged(_ grant: TokenGrant) async -> TokenGrant? {
    guard let secret = settings.appSecret, let appID = settings.appID,
      let request = TokenExchange.request(
        for: grant.token,
        appID: appID,
        secret: secret,
        version: client.version
      )
    else { return nil }
    do {
      guard var longer = TokenGrant(body: try await client.body(of: request)) else { return nil }
      ProcessRedactor.record(longer.token)
      if longer.dataAccessExpiry == .unknown {
        longer = TokenGrant(
          token: longer.token,
          lifetime: longer.lifetime,
          dataAccessExpiry: grant.dataAccessExpiry
        )
      }
      return longer
    } catch let failure as CommandFailure {
      tell("the token is not exchanged for one that lives longer: \(failure.message)")
      return nil
    } catch {
      return nil
    }
  }
}

extension StoredLogin {
  /// Takes what Graph says of the token; what the login itself was told stays.
  fileprivate mutating func take(_ facts: TokenFacts) {
    let earlier = self.facts
    self.facts = facts
    self.facts.type = nil
    if earlier.end != .unknown, facts.end != .never { self.facts.end = earlier.end }
    if earlier.dataAccessExpiry != .unknown { self.facts.dataAccessExpiry = earlier.dataAccessExpiry }
  }
}
