import GraphAPI

/// Which token each profile has, which tokens Graph refused, and whose sources are asked again.
///
/// Each profile's source is asked again once: a token that is refused a second time, or that the
/// source gives again, is not used any more. A token without a profile has no source, so it is not
/// used any more once it is refused.
struct ProfileTokens: Sendable {
  /// Whether something can be sent with a token.
  enum Standing: Sendable {
    case usable(AccessToken)
    /// The profile's source was not asked yet.
    case unread(profile: String)
    case unusable(Failure)
  }

  /// A profile whose source has to be asked again.
  private struct Renewal: Sendable {
    let profile: String
    /// The token that is to be replaced.
    let token: AccessToken
    let trouble: TokenTrouble
    let failure: Failure
    /// When that was found.
    let foundAt: Timestamp
  }

  /// An instance that waits for another token.
  struct Waiting: Sendable {
    /// The token with which it failed.
    let token: AccessToken
    /// How it ends if there is no other.
    let ending: Ending
    let code: Int?
    /// How long the server wants to be left alone.
    let serverDelay: Duration?
  }

  /// The token of each profile that has one.
  private var tokens: [String: AccessToken] = [:]
  /// Why profiles have none.
  private var failures: [String: Failure] = [:]
  /// Why Graph refused a token, for each that it did.
  private var refused: [AccessToken: Failure] = [:]
  /// The sources that are asked again, in order.
  private var renewals: [Renewal] = []
  /// The profiles that have their second token.
  private var renewed: Set<String> = []
  /// The profiles whose sources were asked again though their tokens were good.
  private var unchanged: Set<String> = []
  /// The instances that wait for a source.
  private(set) var waiting: [Int: Waiting] = [:]

  /// The token of a profile; nil as long as it has none.
  subscript(profile: String) -> AccessToken? { tokens[profile] }

  /// Whether something can be sent with a profile's token.
  func standing(of profile: String) -> Standing {
    if let failure = failures[profile] { return .unusable(failure) }
    return tokens[profile].map { .usable($0) } ?? .unread(profile: profile)
  }

  /// Whether something can be sent with a token that is no profile's.
  func standing(of token: AccessToken) -> Standing {
    refused[token].map { .unusable($0.adding(Self.noSource)) } ?? .usable(token)
  }

  /// Whether a profile's token is here, or known not to come.
  func isRead(_ profile: String) -> Bool {
    tokens[profile] != nil || failures[profile] != nil
  }

  /// Whether Graph does not take a token.
  func isRefused(_ token: AccessToken) -> Bool { refused[token] != nil }

  /// The profile whose source has to be asked again before anything more is sent.
  var profileToRenew: String? { renewals.first?.profile }

  /// Whether a profile's source is asked again.
  func isRenewing(_ profile: String) -> Bool {
    renewals.contains { $0.profile == profile }
  }

  /// Whether something that failed with a token may be sent with another one.
  func mayReplace(_ token: AccessToken, of profile: String?) -> Bool {
    guard let profile else { return false }
    return isRenewing(profile) || tokens[profile].map { $0 != token } == true
  }

  /// The failure of something that was sent with a token for which there is no other.
  func finalFailure(_ failure: Failure, with token: AccessToken, of profile: String?) -> Failure {
    guard isRefused(token) else { return failure }
    guard let profile else { return failure.adding(Self.noSource) }
    return failures[profile] ?? failure
  }

  /// Takes what a profile's source has given.
  ///
  /// - Returns: what that means for the run, if the source was asked again.
  mutating func receive(
    _ result: Result<AccessToken, TokenUnavailable>,
    of profile: String
  ) -> TokenReading? {
    guard let index = renewals.firstIndex(where: { $0.profile == profile }) else {
      receiveFirst(result, of: profile)
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
      profile: profile,
      outcome: outcome,
      at: renewal.foundAt,
      failure: renewal.failure
    )
  }

  private mutating func receiveFirst(
    _ result: Result<AccessToken, TokenUnavailable>,
    of profile: String
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
        error: GraphError(message: problem.message),
        category: .recoverable,
        reason: .token,
        hint: problem.hint
      )
    }
  }

  /// Notes what an error says of a token.
  ///
  /// - Parameters:
  ///   - trouble: what it says.
  ///   - token: the token.
  ///   - failure: the error.
  ///   - profile: the profile whose request it was, if its token has one.
  ///   - time: when the error was received.
  mutating func note(
    _ trouble: TokenTrouble,
    with token: AccessToken,
    _ failure: Failure,
    of profile: String?,
    at time: Timestamp
  ) {
    func renewal(of profile: String) -> Renewal {
      Renewal(
        profile: profile,
        token: token,
        trouble: trouble,
        failure: failure,
        foundAt: time
      )
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

  /// Has a profile's source asked again; false if it was, as far as that could help.
  private mutating func renew(_ renewal: Renewal) -> Bool {
    if let index = renewals.firstIndex(where: { $0.profile == renewal.profile }) {
      if renewal.trouble == .refused { renewals[index] = renewal }
      return true
    }
    guard renewal.trouble != .blocked, !renewed.contains(renewal.profile),
      renewal.trouble == .refused || !unchanged.contains(renewal.profile)
    else { return false }
    renewals.append(renewal)
    return true
  }

  /// Nothing more is sent with a profile's token.
  private mutating func invalidate(_ profile: String, _ failure: Failure) {
    tokens[profile] = nil
    failures[profile] = failure
  }

  /// Lets an instance wait until its profile's source was asked again.
  mutating func wait(_ instance: Int, _ waiting: Waiting) {
    self.waiting[instance] = waiting
  }

  /// Lets an instance wait no longer.
  mutating func release(_ instance: Int) {
    waiting[instance] = nil
  }

  private static let noSource = "the token is not a profile's, so it cannot be obtained anew"
}

extension Failure {
  /// The failure with one more sentence in its hint.
  fileprivate func adding(_ remark: String) -> Failure {
    var failure = self
    failure.hint = hint.isEmpty ? remark : "\(hint) (\(remark))"
    return failure
  }
}
