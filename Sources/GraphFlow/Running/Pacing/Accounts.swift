import GraphAPI

/// The pages and ad accounts whose limits are known.
struct Accounts: Sendable {
  /// The limits of each account, by the id in usage headers.
  private(set) var limits: [String: Set<Fingerprint>] = [:]

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

  /// Adds the ad account of a subject; returns whether it is new.
  mutating func add(_ subject: Lane.Subject?, in app: Fingerprint) -> Bool {
    guard case .adAccount(let id)? = subject, limits[id] == nil else { return false }
    for type in Self.useCasesOfAds {
      add(id, Fingerprint(ofLimitFor: id, type: type, in: app), in: app)
    }
    return true
  }

  /// The limits of the account that a subject is; nil if it is not known to be one.
  subscript(_ subject: Lane.Subject?) -> Set<Fingerprint>? { subject?.id.flatMap { limits[$0] } }

  mutating func removeAll(where isIdle: (Set<Fingerprint>) -> Bool) {
    limits = limits.filter { !isIdle($0.value) }
  }
}
