package import GraphAPI

/// Recoverable errors: one recovery a token, for everything that is sent with it.
extension RunState {
  /// Hands in what came of ``Action/obtainToken(profile:)``.
  package mutating func receive(
    _ token: Result<AccessToken, TokenUnavailable>,
    forProfile profile: String
  ) {
    if case .success(let token) = token {
      mask.record(token)
      pace.pacer.expect(token)
    }
    guard let reading = tokens.receive(token, of: profile) else { return }
    if reading.outcome == .renewed {
      permissions.forget(.profile(profile), replacedBy: tokens[profile])
    }
    events.append(.tokenRead(reading))
  }

  /// Learns from a failed attempt what its token is not good for.
  ///
  /// - Returns: the token, if the instance has to wait for what becomes of it.
  mutating func record(
    from failure: Failure,
    _ instance: Int,
    with token: AccessToken,
    at now: Duration
  ) -> AccessToken? {
    recordDenial(from: failure, instance, token)
    guard let trouble = TokenTrouble(failure) else { return nil }
    note(trouble, with: token, failure, of: profile(of: instance), at: now)
    return token
  }

  /// Notes what an error says of a token.
  mutating func note(
    _ trouble: TokenTrouble,
    with token: AccessToken,
    _ failure: Failure,
    of profile: String?,
    at now: Duration
  ) {
    tokens.note(trouble, with: token, failure, of: profile, at: wallClock(at: now))
  }

  /// Lets an instance wait until its profile's source has been asked again.
  mutating func awaitRecovery(_ instance: Int, _ waiting: ProfileTokens.Waiting) {
    instances[instance].phase = .recovering
    tokens.wait(instance, waiting)
  }

  /// Sends again what has another token now, and ends what will never have one.
  mutating func settleRecoveries(at now: Duration) {
    for (instance, waiting) in tokens.waiting.sorted(by: { $0.key < $1.key }) {
      let profile = profile(of: instance)
      if let profile, tokens.isRenewing(profile) { continue }
      tokens.release(instance)
      if tokens.mayReplace(waiting.token, of: profile) {
        instances[instance].attempts.refund(.anotherToken)
        postpone(instance, until: now)
        continue
      }
      var ending = waiting.ending
      ending.failure = ending.failure.map {
        tokens.finalFailure($0, with: waiting.token, of: profile)
      }
      if let failure = ending.failure, !tokens.isRefused(waiting.token),
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
  mutating func retryCheck(
    of instance: Int,
    after failure: Failure,
    _ answered: AnsweredCall,
    _ place: (index: Int, call: CallUnderWay),
    at now: Duration
  ) -> Bool {
    guard let trouble = TokenTrouble(failure), var doubt = instances[instance].doubt,
      let token = place.call.token(ofItem: place.index)
    else { return false }
    if !answered.isRefusal || token == place.call.token(ofItem: 0) {
      let profile = profile(of: instance)
      note(trouble, with: token, failure, of: profile, at: now)
      guard tokens.mayReplace(token, of: profile) else { return false }
    }
    doubt.step = .scheduled(at: now)
    instances[instance].phase = .doubtful(doubt)
    return true
  }
}
