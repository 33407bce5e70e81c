/// Counts the usage of each limit, refuses calls above it, and reports it in headers.
///
/// Decisions 27 and 28 of docs/internals/graph-api.md.
struct UsageMeter: Sendable {
  /// A number of calls that one operation counts against one limit.
  struct Charge: Hashable, Sendable {
    let scope: LimitScope
    var count: Int
  }

  var limits = RateLimits() { didSet { windows = [:] } }
  private var windows: [LimitScope: UsageWindow] = [:]
  /// The limits that the current call counts against, in order; its headers report them.
  private var touched: [LimitScope] = []

  /// The most objects in one `X-Business-Use-Case-Usage`.
  private static let businessLimit = 32

  mutating func startCall() { touched.removeAll(keepingCapacity: true) }

  /// Counts an operation.
  ///
  /// - Throws: the error of the first blocked limit. Then nothing is counted, and the block is
  ///   extended.
  mutating func charge(_ charges: [Charge], _ load: UsageLoad, at now: Int) throws(GraphFault) {
    for scope in charges.lazy.map(\.scope) {
      if !touched.contains(scope) { touched.append(scope) }
      let isBlocked = windows[
        scope,
        default: UsageWindow(limits.quota(of: scope.kind), window: limits.window, at: now)
      ].extendBlock(by: limits.penalty, at: now)
      if isBlocked { throw .throttled(scope.kind) }
    }
    for charge in charges { windows[charge.scope]?.add(load * charge.count, at: now) }
  }

  mutating func callHeaders(at now: Int) -> UsageHeaders {
    headers(of: touched, at: now)
  }

  /// The usage of every limit in use, and the minutes until its block ends.
  func usage(at now: Int) -> [(scope: LimitScope, load: UsageLoad, minutes: Int)] {
    windows.map { scope, window in
      var window = window
      return (scope, window.load(at: now), window.minutesBlocked(at: now))
    }
  }

  /// The headers of an operation that counted against these limits.
  mutating func headers(of scopes: [LimitScope], at now: Int) -> UsageHeaders {
    let app = load(of: .app, now).text
    var others: [(name: String, value: String)] = []
    if let page = scopes.first(where: { $0.kind == .page }) {
      others.append(("X-Page-Usage", load(of: page, now).text))
    }
    let business = scopes.filter(\.isBusiness).prefix(Self.businessLimit)
    guard !business.isEmpty else { return UsageHeaders(app: app, others: others) }
    var text = [UInt8(ascii: "{")]
    for id in Set(business.lazy.map(\.id)).sorted() {
      GraphText.appendName(id, to: &text)
      text.append(UInt8(ascii: "["))
      for scope in business where scope.id == id { appendEntry(of: scope, now, to: &text) }
      text.append(UInt8(ascii: "]"))
    }
    text.append(UInt8(ascii: "}"))
    others.append((UsageHeaders.business, String(decoding: text, as: UTF8.self)))
    if let account = business.first(where: \.isAds) { others += adsHeaders(account, now) }
    return UsageHeaders(app: app, others: others)
  }

  private mutating func load(of scope: LimitScope, _ now: Int) -> UsageLoad {
    windows[scope]?.load(at: now) ?? UsageLoad()
  }

  private mutating func appendEntry(of scope: LimitScope, _ now: Int, to output: inout [UInt8]) {
    if output.last != UInt8(ascii: "[") { output.append(UInt8(ascii: ",")) }
    output.append(UInt8(ascii: "{"))
    GraphText.appendMember("type", scope.kind.rawValue, to: &output)
    load(of: scope, now).appendMembers(to: &output)
    GraphText.appendMember(
      "estimated_time_to_regain_access", windows[scope]?.minutesBlocked(at: now) ?? 0, to: &output)
    if scope.isAds { output += ",\(Self.tier)".utf8 }
    output.append(UInt8(ascii: "}"))
  }

  private mutating func adsHeaders(
    _ scope: LimitScope, _ now: Int
  ) -> [(name: String, value: String)] {
    let percent = load(of: scope, now).highest
    let reset = max(0, (windows[scope]?.blockedUntil ?? 0) - now)
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
