/// The scopes that Graph asks to pause, and until when.
typealias Announcements = [RateLimits.Scope: Duration]

/// Graph's rate limits: the operations in a rolling window, and the refusals beyond it.
///
/// Source: Graph API, "Rate Limits".
struct RateLimits: Sendable {
  /// What a limit belongs to.
  enum Scope: Hashable, Sendable {
    case app
    case token(String)
    /// A page, of which a token has learned: the two, with a space between them.
    case account(String)

    /// The scope of a throttle with this code.
    init(code: Int, token: String) { self = code == 4 || code == 341 ? .app : .token(token) }
  }

  /// The refusal of an operation beyond a limit.
  struct Refusal: Sendable {
    let scope: Scope
    /// When the first operation leaves the window.
    let regain: Duration
    let isReported: Bool
  }

  private let quota: World.Quota?
  private var counted: [Scope: [Duration]] = [:]
  /// The limits that this process has used.
  private var touched: Set<Scope> = []
  /// The highest percent that this process reached, without its first operation of each limit.
  private(set) var peak = 0.0

  init(_ quota: World.Quota?) { self.quota = quota }

  /// Records that another process begins.
  mutating func beginProcess() {
    touched = []
    peak = 0
  }

  /// Counts an operation, unless it is beyond a limit.
  mutating func refusal(of token: String, at now: Duration) -> Refusal? {
    guard let quota else { return nil }
    for scope in [Scope.app, .token(token)] {
      counted[scope, default: []].removeAll { $0 + quota.window <= now }
      guard let first = counted[scope]?.first, count(of: scope) >= quota.capacity(of: scope) else {
        continue
      }
      return Refusal(
        scope: scope, regain: first + quota.window - now, isReported: quota.reportsRegain)
    }
    for scope in [Scope.app, .token(token)] {
      counted[scope, default: []].append(now)
      if !touched.insert(scope).inserted { peak = max(peak, percent(of: scope, quota)) }
    }
    return nil
  }

  /// The header with the used percent of a limit, if there is one.
  func usage(of scope: Scope, at now: Duration) -> String? {
    guard let quota, quota.reportsUsage else { return nil }
    let used = counted[scope]?.count { $0 + quota.window > now } ?? 0
    let percent = used * 100 / max(quota.capacity(of: scope), 1)
    return "{\"call_count\":\(percent),\"total_time\":\(percent / 2),"
      + "\"total_cputime\":\(percent / 3)}"
  }

  /// The header of a business object with a used-up limit.
  static func businessUsage(of id: String = "1789", regain minutes: Int) -> String {
    "{\"\(id)\":[{\"type\":\"pages\",\"call_count\":100,\"total_time\":20,\"total_cputime\":9,"
      + "\"estimated_time_to_regain_access\":\(minutes)}]}"
  }

  private func count(of scope: Scope) -> Int { counted[scope]?.count ?? 0 }

  private func percent(of scope: Scope, _ quota: World.Quota) -> Double {
    Double(count(of: scope)) * 100 / Double(max(quota.capacity(of: scope), 1))
  }
}

extension World.Quota {
  fileprivate func capacity(of scope: RateLimits.Scope) -> Int {
    switch scope {
    case .app: app
    case .token: token
    case .account: .max
    }
  }
}
