import GraphAPI
import JSONPath

/// Permissions are prerequisites: they are read once a token, before what needs them is sent.
extension RunState {
  /// What has to be done before requests can be judged, if anything.
  mutating func prerequisite(at now: Duration) -> Action? {
    guard !isStopped else { return nil }
    var batch: [(subject: Permissions.Subject, token: AccessToken)] = []
    let asked = permissions.unread
    for subject in asked where batch.count < options.limits.width {
      switch standing(of: subject) {
      case .unusable(let failure): recordPermissions(.unreadable(failure), of: subject)
      case .unread(let profile): return .obtainToken(profile: profile)
      case .usable(let token):
        if let time = permissions.lookups[subject]?.notBefore, time > now {
          // Everything stops where nothing may be sent before all is known.
          guard options.requiresPermissions, batch.isEmpty else { continue }
          return wait(until: time, from: now)
        }
        batch.append((subject, token))
      }
    }
    stopIfRequired(asked)
    guard !batch.isEmpty else { return nil }
    guard let count = allowedOperations(for: Set(batch.map(\.token)), at: now) else {
      return endHold(at: now)
    }
    return look(at: Array(batch.prefix(count)), at: now).map(Action.send)
  }

  /// Whether something can be sent with the token that is asked about.
  private func standing(of subject: Permissions.Subject) -> ProfileTokens.Standing {
    switch subject {
    case .profile(let profile): tokens.standing(of: profile)
    case .token(let token): tokens.standing(of: token)
    }
  }

  /// Starts a call that asks about tokens; nil if there are none.
  private mutating func look(
    at batch: [(subject: Permissions.Subject, token: AccessToken)],
    at now: Duration
  ) -> Call? {
    var operations: [BoundOperation] = []
    for (subject, token) in batch {
      guard let lookup = permissions.begin(subject, about: token, at: now) else { continue }
      // A page's token cannot ask about itself; the app's own can ask about all.
      let asking = lookup.way == .inspection ? context.appToken ?? token : token
      operations.append((lookup.operation(about: token), asking))
    }
    return startCall(operations, for: .permissions(batch.map(\.subject)), at: now)
  }

  /// When the next look-up is made that was put off; nil if none was.
  var earliestLookup: Duration? { isStopped ? nil : permissions.earliestRetry }

  /// Hands in the answers to look-ups.
  mutating func handlePermissionResults(
    _ answered: AnsweredCall,
    _ subjects: [Permissions.Subject],
    _ call: CallUnderWay,
    at now: Duration
  ) {
    for (index, subject) in subjects.enumerated() {
      let way = permissions.lookups[subject]?.way
      let answer =
        switch way {
        case .inspection:
          PermissionAnswer(inspection: answered, operation: index, at: wallClock(at: now))
        default: PermissionAnswer(list: answered, operation: index)
        }
      switch answer {
      case .listed(let statuses):
        recordPermissions(.listed(statuses), of: subject)
        noteReadings(of: subject, statuses)
      case .notListed where way == .list: permissions.inspect(subject)
      case .notListed: recordPermissions(.notListed, of: subject)
      case .invalid(let failure): invalidate(subject, failure, at: now)
      case .failed(let failure):
        failPermissionLookup(subject, failure, answered, (index, call), at: now)
      }
    }
    stopIfRequired(subjects)
  }

  /// Asks again later or with another token, or gives up.
  private mutating func failPermissionLookup(
    _ subject: Permissions.Subject,
    _ failure: Failure,
    _ answered: AnsweredCall,
    _ place: (index: Int, call: CallUnderWay),
    at now: Duration
  ) {
    let token = place.call.token(ofItem: place.index)
    if TokenTrouble(failure) != nil {
      // The batch was refused for the sake of another token: asked again without it.
      if answered.isRefusal && token != place.call.token(ofItem: 0) { return }
      if token == self.subject(of: subject) { return invalidate(subject, failure, at: now) }
      // It is the app's token that is not taken.
      return recordPermissions(.notListed, of: subject)
    }
    let decision = RetryPolicy.standard.decision(
      after: failure,
      of: permissions.lookups[subject]?.attempts ?? AttemptHistory(),
      atLeast: answered.serverDelay(forOperation: place.index),
      at: now,
      using: &generator
    )
    guard case .retry(let delay, let isCounted) = decision, !isCounted || tally.allowsRetry else {
      return recordPermissions(.unreadable(failure), of: subject)
    }
    permissions.retry(subject, at: now + delay, isCounted: isCounted)
  }

  /// The token is not taken: its source is asked again, or nothing more is sent with it.
  private mutating func invalidate(
    _ subject: Permissions.Subject,
    _ failure: Failure,
    at now: Duration
  ) {
    guard let trouble = TokenTrouble(failure), trouble != .insufficient,
      let token = self.subject(of: subject)
    else { return recordPermissions(.unreadable(failure), of: subject) }
    // That it is refused for good is found when it is to be asked about the next time.
    recordTokenTrouble(trouble, with: token, failure, of: nil, at: now)
  }

  /// The token that a look-up is about.
  private func subject(of subject: Permissions.Subject) -> AccessToken? {
    guard case .usable(let token) = standing(of: subject) else { return nil }
    return token
  }

  /// Notes what is known of a token, and frees what waited for that.
  private mutating func recordPermissions(
    _ knowledge: Permissions.Knowledge,
    of subject: Permissions.Subject
  ) {
    let waiting = permissions.note(knowledge, of: subject)
    unblocked += waiting.filter { isOpen($0) && packer.isFree($0) }
  }

  /// Whether an instance needs permissions that are yet to be read.
  func awaitsPermissions(_ instance: Int) -> Permissions.Subject? {
    guard !request(of: instance).permissions.isEmpty, let subject = subject(of: instance),
      permissions.lookups[subject] != nil || readsPermissionsLate, !permissions.isKnown(subject)
    else { return nil }
    return subject
  }

  /// The permissions that an instance needs and has not.
  func lackingPermissions(of instance: Int) -> [Permissions.Lack] {
    let needed = request(of: instance).permissions
    guard !needed.isEmpty else { return [] }
    return permissions.lacking(needed, subject: subject(of: instance), token: token(of: instance))
  }

  /// A permission error tells what a token lacks, whatever was read before: nothing more that needs
  /// it is sent with this token.
  mutating func recordDenial(from failure: Failure, _ instance: Int, _ token: AccessToken) {
    guard failure.reason == .permission else { return }
    let news = permissions.deny(failure.error.deniedPermissions, to: token)
    guard !news.isEmpty else { return }
    let name = tokenName(of: instance)
    events.append(
      .permissionsRead(
        news.map { PermissionReading(token: name, permission: $0, status: "missing") }
      )
    )
    let isNeeded = workflow.requests.contains { !Set(news).isDisjoint(with: $0.permissions) }
    if options.requiresPermissions && isNeeded { isStopped = true }
  }

  /// `--require-permissions`: one that is missing stops the whole run before it sends anything.
  private mutating func stopIfRequired(_ subjects: [Permissions.Subject]) {
    guard options.requiresPermissions else { return }
    for subject in subjects {
      let needed = permissions.lookups[subject]?.permissions ?? []
      let isUnreadable = permissions.failure(for: subject) != nil
      let lacking = permissions.lacking(needed, subject: subject, token: nil)
      if isUnreadable || !lacking.isEmpty { isStopped = true }
    }
  }

  private mutating func noteReadings(
    of subject: Permissions.Subject,
    _ statuses: [String: String]
  ) {
    guard let lookup = permissions.lookups[subject] else { return }
    events.append(
      .permissionsRead(
        lookup.permissions.map { permission in
          PermissionReading(
            token: lookup.name,
            permission: permission,
            status: statuses[permission] ?? "missing"
          )
        }
      )
    )
  }
}
