/// Counts the usage of each limit, refuses calls above it, and reports it in headers.
///
/// Decisions 27 and 28 of docs/internals/graph-api.md.
struct UsageMeter: Sendable {
  /// A number of calls that one operation counts against one limit.
  struct Charge: Hashable, Sendable {
    let scope: LimitScope
    var count: Int
  }

  var limits = RateLimits() { didSet { (scopes, windows, places) = ([], [], [:]) } }
  private var scopes: [LimitScope] = []
  /// The usage of each.
  private var windows: [UsageWindow] = []
  /// The index of each limit's window.
  private var places: [LimitScope: Int] = [:]
  /// The windows that the current call counts against; its headers report them.
  private var touched: [Int] = []

  /// The most objects in one `X-Business-Use-Case-Usage`.
  private static let businessLimit = 32
  /// A linear search through this many is faster than a dictionary.
  private static let linearSearchLimit = 8

  /// Starts a call, which has touched no windows.
  mutating func startCall() { touched.removeAll(keepingCapacity: true) }

  /// Counts an operation.
  ///
  /// - Throws: the error of the first blocked limit. Then nothing is counted, and the block is
  ///   extended.
  mutating func charge(_ charges: [Charge], _ cost: OperationCost, at now: Int) throws(GraphFault) {
    for charge in charges {
      let place = touch(charge.scope, at: now)
      guard windows[place].isBlocked(at: now) else { continue }
      windows[place].extendBlock(by: limits.penalty, at: now)
      throw .throttled(charge.scope.kind)
    }
    for charge in charges { windows[touch(charge.scope, at: now)].add(charge.count, cost, at: now) }
  }

  /// The index of a limit's window, which the call counts against; a limit's first use adds one.
  private mutating func touch(_ scope: LimitScope, at now: Int) -> Int {
    if let place = touchedPlace(of: scope) { return place }
    let place = places[scope] ?? addWindow(for: scope, at: now)
    if touched.count < Self.linearSearchLimit || !touched.contains(place) { touched.append(place) }
    return place
  }

  private mutating func addWindow(for scope: LimitScope, at now: Int) -> Int {
    scopes.append(scope)
    windows.append(UsageWindow(limits.quota(of: scope.kind), window: limits.window, at: now))
    places[scope] = windows.count - 1
    return windows.count - 1
  }

  private func touchedPlace(of scope: LimitScope) -> Int? {
    touched.prefix(Self.linearSearchLimit).first { scopes[$0] == scope }
  }

  private func place(of scope: LimitScope) -> Int? { touchedPlace(of: scope) ?? places[scope] }

  /// The headers of an operation that counted against these limits.
  mutating func headers(of charges: [Charge], at now: Int) -> UsageHeaders {
    headers(of: charges.map(\.scope), at: now)
  }

  /// The headers of the whole call.
  mutating func callHeaders(at now: Int) -> UsageHeaders {
    headers(of: touched.map { scopes[$0] }, at: now)
  }

  /// The usage of every limit in use, and the minutes until its block ends.
  func usage(at now: Int) -> [(scope: LimitScope, load: UsageLoad, minutes: Int)] {
    zip(scopes, windows).map { scope, window in
      var window = window
      return (scope, window.load(at: now), window.minutesBlocked(at: now))
    }
  }

  private mutating func headers(of scopes: [LimitScope], at now: Int) -> UsageHeaders {
    let app = "{\(load(of: .app, now).members)}"
    var others: [(name: String, value: String)] = []
    if let page = scopes.first(where: { $0.kind == .page }) {
      others.append(("X-Page-Usage", "{\(load(of: page, now).members)}"))
    }
    let business = scopes.filter(\.isBusiness).prefix(Self.businessLimit)
    guard !business.isEmpty else { return UsageHeaders(app: app, others: others) }
    let entries = Dictionary(grouping: business, by: \.id).sorted { $0.key < $1.key }.map {
      "\"\($0.key)\":[" + $0.value.map { entry(of: $0, now) }.joined(separator: ",") + "]"
    }
    others.append((UsageHeaders.business, "{" + entries.joined(separator: ",") + "}"))
    if let account = business.first(where: \.isAds) { others += adsHeaders(account, now) }
    return UsageHeaders(app: app, others: others)
  }

  private mutating func load(of scope: LimitScope, _ now: Int) -> UsageLoad {
    place(of: scope).map { windows[$0].load(at: now) } ?? UsageLoad()
  }

  private mutating func entry(of scope: LimitScope, _ now: Int) -> String {
    let minutes = place(of: scope).map { windows[$0].minutesBlocked(at: now) } ?? 0
    return "{\"type\":\"\(scope.kind.rawValue)\",\(load(of: scope, now).members),"
      + "\"estimated_time_to_regain_access\":\(minutes)"
      + (scope.isAds ? ",\(Self.tier)}" : "}")
  }

  private mutating func adsHeaders(
    _ scope: LimitScope, _ now: Int
  ) -> [(name: String, value: String)] {
    let percent = load(of: scope, now).highest
    let reset = max(0, (place(of: scope).map { windows[$0].blockedUntil } ?? 0) - now)
    let account = (
      name: "X-Ad-Account-Usage",
      value: "{\"acc_id_util_pct\":\(percent),\"reset_time_duration\":\(reset),\(Self.tier)}"
    )
    guard scope.kind == .adsInsights else { return [account] }
    let app = load(of: .app, now).highest
    let insights = (
      name: "X-Fb-Ads-Insights-Throttle",
      value: "{\"app_id_util_pct\":\(app),\"acc_id_util_pct\":\(percent),\(Self.tier)}"
    )
    return [account, insights]
  }

  private static let tier = "\"ads_api_access_tier\":\"standard_access\""
}
