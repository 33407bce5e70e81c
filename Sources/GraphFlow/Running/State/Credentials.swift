import GraphAPI
import JSONPath

/// What requests are sent with: the tokens of profiles, and the permissions of tokens.
///
/// A token is renewed once for everything that is sent with it. Permissions are prerequisites: they
/// are read once per token, before a request that needs them.
struct Credentials: Sendable {
  private let facts: RunFacts
  /// The tokens of profiles, and those that Graph refused.
  private(set) var tokens: ProfileTokens
  /// The permissions of tokens that were read.
  private var permissions = Permissions()
  /// Whether permissions are read only when a request that needs them is about to be sent.
  ///
  /// In a resumed run, no remaining request may need them.
  private(set) var readsLate = false

  init(_ facts: RunFacts) {
    self.facts = facts
    tokens = ProfileTokens(recovers: facts.recovers)
  }

  // MARK: - Tokens

  /// The token of an instance, if it can be used; `own` is what a reference selects.
  func standing(of own: AccessToken?, for instance: Int) -> ProfileTokens.Standing {
    own.map(tokens.standing(of:))
      ?? tokens.standing(of: facts.profile(of: instance) ?? facts.workflow.token)
  }

  /// The known tokens of instances that are about to be sent.
  func tokens(of instances: [Int], _ progress: RunProgress) -> Set<AccessToken> {
    // A request that shares its batch with one that it refers to is bound when it is sent.
    let own = instances.filter { facts.profile(of: $0) == nil }.compactMap {
      progress[$0].bound?.token ?? token(of: $0, progress)
    }
    return Set(own).union(tokensOfProfiles(of: instances))
  }

  /// The known tokens of the profiles that instances use.
  func tokensOfProfiles(of instances: some Sequence<Int>) -> Set<AccessToken> {
    Set(facts.profiles(of: instances).compactMap { tokens[$0] })
  }

  /// Whether the tokens of all profiles that instances use were obtained, or could not be.
  func areRead(of instances: [Int]) -> Bool {
    facts.profiles(of: instances).allSatisfy(tokens.isRead)
  }

  /// Records the result of a profile's source.
  mutating func record(
    _ token: Result<AccessToken, TokenUnavailable>, of profile: String, _ log: inout EventLog
  ) {
    if case .success(let token) = token { log.recordSecret(token) }
    guard let reading = tokens.record(token, of: profile) else { return }
    if reading.outcome == .renewed {
      permissions.forget(.profile(profile), replacedBy: tokens[profile])
    }
    log.append(.tokenRead(reading))
  }

  /// Records what a failed attempt means for its token.
  ///
  /// - Returns: Whether the instance has to wait for the token's recovery.
  mutating func recordFailure(
    _ failure: Failure, of instance: Int, with token: AccessToken, _ progress: inout RunProgress
  ) -> Bool {
    recordDenial(failure, instance, token, &progress)
    guard let trouble = TokenTrouble(failure) else { return false }
    recordTrouble(trouble, with: token, failure, of: facts.profile(of: instance), at: progress.time)
    return true
  }

  /// Records what an error means for a token.
  mutating func recordTrouble(
    _ trouble: TokenTrouble, with token: AccessToken, _ failure: Failure, of profile: String?,
    at time: Timestamp
  ) {
    tokens.recordTrouble(trouble, with: token, failure, of: profile, at: time)
  }

  /// Makes an instance wait until its profile's token was obtained again.
  mutating func wait(_ instance: Int, _ waiting: ProfileTokens.Waiting) {
    tokens.wait(instance, waiting)
  }

  /// Removes and returns the instances whose tokens are not renewed any more, in order.
  mutating func takeSettled() -> [(instance: Int, waiting: ProfileTokens.Waiting)] {
    let settled = tokens.waiting.sorted { $0.key < $1.key }.filter { instance, _ in
      facts.profile(of: instance).map(tokens.isRenewing) != true
    }
    for (instance, _) in settled { tokens.release(instance) }
    return settled.map { ($0.key, $0.value) }
  }

  // MARK: - Permissions of requests

  /// Why an instance is not sent: permissions that it needs are not granted; nil if all of them are.
  func skip(_ instance: Int, _ progress: RunProgress) -> Ending? {
    let needed = facts.request(of: instance).permissions
    guard !needed.isEmpty else { return nil }
    let missing = permissions.missing(
      of: needed, subject: subject(of: instance, progress), token: token(of: instance, progress))
    guard !missing.isEmpty else { return nil }
    let list = missing.map { "\($0.permission) (\($0.status))" }.joined(separator: ", ")
    return Ending(skipped: .permission, detail: list)
  }

  /// The note on an empty list whose edge needs permissions that were read in this run, and that are
  /// missing: Graph hides what a token may not see.
  func note(on body: ResponseBody, of instance: Int, _ progress: RunProgress) -> String? {
    let request = facts.request(of: instance)
    guard !permissions.isEmpty, request.method == .get, progress[instance].pages == nil,
      body.count <= Self.emptyListLength,
      EdgePath.mayEnd(request.path, inOneOf: EdgePermissions.edges),
      let row = EdgePermissions.row(of: request, EdgePath(request.path), in: facts.workflow),
      (try? body.json())?["data"]?.array?.isEmpty == true
    else { return nil }
    let missing = permissions.missing(
      of: row.anyOf.flatMap(\.self), subject: subject(of: instance, progress),
      token: token(of: instance, progress))
    let names = row.shortage { name in missing.contains { $0.permission == name } }
    guard let names else { return nil }
    let list = missing.filter { names.contains($0.permission) }.map { lacking in
      "\(lacking.permission) is \(lacking.status)"
    }
    return "the list is empty, and \(list.joined(separator: ", ")), which the edge needs: "
      + PermissionRequest.command(names, profile: facts.profile(of: instance) ?? "default")
  }

  /// The most bytes of an answer that may be an empty list.
  private static let emptyListLength = 1000

  /// Why the permissions that an instance needs cannot be read.
  func lookupFailure(of instance: Int, _ progress: RunProgress) -> Failure? {
    guard !facts.request(of: instance).permissions.isEmpty,
      let subject = subject(of: instance, progress)
    else { return nil }
    return permissions.failure(for: subject)
  }

  /// The subject whose permissions an instance needs, if they were not read yet.
  ///
  /// What cleans up after a stop is sent without a look-up.
  func awaitedSubject(of instance: Int, _ progress: RunProgress) -> Permissions.Subject? {
    guard !progress.verdict.startsOnlyCleanUp, !facts.request(of: instance).permissions.isEmpty,
      let subject = subject(of: instance, progress),
      permissions.lookups[subject] != nil || readsLate, !permissions.isKnown(subject)
    else { return nil }
    return subject
  }

  /// Makes an instance wait if its permissions were not read yet; returns whether it waits.
  mutating func waits(_ instance: Int, _ progress: RunProgress) -> Bool {
    guard let subject = awaitedSubject(of: instance, progress) else { return false }
    permissions.wait(instance, for: subject)
    return true
  }

  /// Removes and returns the instances that wait for permissions and must not be sent any more.
  mutating func release(_ isHeldBack: (Int) -> Bool) -> Set<Int> {
    let held = permissions.waitingInstances.filter(isHeldBack)
    permissions.release(held)
    return held
  }

  /// Records the permissions that a permission error names as missing, whatever was read before.
  ///
  /// Nothing more that needs them is sent with this token.
  private mutating func recordDenial(
    _ failure: Failure, _ instance: Int, _ token: AccessToken, _ progress: inout RunProgress
  ) {
    guard failure.reason == .permission else { return }
    let denied = permissions.recordDenial(of: failure.error.deniedPermissions, to: token)
    guard !denied.isEmpty else { return }
    let name = tokenName(of: instance, progress)
    progress.log.append(
      .permissionsRead(
        denied.map { PermissionReading(token: name, permission: $0, status: "missing") }))
    let isNeeded = facts.workflow.requests.contains {
      !Set(denied).isDisjoint(with: $0.permissions)
    }
    if facts.options.requiresPermissions && isNeeded { progress.verdict.stop() }
  }

  // MARK: - Lookups

  /// Starts to read permissions: those of the requests whose subjects depend on no item.
  mutating func begin(_ progress: inout RunProgress) {
    readsLate = progress.items.isResumed && !facts.options.requiresPermissions
    guard !readsLate else { return }
    for (index, request) in facts.workflow.requests.enumerated()
    where !request.permissions.isEmpty && !progress[index].isFinished
      && !facts.dependsOnItem(request)
    {
      scheduleLookup(for: index, &progress)
    }
  }

  /// Schedules the lookups for an item's instances.
  mutating func scheduleLookups(
    ofItem position: Int, of group: Int, _ progress: inout RunProgress
  ) {
    guard !readsLate else { return }
    for member in facts.workflow.groups[group].members
    where !facts.workflow.requests[member].permissions.isEmpty {
      let instance = facts.graph.instance(of: member, item: position)
      guard progress.items.isOpen(instance), !progress[instance].isFinished else { continue }
      if facts.dependsOnItem(facts.workflow.requests[member]) {
        scheduleLookup(for: instance, &progress)
      }
    }
  }

  /// Schedules the lookup for an instance, unless it is scheduled or finished.
  mutating func scheduleLookup(for instance: Int, _ progress: inout RunProgress) {
    let needed = facts.request(of: instance).permissions
    guard !needed.isEmpty, let subject = subject(of: instance, progress) else { return }
    var name = permissions.lookups[subject]?.name
    if case .profile(let profile) = subject { name = name ?? profile }
    let isNew = permissions.scheduleLookup(
      of: needed, for: subject, name: name ?? tokenName(of: instance, progress))
    if isNew, case .token(let token) = subject { progress.log.recordSecret(token) }
  }

  /// Whether permissions are still to be read.
  var hasLookups: Bool { !permissions.unread.isEmpty }

  /// When the next postponed lookup may be made; nil if none is postponed.
  var earliestLookup: Duration? { permissions.earliestRetry }

  /// What has to be done before requests can be checked for permissions.
  enum Prerequisite {
    case obtainToken(profile: String)
    case wait(until: Duration)
    case lookUp([(subject: Permissions.Subject, token: AccessToken)])
  }

  /// The next step before requests can be checked for permissions, if there is one.
  mutating func prerequisite(_ progress: inout RunProgress) -> Prerequisite? {
    guard !progress.verdict.startsOnlyCleanUp else { return nil }
    var batch: [(subject: Permissions.Subject, token: AccessToken)] = []
    let asked = permissions.unread
    for subject in asked where batch.count < facts.options.limits.width {
      switch standing(of: subject) {
      case .unusable(let failure): record(.unreadable(failure), of: subject, &progress)
      case .unread(let profile): return .obtainToken(profile: profile)
      case .usable(let token):
        if let time = permissions.lookups[subject]?.notBefore, time > progress.now {
          // With `--require-permissions` nothing is sent before all permissions are known.
          guard facts.options.requiresPermissions, batch.isEmpty else { continue }
          return .wait(until: time)
        }
        batch.append((subject, token))
      }
    }
    stopIfRequired(asked, &progress)
    return batch.isEmpty ? nil : .lookUp(batch)
  }

  /// A call that looks up permissions.
  mutating func lookup(
    of batch: some Sequence<(subject: Permissions.Subject, token: AccessToken)>, at now: Duration
  ) -> CallDraft {
    var draft = CallDraft(for: .permissions(batch.map(\.subject)))
    for (subject, token) in batch {
      guard let lookup = permissions.beginLookup(subject, about: token, at: now) else { continue }
      // A page's token cannot inspect itself; the app's token can inspect every token.
      let asking = lookup.endpoint == .inspection ? facts.context.appToken ?? token : token
      draft.operations.append(lookup.operation(about: token), with: asking, about: .me)
    }
    return draft
  }

  /// Handles the answers to lookups.
  mutating func handle(
    _ answered: AnsweredCall, to call: CallUnderWay, about subjects: [Permissions.Subject],
    _ progress: inout RunProgress, _ retries: inout Retries
  ) {
    for (index, subject) in subjects.enumerated() {
      let isInspection = permissions.lookups[subject]?.endpoint == .inspection
      let answer =
        isInspection
        ? PermissionAnswer(inspection: answered, operation: index, at: progress.time)
        : PermissionAnswer(list: answered, operation: index)
      switch answer {
      case .listed(let statuses):
        record(.listed(statuses), of: subject, &progress)
        report(statuses, of: subject, &progress.log)
      case .notListed where !isInspection: permissions.useInspection(for: subject)
      case .notListed: record(.notListed, of: subject, &progress)
      case .invalid(let failure): invalidate(subject, failure, &progress)
      case .failed(let failure):
        failLookup(subject, failure, answered, (index, call), &progress, &retries)
      }
    }
    stopIfRequired(subjects, &progress)
  }

  /// Retries a failed lookup later or with another token, or records its failure.
  private mutating func failLookup(
    _ subject: Permissions.Subject, _ failure: Failure, _ answered: AnsweredCall,
    _ place: (index: Int, call: CallUnderWay), _ progress: inout RunProgress,
    _ retries: inout Retries
  ) {
    let token = place.call.token(ofItem: place.index)
    if TokenTrouble(failure) != nil {
      // The batch was refused because of another token: this lookup is repeated without it.
      if answered.isRefusal && token != place.call.token(ofItem: 0) { return }
      if token == usableToken(of: subject) {
        return invalidate(subject, failure, &progress)
      }
      // Graph refused the app's token.
      return record(.notListed, of: subject, &progress)
    }
    let decision = retries.decision(
      after: failure, ofLookup: permissions.lookups[subject]?.attempts ?? AttemptHistory(),
      atLeast: answered.serverDelay(forOperation: place.index), at: progress.now)
    guard case .retry(let delay, let isCounted) = decision, !isCounted || retries.areAllowed else {
      return record(.unreadable(failure), of: subject, &progress)
    }
    permissions.retryLookup(of: subject, at: progress.now + delay, isCounted: isCounted)
  }

  /// Handles a token that Graph refused: it is obtained again, or nothing more is sent with it.
  private mutating func invalidate(
    _ subject: Permissions.Subject, _ failure: Failure, _ progress: inout RunProgress
  ) {
    guard let trouble = TokenTrouble(failure), trouble != .insufficient,
      let token = usableToken(of: subject)
    else { return record(.unreadable(failure), of: subject, &progress) }
    // If there is no other token, the next attempt of the lookup finds that.
    recordTrouble(trouble, with: token, failure, of: nil, at: progress.time)
  }

  /// Whether something can be sent with the token of a subject.
  private func standing(of subject: Permissions.Subject) -> ProfileTokens.Standing {
    switch subject {
    case .profile(let profile): tokens.standing(of: profile)
    case .token(let token): tokens.standing(of: token)
    }
  }

  /// The token of a subject, if something can be sent with it.
  private func usableToken(of subject: Permissions.Subject) -> AccessToken? {
    guard case .usable(let token) = standing(of: subject) else { return nil }
    return token
  }

  /// Records the result of a lookup, and frees the instances that waited for it.
  private mutating func record(
    _ grants: Permissions.Grants, of subject: Permissions.Subject, _ progress: inout RunProgress
  ) {
    let waiting = permissions.record(grants, of: subject)
    progress.unblock(waiting.filter { progress.items.isOpen($0) && progress.isFree($0) })
  }

  /// With `--require-permissions`, stops the run if a permission is missing.
  private func stopIfRequired(_ subjects: [Permissions.Subject], _ progress: inout RunProgress) {
    guard facts.options.requiresPermissions else { return }
    for subject in subjects {
      let needed = permissions.lookups[subject]?.permissions ?? []
      let isUnreadable = permissions.failure(for: subject) != nil
      let missing = permissions.missing(of: needed, subject: subject, token: nil)
      if isUnreadable || !missing.isEmpty { progress.verdict.stop() }
    }
  }

  private func report(
    _ statuses: [String: String], of subject: Permissions.Subject, _ log: inout EventLog
  ) {
    guard let lookup = permissions.lookups[subject] else { return }
    log.append(
      .permissionsRead(
        lookup.permissions.map { permission in
          PermissionReading(
            token: lookup.name, permission: permission, status: statuses[permission] ?? "missing")
        }))
  }
}
