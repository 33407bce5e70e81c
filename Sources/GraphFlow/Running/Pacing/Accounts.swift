import GraphAPI

/// The pages and ad accounts whose limits are known.
struct Accounts: Sendable {
  /// The limits of each account, by the id in usage headers.
  private(set) var limits: [String: Set<Fingerprint>] = [:]
  /// The ids that operations were about.
  private var subjects: Set<String> = []
  /// The limits of what no operation was about, such as a business, and for which one was refused: they
  /// hold for all accounts.
  private(set) var common: Set<Fingerprint> = []

  /// The use cases whose limits hold back the calls for an ad account.
  ///
  /// Another process may have found one of them full.
  private static let useCasesOfAds = ["ads_management", "ads_insights"]

  /// The limit of an account whose use case is not known.
  static func limit(of id: String, in app: Fingerprint) -> Fingerprint {
    Fingerprint(ofLimitFor: id, type: "account", in: app)
  }

  /// Adds an account, or a limit of one.
  mutating func add(_ id: String, _ limit: Fingerprint? = nil, in app: Fingerprint) {
    limits[id, default: [Self.limit(of: id, in: app)]].formUnion([limit].compactMap(\.self))
  }

  /// What the owner of a limit is to an operation whose answer names it.
  enum Role: Hashable {
    /// The operation was about it.
    case subject
    /// The operation was refused because of it, and not because of what it was about.
    case cause
  }

  /// Records what a limit belongs to.
  mutating func record(_ limit: Fingerprint, of id: String, as role: Role) {
    switch role {
    case .subject: if subjects.insert(id).inserted { common.subtract(limits[id] ?? []) }
    case .cause: if !subjects.contains(id) { common.insert(limit) }
    }
  }

  /// Adds the ad account of a subject; returns whether it is new.
  mutating func add(_ subject: Lane.Subject?, in app: Fingerprint) -> Bool {
    guard case .adAccount(let id)? = subject, limits[id] == nil else { return false }
    subjects.insert(id)
    for type in Self.useCasesOfAds {
      add(id, Fingerprint(ofLimitFor: id, type: type, in: app), in: app)
    }
    return true
  }

  /// The limits of the account that a subject is; nil if it is not known to be one.
  subscript(_ subject: Lane.Subject?) -> Set<Fingerprint>? { subject?.id.flatMap { limits[$0] } }

  mutating func removeAll(where isIdle: (Set<Fingerprint>) -> Bool) {
    limits = limits.filter { !isIdle($0.value) }
    subjects.formIntersection(limits.keys)
    common = common.filter { !isIdle([$0]) }
  }
}
