import GraphAPI
import JSONPath

/// Permissions are prerequisites: they are read once per token, before a request that needs them.
extension RunState {
  /// The next action before requests can be checked for permissions, if there is one.
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
          // With `--require-permissions` nothing is sent before all permissions are known.
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
    return startLookups(Array(batch.prefix(count)), at: now).map(Action.send)
  }

  /// Whether something can be sent with the token of a subject.
  private func standing(of subject: Permissions.Subject) -> ProfileTokens.Standing {
    switch subject {
    case .profile(let profile): tokens.standing(of: profile)
    case .token(let token): tokens.standing(of: token)
    }
  }

  /// Starts a call that looks up permissions; nil if there is nothing to look up.
  private mutating func startLookups(
    _ batch: [(subject: Permissions.Subject, token: AccessToken)], at now: Duration
  ) -> Call? {
    var operations: [BoundOperation] = []
    for (subject, token) in batch {
      guard let lookup = permissions.beginLookup(subject, about: token, at: now) else { continue }
      // A page's token cannot inspect itself; the app's token can inspect every token.
      let asking = lookup.endpoint == .inspection ? context.appToken ?? token : token
      operations.append((lookup.operation(about: token), asking))
    }
    return startCall(operations, for: .permissions(batch.map(\.subject)), at: now)
  }

  /// When the next postponed lookup may be made; nil if none is postponed.
  var earliestLookup: Duration? { isStopped ? nil : permissions.earliestRetry }

  /// Handles the answers to lookups.
  mutating func handlePermissionResults(
    _ answered: AnsweredCall, _ subjects: [Permissions.Subject], _ call: CallUnderWay,
    at now: Duration
  ) {
    for (index, subject) in subjects.enumerated() {
      let isInspection = permissions.lookups[subject]?.endpoint == .inspection
      let answer =
        isInspection
        ? PermissionAnswer(inspection: answered, operation: index, at: wallClock(at: now))
        : PermissionAnswer(list: answered, operation: index)
      switch answer {
      case .listed(let statuses):
        recordPermissions(.listed(statuses), of: subject)
        reportPermissions(of: subject, statuses)
      case .notListed where !isInspection: permissions.useInspection(for: subject)
      case .notListed: recordPermissions(.notListed, of: subject)
      case .invalid(let failure): invalidate(subject, failure, at: now)
      case .failed(let failure):
        failPermissionLookup(subject, failure, answered, (index, call), at: now)
      }
    }
    stopIfRequired(subjects)
  }

  /// Retries a failed lookup later or with another token, or records its failure.
  private mutating func failPermissionLookup(
    _ subject: Permissions.Subject, _ failure: Failure, _ answered: AnsweredCall,
    _ place: (index: Int, call: CallUnderWay), at now: Duration
  ) {
    let token = place.call.token(ofItem: place.index)
    if TokenTrouble(failure) != nil {
      // The batch was refused because of another token: this lookup is repeated without it.
      if answered.isRefusal && token != place.call.token(ofItem: 0) { return }
      if token == usableToken(of: subject) { return invalidate(subject, failure, at: now) }
      // Graph refused the app's token.
      return recordPermissions(.notListed, of: subject)
    }
    let decision = RetryPolicy.standard.decision(
      after: failure, of: permissions.lookups[subject]?.attempts ?? AttemptHistory(),
      atLeast: answered.serverDelay(forOperation: place.index), at: now, using: &generator)
    guard case .retry(let delay, let isCounted) = decision, !isCounted || tally.allowsRetry else {
      return recordPermissions(.unreadable(failure), of: subject)
    }
    permissions.retryLookup(of: subject, at: now + delay, isCounted: isCounted)
  }

  /// Handles a token that Graph refused: it is obtained again, or nothing more is sent with it.
  private mutating func invalidate(
    _ subject: Permissions.Subject, _ failure: Failure, at now: Duration
  ) {
    guard let trouble = TokenTrouble(failure), trouble != .insufficient,
      let token = usableToken(of: subject)
    else { return recordPermissions(.unreadable(failure), of: subject) }
    // If there is no other token, the next attempt of the lookup finds that.
    recordTokenTrouble(trouble, with: token, failure, of: nil, at: now)
  }

  /// The token of a subject, if something can be sent with it.
  private func usableToken(of subject: Permissions.Subject) -> AccessToken? {
    guard case .usable(let token) = standing(of: subject) else { return nil }
    return token
  }

  /// Records the result of a lookup, and frees the instances that waited for it.
  private mutating func recordPermissions(
    _ grants: Permissions.Grants, of subject: Permissions.Subject
  ) {
    let waiting = permissions.record(grants, of: subject)
    unblocked += waiting.filter { isOpen($0) && packer.isFree($0) }
  }

  /// The subject whose permissions an instance needs, if they were not read yet.
  func awaitsPermissions(_ instance: Int) -> Permissions.Subject? {
    guard !request(of: instance).permissions.isEmpty, let subject = subject(of: instance),
      permissions.lookups[subject] != nil || readsPermissionsLate, !permissions.isKnown(subject)
    else { return nil }
    return subject
  }

  /// The permissions that an instance needs and that are not granted.
  func missingPermissions(of instance: Int) -> [Permissions.Missing] {
    let needed = request(of: instance).permissions
    guard !needed.isEmpty else { return [] }
    return permissions.missing(
      of: needed, subject: subject(of: instance), token: token(of: instance))
  }

  /// Records the permissions that a permission error names as missing, whatever was read before.
  ///
  /// Nothing more that needs them is sent with this token.
  mutating func recordDenial(from failure: Failure, _ instance: Int, _ token: AccessToken) {
    guard failure.reason == .permission else { return }
    let denied = permissions.recordDenial(of: failure.error.deniedPermissions, to: token)
    guard !denied.isEmpty else { return }
    let name = tokenName(of: instance)
    events.append(
      .permissionsRead(
        denied.map { PermissionReading(token: name, permission: $0, status: "missing") }))
    let isNeeded = workflow.requests.contains { !Set(denied).isDisjoint(with: $0.permissions) }
    if options.requiresPermissions && isNeeded { isStopped = true }
  }

  /// With `--require-permissions`, stops the run if a permission is missing.
  private mutating func stopIfRequired(_ subjects: [Permissions.Subject]) {
    guard options.requiresPermissions else { return }
    for subject in subjects {
      let needed = permissions.lookups[subject]?.permissions ?? []
      let isUnreadable = permissions.failure(for: subject) != nil
      let missing = permissions.missing(of: needed, subject: subject, token: nil)
      if isUnreadable || !missing.isEmpty { isStopped = true }
    }
  }

  private mutating func reportPermissions(
    of subject: Permissions.Subject, _ statuses: [String: String]
  ) {
    guard let lookup = permissions.lookups[subject] else { return }
    events.append(
      .permissionsRead(
        lookup.permissions.map { permission in
          PermissionReading(
            token: lookup.name, permission: permission, status: statuses[permission] ?? "missing")
        }))
  }
}

/// The subjects whose permissions requests need.
extension RunState {
  /// The subject whose grants decide whether an instance is sent; nil if it is unknown.
  func subject(of instance: Int) -> Permissions.Subject? {
    subject(of: graph.request(of: instance), for: item(of: instance))
  }

  /// The subject whose grants decide about a request, for an item if it is in a group.
  ///
  /// A page token has the grants of the user token that it came from. So a reference is followed to
  /// the request whose answer holds the token. A token from an input or an item is its own subject.
  private func subject(of request: Int, for item: Item?) -> Permissions.Subject? {
    var request = request
    var item = item
    while true {
      let current = workflow.requests[request]
      guard case .reference(let template) = current.token else {
        return profile(of: current).map { .profile($0) }
      }
      // Acyclic, so this ends.
      if let source = origin(of: template, current) {
        if workflow.requests[source].group != current.group { item = nil }
        request = source
        continue
      }
      let bindings = Bindings(
        inputs: inputs, run: identity, bodies: bodies, item: item, leftToGraph: [])
      let token = try? bindings.token(from: template)
      return token.map { .token($0) }
    }
  }

  /// The request whose answer holds a token, directly or as part of an item; nil if none does.
  private func origin(of template: Template, _ request: Workflow.Request) -> Int? {
    switch template.only?.kind {
    case .result(let reference): return reference.request
    case .item:
      guard let group = request.group,
        case .values(let placeholder) = workflow.groups[group].source
      else { return nil }
      return placeholder.reference?.request
    default: return nil
    }
  }

  /// Whether the subject of a request differs from item to item.
  private func dependsOnItem(_ request: Workflow.Request) -> Bool {
    guard request.group != nil, case .reference(let template) = request.token else { return false }
    if let source = origin(of: template, request) {
      return workflow.requests[source].group == request.group
        && dependsOnItem(workflow.requests[source])
    }
    guard case .item = template.only?.kind else { return false }
    return true
  }

  /// The token that an instance would be sent with, if it is known already.
  func token(of instance: Int) -> AccessToken? {
    let request = request(of: instance)
    guard case .reference(let template) = request.token else {
      return profile(of: request).flatMap { tokens[$0] }
    }
    let token = try? bindings(for: instance).token(from: template)
    return token ?? nil
  }

  /// The name of an instance's token in journal and report: its profile or its reference.
  func tokenName(of instance: Int) -> String {
    let request = request(of: instance)
    guard case .reference(let template) = request.token else {
      return profile(of: request) ?? workflow.token
    }
    guard dependsOnItem(request), let item = item(of: instance) else { return template.text }
    return "\(template.text) of \(item.key)"
  }

  /// Schedules the lookups for the requests whose subjects do not depend on an item.
  mutating func scheduleLookups() {
    guard !readsPermissionsLate else { return }
    for (index, request) in workflow.requests.enumerated()
    where !request.permissions.isEmpty && !instances[index].isFinished && !dependsOnItem(request) {
      scheduleLookups(of: index)
    }
  }

  /// Schedules the lookups for an item's instances.
  mutating func scheduleLookups(ofItem position: Int, _ members: [Int]) {
    guard !readsPermissionsLate else { return }
    for member in members where !workflow.requests[member].permissions.isEmpty {
      let instance = graph.instance(of: member, item: position)
      guard isOpen(instance), !instances[instance].isFinished else { continue }
      if dependsOnItem(workflow.requests[member]) { scheduleLookups(of: instance) }
    }
  }

  /// Schedules the lookup for an instance, unless it is scheduled or finished.
  mutating func scheduleLookups(of instance: Int) {
    guard !request(of: instance).permissions.isEmpty, let subject = subject(of: instance) else {
      return
    }
    let name = permissions.lookups[subject]?.name ?? name(of: subject, for: instance)
    let needed = request(of: instance).permissions
    let isNew = permissions.scheduleLookup(of: needed, for: subject, name: name)
    if isNew, case .token(let token) = subject { mask.record(token) }
  }

  /// Whether permissions are read only when a request that needs them is about to be sent.
  ///
  /// In a resumed run, no remaining request may need them.
  var readsPermissionsLate: Bool { hasReplayed && !options.requiresPermissions }

  private func name(of subject: Permissions.Subject, for instance: Int) -> String {
    guard case .profile(let profile) = subject else { return tokenName(of: instance) }
    return profile
  }
}
