public import GraphAPI

/// Recoverable errors: one recovery a token, for everything that is sent with it.
extension RunState {
  /// The profile whose source has to be asked, again, before anything more is sent.
  mutating func tokenToObtainAnew(at now: Duration) -> String? {
    guard let due = recovery.due.first else { return nil }
    recoveredAt = wallClock(at: now)
    return due.profile
  }

  /// Hands in what came of ``Action/obtainToken(profile:)``.
  public mutating func receive(
    _ token: Result<AccessToken, TokenUnavailable>,
    forProfile profile: String
  ) {
    if case .success(let token) = token {
      mask.learn(token)
      pacer.expect(token)
    }
    if let due = recovery.takeDue(profile) {
      receive(token, insteadOf: due)
      return
    }
    switch token {
    case .success(let token):
      if let failure = recovery.refused[token] {
        // Another profile has the same one.
        tokenFailures[profile] = failure
      } else {
        tokens[profile] = token
      }
    case .failure(let problem):
      tokenFailures[profile] = Failure(
        error: GraphError(message: problem.message),
        category: .recoverable,
        reason: .token,
        hint: problem.hint
      )
    }
  }

  /// Judges what the source has given the second time.
  private mutating func receive(
    _ token: Result<AccessToken, TokenUnavailable>,
    insteadOf due: TokenRecovery.Due
  ) {
    let profile = due.profile
    let outcome: TokenReading.Outcome
    var remark = "the profile '\(profile)' gives the same token again"
    switch token {
    case .success(let token) where token != due.token && recovery.refused[token] == nil:
      outcome = .renewed
      tokens[profile] = token
      tokenFailures[profile] = nil
      forgetPermissions(of: .profile(profile))
    case .success: outcome = .unchanged
    case .failure(let problem):
      outcome = .unavailable
      remark = problem.message
    }
    recovery.note(outcome, of: profile)
    events.append(
      .tokenRead(
        TokenReading(
          profile: profile,
          outcome: outcome,
          at: recoveredAt ?? identity.startedAt,
          failure: due.failure
        )
      )
    )
    if outcome != .renewed, let failure = recovery.refused[due.token] {
      bury(profile, failure, remark)
    }
  }

  /// Nothing more is sent with a profile's token.
  private mutating func bury(_ profile: String, _ failure: Failure, _ remark: String?) {
    tokens[profile] = nil
    tokenFailures[profile] = remark.map { failure.adding($0) } ?? failure
  }

  /// Notes what an error says of a token.
  ///
  /// - Parameters:
  ///   - trouble: what it says.
  ///   - token: the token.
  ///   - failure: the error.
  ///   - profile: the profile whose request it was, if its token has one.
  mutating func note(
    _ trouble: TokenTrouble,
    with token: AccessToken,
    _ failure: Failure,
    of profile: String?
  ) {
    guard trouble != .insufficient else {
      guard let profile, tokens[profile] == token else { return }
      _ = recovery.ask(
        TokenRecovery.Due(profile: profile, token: token, trouble: trouble, failure: failure)
      )
      return
    }
    recovery.refuse(token, failure)
    for profile in tokens.keys.sorted() where tokens[profile] == token {
      let due = TokenRecovery.Due(
        profile: profile,
        token: token,
        trouble: trouble,
        failure: failure
      )
      if !recovery.ask(due) { bury(profile, failure, nil) }
    }
  }

  /// Learns from a failed attempt what its token is not good for.
  ///
  /// - Returns: the token, if the instance has to wait for what becomes of it.
  mutating func learn(
    from failure: Failure,
    _ instance: Int,
    with token: AccessToken
  ) -> AccessToken? {
    learnDenial(from: failure, instance, token)
    guard let trouble = TokenTrouble(failure) else { return nil }
    note(trouble, with: token, failure, of: profile(of: instance))
    return token
  }

  /// Whether an instance that failed with a token may get another one.
  func mayGetAnotherToken(_ instance: Int, than token: AccessToken) -> Bool {
    guard let profile = profile(of: instance) else { return false }
    return recovery.isDue(profile) || tokens[profile].map { $0 != token } == true
  }

  /// What an instance ends with that failed with a token for which there is no other.
  func lastWord(of instance: Int, _ failure: Failure, _ token: AccessToken) -> Failure {
    guard recovery.refused[token] != nil else { return failure }
    if let profile = profile(of: instance) { return tokenFailures[profile] ?? failure }
    return failure.adding("the token is not a profile's, so it cannot be obtained anew")
  }

  /// Lets an instance wait until its profile's source has been asked again.
  mutating func awaitRecovery(_ instance: Int, _ waiting: TokenRecovery.Waiting) {
    instances[instance].phase = .recovering
    recovery.hold(instance, waiting)
  }

  /// Sends again what has another token now, and ends what will never have one.
  mutating func settleRecoveries(at now: Duration) {
    for (instance, waiting) in recovery.waiting.sorted(by: { $0.key < $1.key }) {
      if let profile = profile(of: instance), recovery.isDue(profile) { continue }
      recovery.release(instance)
      if mayGetAnotherToken(instance, than: waiting.token) {
        instances[instance].attempts.refund(.anotherToken)
        postpone(instance, until: now)
        continue
      }
      var ending = waiting.ending
      ending.failure = ending.failure.map { lastWord(of: instance, $0, waiting.token) }
      if let failure = ending.failure, recovery.refused[waiting.token] == nil,
        let time = retryTime(
          of: instance,
          after: failure,
          atLeast: waiting.serverDelay,
          at: now
        )
      {
        postpone(instance, until: time)
      } else {
        end(instance, ending, code: waiting.code, at: now)
      }
    }
  }

  /// Whether a look that failed for the sake of a token is made again with another one.
  mutating func looksAgain(
    _ instance: Int,
    after failure: Failure,
    _ answered: AnsweredCall,
    _ place: (index: Int, call: CallUnderWay),
    at now: Duration
  ) -> Bool {
    guard let trouble = TokenTrouble(failure), var doubt = instances[instance].doubt,
      let token = place.call.token(ofItem: place.index)
    else { return false }
    if !answered.isRefusal || token == place.call.token(ofItem: 0) {
      note(trouble, with: token, failure, of: profile(of: instance))
      guard mayGetAnotherToken(instance, than: token) else { return false }
    }
    doubt.step = .due(at: now)
    instances[instance].phase = .doubtful(doubt)
    return true
  }
}

extension Failure {
  /// The failure with one more sentence in its hint.
  fileprivate func adding(_ remark: String) -> Failure {
    var failure = self
    failure.hint = hint.isEmpty ? remark : "\(hint) (\(remark))"
    return failure
  }
}
