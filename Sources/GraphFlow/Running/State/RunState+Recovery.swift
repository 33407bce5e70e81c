package import GraphAPI
import JSONPath

/// Recoverable errors: one recovery per token, for everything that is sent with it.
extension RunState {
  /// Handles the result of ``Action/obtainToken(profile:)``.
  package mutating func handleToken(
    _ token: Result<AccessToken, TokenUnavailable>, forProfile profile: String
  ) {
    if case .success(let token) = token {
      mask.record(token)
      pace.pacer.register(token)
    }
    guard let reading = tokens.record(token, of: profile) else { return }
    if reading.outcome == .renewed {
      permissions.forget(.profile(profile), replacedBy: tokens[profile])
    }
    events.append(.tokenRead(reading))
  }

  /// Records what a failed attempt means for its token.
  ///
  /// - Returns: the token, if the instance has to wait for its recovery.
  mutating func recordTokenFailure(
    from failure: Failure, _ instance: Int, with token: AccessToken, at now: Duration
  ) -> AccessToken? {
    recordDenial(from: failure, instance, token)
    guard let trouble = TokenTrouble(failure) else { return nil }
    recordTokenTrouble(trouble, with: token, failure, of: profile(of: instance), at: now)
    return token
  }

  /// Records what an error means for a token.
  mutating func recordTokenTrouble(
    _ trouble: TokenTrouble, with token: AccessToken, _ failure: Failure, of profile: String?,
    at now: Duration
  ) { tokens.recordTrouble(trouble, with: token, failure, of: profile, at: wallClock(at: now)) }

  /// Makes an instance wait until its profile's token was obtained again.
  mutating func awaitRecovery(_ instance: Int, _ waiting: ProfileTokens.Waiting) {
    instances[instance].phase = .recovering
    tokens.wait(instance, waiting)
  }

  /// Sends the waiting instances again that have another token now, and ends those without one.
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
        let time = retryTime(of: instance, after: failure, atLeast: waiting.serverDelay, at: now)
      {
        postpone(instance, until: time)
      } else {
        completeInstance(instance, ending, code: waiting.code, at: now)
      }
    }
  }

  /// Schedules a check again that failed because of a token; false if there is no other token.
  mutating func retryCheck(
    of instance: Int, after failure: Failure, _ answered: AnsweredCall,
    _ place: (index: Int, call: CallUnderWay), at now: Duration
  ) -> Bool {
    guard let trouble = TokenTrouble(failure), var doubt = instances[instance].doubt,
      let token = place.call.token(ofItem: place.index)
    else { return false }
    if !answered.isRefusal || token == place.call.token(ofItem: 0) {
      let profile = profile(of: instance)
      recordTokenTrouble(trouble, with: token, failure, of: profile, at: now)
      guard tokens.mayReplace(token, of: profile) else { return false }
    }
    doubt.step = .scheduled(at: now)
    instances[instance].phase = .doubtful(doubt)
    return true
  }
}

/// Registers secrets where they are created or found, before they can reach a journal or report.
extension RunState {
  /// Registers the secrets that are known before the run: the app's secret and token, and inputs.
  mutating func recordInitialSecrets() {
    if let secret = context.appSecret { mask.record(secret) }
    if let token = context.appToken { mask.record(token) }
    for name in inputs.secretNames {
      // A short one occurs in too many texts by chance; it is registered when it is sent as a token.
      if let text = inputs[name]?.string, text.utf8.count >= 8 { mask.record(text) }
    }
    for value in inputs.all { mask.record(from: value) }
    for token in marks.tokens(ofInputs: inputs) { mask.record(token) }
  }

  /// Registers the secrets of an answer: values with a secret's name, and those used as tokens.
  mutating func recordSecrets(in body: [UInt8], of request: Int) {
    if Redaction.mayContainSecret(body), let value = try? JSON(parsing: body) {
      mask.record(from: value)
    }
    for token in marks.tokens(ofAnswer: body, to: request) { mask.record(token) }
  }

  /// Registers the secrets of an item.
  mutating func recordSecrets(ofItem value: JSON, in group: Int) {
    mask.record(from: value)
    for token in marks.tokens(ofItem: value, in: group) { mask.record(token) }
  }

  /// Returns the secrets that were registered since the last call.
  package mutating func takeSecrets() -> [String] { mask.takeNewSecrets() }
}
