import GraphAPI
import JSONPath

/// A look at the permissions of one token.
struct PermissionLookUp: Hashable, Sendable {
  var attempts = 0
  /// When it was first asked.
  var since: Duration?
  /// Nothing is asked before this time.
  var notBefore: Duration?
  var isUnderWay = false
}

/// Permissions are prerequisites: they are read once a token, before what needs them is sent.
extension RunState {
  /// What has to be done before requests can be judged, if anything.
  mutating func prerequisite(at now: Duration) -> Action? {
    for profile in profilesToRead where !permissions.isKnown(profile) {
      if let failure = tokenFailures[profile] {
        permissions.note(.unreadable(failure), of: profile)
        continue
      }
      guard let token = tokens[profile] else { return .obtainToken(profile: profile) }
      var lookUp = lookUps[profile] ?? PermissionLookUp()
      if lookUp.isUnderWay { return .awaitResult }
      if let until = lookUp.notBefore, until > now { return wait(until: until, from: now) }
      guard let batch = permissionBatch(token) else { continue }
      lookUp.isUnderWay = true
      lookUp.since = lookUp.since ?? now
      lookUp.attempts += 1
      lookUps[profile] = lookUp
      return .send(begin(.batch(batch), for: .permissions(profile: profile), [], at: now))
    }
    return nil
  }

  /// The profile whose token a request's permissions belong to.
  ///
  /// Those of a page token are those of the user token it came from, so a reference is followed to
  /// the request that it takes the token from. `nil` for a token that came in as an input.
  func permissionProfile(of instance: Int) -> String? {
    var request = graph.request(of: instance)
    while true {
      switch workflow.requests[request].token {
      case .profile: return profile(of: request)
      case .reference(let template):
        // Acyclic, so this ends.
        guard let reference = template.only?.reference else { return nil }
        request = reference.request
      }
    }
  }

  /// Hands in the answer to a look-up.
  mutating func receivePermissions(_ result: CallResult, profile: String, at now: Duration) {
    lookUps[profile]?.isUnderWay = false
    switch PermissionAnswer(result) {
    case .listed(let statuses):
      permissions.note(.listed(statuses), of: profile)
      noteReadings(of: profile) { statuses[$0] ?? "missing" }
    case .notListed:
      permissions.note(.notListed, of: profile)
      noteReadings(of: profile) { _ in "unknown" }
    case .failed(let failure, let isRetryUseful):
      postponeLookUp(of: profile, failure, isRetryUseful, result.serverDelay(forItem: 0), at: now)
    }
    stopIfRequired()
  }

  /// Asks again later, or gives up.
  private mutating func postponeLookUp(
    of profile: String,
    _ failure: Failure,
    _ isRetryUseful: Bool,
    _ serverDelay: Duration?,
    at now: Duration
  ) {
    let policy = RetryPolicy.standard
    let attempts = lookUps[profile]?.attempts ?? 1
    let wakeUp = now + policy.delay(after: attempts, atLeast: serverDelay, using: &generator)
    let elapsed = wakeUp - (lookUps[profile]?.since ?? now)
    if isRetryUseful, attempts < policy.maxAttempts, tally.allowsRetry, elapsed <= policy.maxElapsed
    {
      lookUps[profile]?.notBefore = wakeUp
    } else {
      permissions.note(.unreadable(mask.masked(failure)), of: profile)
    }
  }

  /// `--require-permissions`: one that is missing stops the whole run before it sends anything.
  private mutating func stopIfRequired() {
    guard options.requiresPermissions else { return }
    for request in workflow.requests.indices {
      guard let profile = permissionProfile(of: request), permissions.isKnown(profile) else {
        continue
      }
      let needed = workflow.requests[request].permissions
      let isUnreadable = !needed.isEmpty && permissions.failure(for: profile) != nil
      if isUnreadable || !permissions.lacking(needed, profile: profile).isEmpty {
        isStopped = true
      }
    }
  }

  /// The profiles of requests that have prerequisites and are not over, in order of appearance.
  ///
  /// None of a run that goes on: nothing that is left of it may come to the point of being sent.
  func profilesWithPrerequisites() -> [String] {
    guard !readsPermissionsLate else { return [] }
    var profiles: [String] = []
    for (index, request) in workflow.requests.enumerated()
    where !request.permissions.isEmpty && !instances[index].isOver {
      guard let profile = permissionProfile(of: index), !profiles.contains(profile) else {
        continue
      }
      profiles.append(profile)
    }
    return profiles
  }

  /// The profile whose permissions a request of a run that goes on needs, as the first to need them.
  func unreadProfile(of instance: Int) -> String? {
    guard readsPermissionsLate, !request(of: instance).permissions.isEmpty,
      let profile = permissionProfile(of: instance), !permissions.isKnown(profile)
    else { return nil }
    return profile
  }

  /// Whether permissions are read only when something that needs them is about to be sent.
  private var readsPermissionsLate: Bool { hasReplayed && !options.requiresPermissions }

  private func permissionBatch(_ token: AccessToken) -> BatchRequest? {
    BatchRequest(
      operations: [BatchOperation(method: .get, path: "me/permissions")],
      accessToken: token,
      version: workflow.version ?? context.version,
      appSecret: context.appSecret
    )
  }

  private mutating func noteReadings(of profile: String, _ status: (String) -> String) {
    var names: [String] = []
    for (index, request) in workflow.requests.enumerated()
    where permissionProfile(of: index) == profile {
      for permission in request.permissions where !names.contains(permission) {
        names.append(permission)
      }
    }
    events.append(
      .permissionsRead(
        names.map { PermissionReading(token: profile, permission: $0, status: status($0)) }
      )
    )
  }
}

/// What the answer to a look-up means.
private enum PermissionAnswer {
  case listed([String: String])
  case notListed
  case failed(Failure, isRetryUseful: Bool)

  init(_ result: CallResult) {
    if case .answered(.items(let items), _) = result, case .response(let response) = items.first,
      response.error == nil, let body = try? response.body.json(),
      let statuses = PermissionBook.statuses(in: body)
    {
      self = .listed(statuses)
      return
    }
    let (error, classification, _) = result.failure(ofItem: 0, rules: [])
    switch classification.reason {
    case .parameter, .notFound: self = .notListed
    default:
      self = .failed(
        Failure(error, classification),
        isRetryUseful: classification.category == .transient
      )
    }
  }
}
