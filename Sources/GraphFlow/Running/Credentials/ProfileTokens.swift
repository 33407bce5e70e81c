import GraphAPI

/// The token of each profile, the tokens that Graph refused, and the profiles to renew.
///
/// A profile's token is obtained again once. A profile is invalid after its second token is refused,
/// or if its source returns the same token again. A token without a profile has no source, so it is
/// invalid as soon as it is refused.
struct ProfileTokens: Sendable {
  /// Whether something can be sent with a token.
  enum Standing: Sendable {
    case usable(AccessToken)
    /// The profile's token was not obtained yet.
    case unread(profile: String)
    case unusable(Failure)
  }

  /// A profile whose token has to be obtained again.
  private struct Renewal: Sendable {
    let profile: String
    let token: AccessToken
    let trouble: TokenTrouble
    let failure: Failure
    let foundAt: Timestamp
  }

  /// An instance that waits for another token.
  struct Waiting: Sendable {
    /// The token with which it failed.
    let token: AccessToken
    /// How it ends if there is no other token.
    let ending: Ending
    let code: Int?
    let serverDelay: Duration?
  }

  /// Whether a profile's token is obtained again at all.
  private let recovers: Bool
  private var tokens: [String: AccessToken] = [:]
  /// Why a profile has no token.
  private var failures: [String: Failure] = [:]
  private var refused: [AccessToken: Failure] = [:]
  /// The profiles whose tokens are obtained again, in order.
  private var renewals: [Renewal] = []
  /// The profiles that have their second token.
  private var renewed: Set<String> = []
  /// The profiles whose sources had no other token.
  private var unchanged: Set<String> = []
  private(set) var waiting: [Int: Waiting] = [:]

  init(recovers: Bool = true) { self.recovers = recovers }

  subscript(profile: String) -> AccessToken? { tokens[profile] }

  func standing(of profile: String) -> Standing {
    if let failure = failures[profile] { return .unusable(failure) }
    return tokens[profile].map { .usable($0) } ?? .unread(profile: profile)
  }

  /// Whether something can be sent with a token that belongs to no profile.
  func standing(of token: AccessToken) -> Standing {
    refused[token].map { .unusable($0.adding(Self.noSource)) } ?? .usable(token)
  }

  /// Whether a profile's token was obtained, or could not be.
  func isRead(_ profile: String) -> Bool { tokens[profile] != nil || failures[profile] != nil }
  func isRefused(_ token: AccessToken) -> Bool { refused[token] != nil }

  /// The profile whose token has to be obtained again before anything more is sent.
  var profileToRenew: String? { renewals.first?.profile }
  func isRenewing(_ profile: String) -> Bool { renewals.contains { $0.profile == profile } }

  /// Whether something that failed with a token may be sent with another one.
  func mayReplace(_ token: AccessToken, of profile: String?) -> Bool {
    guard let profile else { return false }
    return isRenewing(profile) || tokens[profile].map { $0 != token } == true
  }

  /// The failure of something that was sent with a token that has no replacement.
  func finalFailure(_ failure: Failure, with token: AccessToken, of profile: String?) -> Failure {
    guard isRefused(token) else { return failure }
    guard let profile else { return failure.adding(Self.noSource) }
    return failures[profile] ?? failure
  }

  /// Records the result of a profile's source; the event is nil for the first token.
  mutating func record(
    _ result: Result<AccessToken, TokenUnavailable>, of profile: String
  ) -> TokenReading? {
    guard let index = renewals.firstIndex(where: { $0.profile == profile }) else {
      recordFirst(result, of: profile)
      return nil
    }
    let renewal = renewals.remove(at: index)
    let outcome: TokenReading.Outcome
    var remark = "the profile '\(profile)' gives the same token again"
    switch result {
    case .success(let token) where token != renewal.token && !isRefused(token):
      outcome = .renewed
      tokens[profile] = token
      failures[profile] = nil
      renewed.insert(profile)
    case .success: outcome = .unchanged
    case .failure(let problem):
      outcome = .unavailable
      remark = problem.message
    }
    if outcome != .renewed {
      unchanged.insert(profile)
      if let failure = refused[renewal.token] { invalidate(profile, failure.adding(remark)) }
    }
    return TokenReading(
      profile: profile, outcome: outcome, at: renewal.foundAt, failure: renewal.failure)
  }

  private mutating func recordFirst(
    _ result: Result<AccessToken, TokenUnavailable>, of profile: String
  ) {
    switch result {
    case .success(let token):
      // Another profile may have the same one.
      if let failure = refused[token] {
        failures[profile] = failure
      } else {
        tokens[profile] = token
      }
    case .failure(let problem):
      failures[profile] = Failure(
        problem.message, .token, category: .recoverable, hint: problem.hint)
    }
  }

  /// Records what an error means for a token; the profile is that of the request.
  mutating func recordTrouble(
    _ trouble: TokenTrouble, with token: AccessToken, _ failure: Failure, of profile: String?,
    at time: Timestamp
  ) {
    func renewal(of profile: String) -> Renewal {
      Renewal(profile: profile, token: token, trouble: trouble, failure: failure, foundAt: time)
    }
    guard trouble != .insufficient else {
      guard let profile, tokens[profile] == token else { return }
      _ = renew(renewal(of: profile))
      return
    }
    refused[token] = refused[token] ?? failure
    for profile in tokens.keys.sorted() where tokens[profile] == token {
      if !renew(renewal(of: profile)) { invalidate(profile, failure) }
    }
  }

  /// Schedules a profile's renewal; false if another one would not help.
  private mutating func renew(_ renewal: Renewal) -> Bool {
    if let index = renewals.firstIndex(where: { $0.profile == renewal.profile }) {
      if renewal.trouble == .refused { renewals[index] = renewal }
      return true
    }
    guard recovers, renewal.trouble != .blocked, !renewed.contains(renewal.profile),
      renewal.trouble == .refused || !unchanged.contains(renewal.profile)
    else { return false }
    renewals.append(renewal)
    return true
  }

  private mutating func invalidate(_ profile: String, _ failure: Failure) {
    tokens[profile] = nil
    failures[profile] = failure
  }

  mutating func wait(_ instance: Int, _ waiting: Waiting) { self.waiting[instance] = waiting }
  mutating func release(_ instance: Int) { waiting[instance] = nil }

  private static let noSource = "the token belongs to no profile, so it cannot be obtained again"
}
