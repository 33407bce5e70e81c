import GraphAPI
import JSONPath

/// What is known of the permissions of the tokens that a run uses, what has to be read, and which
/// instances wait for it.
struct Permissions: Sendable {
  /// Whose grants count: those of a page token are the ones of the user whose token it came from.
  enum Subject: Hashable, Sendable {
    /// The token of a profile, whichever it is at the time.
    case profile(String)
    /// A token that came in as an input or with an item.
    case token(AccessToken)
  }

  /// What is known of one token.
  enum Knowledge: Hashable, Sendable {
    /// The permissions that Graph lists, each with its status.
    case listed([String: String])
    /// Graph lists none for this token, so nothing can be checked beforehand.
    case notListed
    /// The look-up failed for good.
    case unreadable(Failure)
  }

  /// A permission that is not granted, and what Graph says of it.
  struct Lack: Hashable, Sendable {
    let permission: String
    let status: String
  }

  private var known: [Subject: Knowledge] = [:]
  /// What Graph has said that a token lacks when it was used, whatever the list says.
  private var denied: [AccessToken: Set<String>] = [:]
  private(set) var lookups: [Subject: PermissionLookup] = [:]
  /// Whose permissions have to be read before what needs them can be judged, in order.
  private(set) var unread: [Subject] = []
  /// The instances that wait for that.
  private var waiting: [Subject: Set<Int>] = [:]

  /// Whether a token's permissions were asked for.
  func isKnown(_ subject: Subject) -> Bool {
    known[subject] != nil
  }

  /// Notes what is known of a token.
  ///
  /// - Returns: the instances that waited for that.
  mutating func note(_ knowledge: Knowledge, of subject: Subject) -> Set<Int> {
    known[subject] = knowledge
    unread.removeAll { $0 == subject }
    return waiting.removeValue(forKey: subject) ?? []
  }

  /// Has permissions read, unless they are to be read or known already.
  ///
  /// - Parameters:
  ///   - permissions: which ones.
  ///   - subject: whose.
  ///   - name: what journal and report call the token.
  /// - Returns: whether nobody has asked for any of this token before.
  mutating func need(_ permissions: [String], of subject: Subject, name: String) -> Bool {
    let isNew = lookups[subject] == nil
    var lookup = lookups[subject] ?? PermissionLookup(name: name, way: .list)
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

  /// Begins to ask about a token; nil if nobody has to know.
  mutating func begin(
    _ subject: Subject,
    about token: AccessToken,
    at now: Duration
  ) -> PermissionLookup? {
    guard var lookup = lookups[subject] else { return nil }
    if lookup.attempts.made == 0 { lookup.startOver(with: token) }
    lookup.attempts.recordAttempt(at: now)
    lookup.notBefore = nil
    lookups[subject] = lookup
    return lookup
  }

  /// Asks again in the other way, as there is no list.
  mutating func inspect(_ subject: Subject) {
    lookups[subject]?.way = .inspection
  }

  /// Asks again at a time; an attempt that was only to wait does not count.
  mutating func retry(_ subject: Subject, at time: Duration, isCounted: Bool) {
    if !isCounted { lookups[subject]?.attempts.refund(.waiting) }
    lookups[subject]?.notBefore = time
  }

  /// When the next look-up is made that was put off; nil if none was.
  var earliestRetry: Duration? { unread.compactMap { lookups[$0]?.notBefore }.min() }

  /// Forgets what was known of a token that has been replaced, and has it read of the new one.
  mutating func forget(_ subject: Subject, replacedBy token: AccessToken?) {
    guard known.removeValue(forKey: subject) != nil, let token else {
      lookups[subject]?.attempts = AttemptHistory()
      return
    }
    lookups[subject]?.startOver(with: token)
    unread.append(subject)
  }

  /// Lets an instance wait until a token's permissions are known.
  mutating func wait(_ instance: Int, for subject: Subject) {
    waiting[subject, default: []].insert(instance)
  }

  /// The instances that wait for what is known of any token.
  var waitingInstances: Set<Int> { waiting.values.reduce(into: []) { $0.formUnion($1) } }

  /// Lets instances wait no longer.
  mutating func release(_ instances: Set<Int>) {
    for subject in waiting.keys { waiting[subject]?.subtract(instances) }
  }

  /// Notes what a token turned out to lack; returns what is news.
  mutating func deny(_ permissions: [String], to token: AccessToken) -> [String] {
    permissions.filter { denied[token, default: []].insert($0).inserted }
  }

  /// The permissions out of a list that are not there.
  ///
  /// - Parameters:
  ///   - permissions: the list.
  ///   - subject: whose grants count; nil where nobody can tell.
  ///   - token: the token that would be sent, if it is known already.
  /// - Returns: what is missing, in the order of the list.
  func lacking(_ permissions: [String], subject: Subject?, token: AccessToken?) -> [Lack] {
    var statuses: [String: String]?
    if let subject, case .listed(let listed) = known[subject] { statuses = listed }
    let denied = token.flatMap { self.denied[$0] } ?? []
    return permissions.compactMap { permission in
      let status = statuses.map { $0[permission] ?? "missing" } ?? "granted"
      if status != "granted" { return Lack(permission: permission, status: status) }
      return denied.contains(permission) ? Lack(permission: permission, status: "missing") : nil
    }
  }

  /// Why a token's permissions could not be read, if so.
  func failure(for subject: Subject) -> Failure? {
    guard case .unreadable(let failure) = known[subject] else { return nil }
    return failure
  }
}
