import GraphAPI
import JSONPath

/// The permissions of the tokens that a run uses, the lookups to make, and the instances that wait
/// for them.
struct Permissions: Sendable {
  /// The token whose grants count; for a page token, the user token that it came from.
  enum Subject: Hashable, Sendable {
    /// The current token of a profile.
    case profile(String)
    /// A token from an input or an item.
    case token(AccessToken)
  }

  /// The result of the lookup for one token.
  enum Grants: Hashable, Sendable {
    case listed([String: String])
    /// Graph lists none for this token, so nothing can be checked in advance.
    case notListed
    case unreadable(Failure)
  }

  /// A permission that is not granted.
  struct Missing: Hashable, Sendable {
    let permission: String
    let status: String
  }

  private var known: [Subject: Grants] = [:]
  /// The permissions that Graph named as missing when a token was used; these override the list.
  private var denied: [AccessToken: Set<String>] = [:]
  private(set) var lookups: [Subject: PermissionLookup] = [:]
  /// The subjects whose lookups are still to be made, in order.
  private(set) var unread: [Subject] = []
  private var waiting: [Subject: Set<Int>] = [:]

  /// Whether nothing is known of any token.
  var isEmpty: Bool { known.isEmpty && denied.isEmpty }
  func isKnown(_ subject: Subject) -> Bool { known[subject] != nil }

  /// Records the result of a lookup, and returns the instances that waited for it.
  mutating func record(_ grants: Grants, of subject: Subject) -> Set<Int> {
    known[subject] = grants
    unread.removeAll { $0 == subject }
    return waiting.removeValue(forKey: subject) ?? []
  }

  /// Schedules the lookup of permissions, unless it is scheduled or finished.
  ///
  /// - Returns: whether this is the first lookup for the subject.
  mutating func scheduleLookup(of permissions: [String], for subject: Subject, name: String) -> Bool
  {
    let isNew = lookups[subject] == nil
    var lookup = lookups[subject] ?? PermissionLookup(name: name, endpoint: .list)
    for permission in permissions where !lookup.permissions.contains(permission) {
      lookup.permissions.append(permission)
    }
    if isNew {
      if case .token(let token) = subject { lookup.startOver(with: token) }
      unread.append(subject)
    }
    lookups[subject] = lookup
    return isNew
  }

  /// Starts an attempt of a scheduled lookup; nil if none is scheduled for the subject.
  mutating func beginLookup(
    _ subject: Subject, about token: AccessToken, at now: Duration
  ) -> PermissionLookup? {
    guard var lookup = lookups[subject] else { return nil }
    if lookup.attempts.made == 0 { lookup.startOver(with: token) }
    lookup.attempts.recordAttempt(at: now)
    lookup.notBefore = nil
    lookups[subject] = lookup
    return lookup
  }

  /// Continues a lookup with the inspection endpoint, because there is no list.
  mutating func useInspection(for subject: Subject) { lookups[subject]?.endpoint = .inspection }

  /// Schedules another attempt of a lookup; an attempt that was throttled does not count.
  mutating func retryLookup(of subject: Subject, at time: Duration, isCounted: Bool) {
    if !isCounted { lookups[subject]?.attempts.refund(.waiting) }
    lookups[subject]?.notBefore = time
  }

  /// When the next postponed lookup may be made; nil if none is postponed.
  var earliestRetry: Duration? { unread.compactMap { lookups[$0]?.notBefore }.min() }

  /// Discards the result for a token that was replaced, and schedules the lookup for the new one.
  mutating func forget(_ subject: Subject, replacedBy token: AccessToken?) {
    guard known.removeValue(forKey: subject) != nil, let token else {
      lookups[subject]?.attempts = AttemptHistory()
      return
    }
    lookups[subject]?.startOver(with: token)
    unread.append(subject)
  }

  mutating func wait(_ instance: Int, for subject: Subject) {
    waiting[subject, default: []].insert(instance)
  }

  var waitingInstances: Set<Int> { waiting.values.reduce(into: []) { $0.formUnion($1) } }

  mutating func release(_ instances: Set<Int>) {
    for subject in waiting.keys { waiting[subject]?.subtract(instances) }
  }

  /// Records that a token lacks permissions; returns those that were not recorded before.
  mutating func recordDenial(of permissions: [String], to token: AccessToken) -> [String] {
    permissions.filter { denied[token, default: []].insert($0).inserted }
  }

  /// The permissions of a list that are not granted, in its order.
  ///
  /// The grants of the subject count; the token is the one that would be sent, if it is known.
  func missing(of permissions: [String], subject: Subject?, token: AccessToken?) -> [Missing] {
    var statuses: [String: String]?
    if let subject, case .listed(let listed) = known[subject] { statuses = listed }
    let denied = token.flatMap { self.denied[$0] } ?? []
    return permissions.compactMap { permission in
      let status = statuses.map { $0[permission] ?? "missing" } ?? "granted"
      if status != "granted" { return Missing(permission: permission, status: status) }
      return denied.contains(permission) ? Missing(permission: permission, status: "missing") : nil
    }
  }

  /// Why the lookup for a subject failed, if it did.
  func failure(for subject: Subject) -> Failure? {
    guard case .unreadable(let failure) = known[subject] else { return nil }
    return failure
  }
}
