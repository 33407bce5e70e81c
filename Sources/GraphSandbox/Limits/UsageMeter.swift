/// Counts what is used of each limit, refuses what is too much, and tells it in headers.
///
/// Decisions 27 and 28 of docs/graph-api.md.
struct UsageMeter: Sendable {
  /// So many calls of one operation count against one limit.
  struct Charge: Hashable, Sendable {
    let scope: LimitScope
    var count: Int
  }

  /// What one operation counts against.
  ///
  /// A class, because most operations count alike and then share one.
  final class Charges: Sendable {
    let list: [Charge]

    static let none = Charges([])

    init(_ list: [Charge]) { self.list = list }
  }

  /// What headers have told.
  private struct Told {
    let scopes: [LimitScope]
    /// Where the windows are of the application and of the scopes; nil where there was none.
    let places: [Int?]
    let facts: [Fact]
    let headers: UsageHeaders
    /// How many windows there were.
    let windowCount: Int
    /// Those that were asked about last.
    var charges: Charges?
  }

  /// What headers tell of a limit.
  struct Fact: Hashable, Sendable {
    var load = UsageLoad()
    var minutes = 0
    /// Seconds until access is regained.
    var reset = 0
  }

  var limits = RateLimits() {
    didSet {
      (scopes, windows, places) = ([], [], [:])
      forgetLast()
    }
  }
  private(set) var scopes: [LimitScope] = []
  /// What is used of each.
  var windows: [UsageWindow] = []
  /// Where the window of each limit is.
  private var places: [LimitScope: Int] = [:]
  /// The windows that the current call has touched; its own headers tell of these.
  var touched: [Int] = []
  /// What was used of each before that.
  var starts: [UsageWindow.Amount] = []
  /// What operations counted against lately, the newest first.
  private var recent: [Charges] = []
  /// What the current call's operation before counted against, and where the windows of that are.
  private var last: Charges?
  private var lastPlaces: [Int] = []
  /// The headers that were told last, and what of.
  private var told: Told?

  /// How many objects one `X-Business-Use-Case-Usage` names at most.
  private static let businessLimit = 32
  /// Looking through so few is faster than a table.
  private static let lookedThrough = 8

  /// Forgets what the call before has touched.
  mutating func beginCall() {
    touched.removeAll(keepingCapacity: true)
    starts.removeAll(keepingCapacity: true)
    last = nil
  }

  /// The charges of an operation, the same as those of some operation lately if they are.
  mutating func shared(_ charges: [Charge]) -> Charges {
    if let known = recent.first(where: { $0.list == charges }) { return known }
    let new = Charges(charges)
    if recent.count == Self.lookedThrough { recent.removeLast() }
    recent.insert(new, at: 0)
    return new
  }

  /// Counts an operation, unless one of its limits is blocked; then nothing has changed.
  mutating func countsUnblocked(_ charges: Charges, _ cost: OperationCost, at now: Int) -> Bool {
    if last !== charges {
      let list = charges.list
      lastPlaces.removeAll(keepingCapacity: true)
      for charge in list {
        let place = touch(charge.scope, at: now)
        guard !windows[place].isBlocked(at: now) else {
          last = nil
          return false
        }
        lastPlaces.append(place)
      }
      last = charges
    } else {
      for place in lastPlaces where windows[place].isBlocked(at: now) { return false }
    }
    for index in lastPlaces.indices {
      windows[lastPlaces[index]].add(charges.list[index].count, cost, at: now)
    }
    return true
  }

  /// Counts an operation.
  ///
  /// - Throws: the error of the first limit that is blocked. Then nothing is counted, and the
  ///   block becomes longer.
  mutating func charge(
    _ charges: Charges,
    _ cost: OperationCost,
    at now: Int
  ) throws(GraphFault) {
    guard !countsUnblocked(charges, cost, at: now) else { return }
    for charge in charges.list {
      let place = touch(charge.scope, at: now)
      guard windows[place].isBlocked(at: now) else { continue }
      windows[place].extend(by: limits.penalty, at: now)
      throw .throttled(charge.scope.kind)
    }
  }

  private mutating func forgetLast() {
    last = nil
    told = nil
  }

  /// Where the window of a limit is that the current call counts against; it begins with its first
  /// use.
  private mutating func touch(_ scope: LimitScope, at now: Int) -> Int {
    if let place = touchedPlace(of: scope) { return place }
    if let place = places[scope] {
      if touched.count < Self.lookedThrough || !touched.contains(place) {
        touched.append(place)
        starts.append(windows[place].current(at: now))
      }
      return place
    }
    let window = UsageWindow(limits.quota(of: scope.kind), window: limits.window, at: now)
    scopes.append(scope)
    windows.append(window)
    places[scope] = windows.count - 1
    touched.append(windows.count - 1)
    starts.append(window.sum)
    return windows.count - 1
  }

  private func touchedPlace(of scope: LimitScope) -> Int? {
    for index in 0..<min(touched.count, Self.lookedThrough)
    where scopes[touched[index]] == scope {
      return touched[index]
    }
    return nil
  }

  func place(of scope: LimitScope) -> Int? { touchedPlace(of: scope) ?? places[scope] }

  /// The headers of an operation that counted against these limits.
  mutating func headers(of charges: Charges, at now: Int) -> UsageHeaders {
    if let headers = headersToldAgain(of: charges, at: now) { return headers }
    let headers = headers(of: charges.list.map(\.scope), at: now)
    told?.charges = charges
    return headers
  }

  /// The headers that were told last, if they are the same for these charges.
  private mutating func headersToldAgain(of charges: Charges, at now: Int) -> UsageHeaders? {
    guard let told, told.charges === charges, told.windowCount == windows.count else { return nil }
    for index in told.places.indices {
      guard let place = told.places[index] else { continue }
      guard fact(at: place, now) == told.facts[index] else { return nil }
    }
    return told.headers
  }

  /// The headers of the whole call.
  mutating func callHeaders(at now: Int) -> UsageHeaders {
    headers(of: touched.map { scopes[$0] }, at: now)
  }

  /// What is used of every limit that was looked at, and for how many minutes it is blocked.
  func usage(at now: Int) -> [(scope: LimitScope, load: UsageLoad, minutes: Int)] {
    zip(scopes, windows).map { scope, window in
      var window = window
      return (scope, window.load(at: now), window.minutesBlocked(at: now))
    }
  }

  /// The headers that tell of these limits; the same as before, if these say the same as before.
  private mutating func headers(of scopes: [LimitScope], at now: Int) -> UsageHeaders {
    let places = ([.app] + scopes).map { place(of: $0) }
    let facts = places.map { place in place.map { fact(at: $0, now) } ?? Fact() }
    let isSame = told.map { $0.scopes == scopes && $0.facts == facts } ?? false
    let known = isSame ? told : nil
    let headers = known?.headers ?? madeHeaders(of: scopes, at: now)
    told = Told(
      scopes: scopes,
      places: places,
      facts: facts,
      headers: headers,
      windowCount: windows.count,
      charges: known?.charges
    )
    return headers
  }

  mutating func fact(at place: Int, _ now: Int) -> Fact {
    Fact(
      load: windows[place].load(at: now),
      minutes: windows[place].minutesBlocked(at: now),
      reset: max(0, windows[place].blockedUntil - now)
    )
  }

  private mutating func madeHeaders(of scopes: [LimitScope], at now: Int) -> UsageHeaders {
    let app = "{\(load(of: .app, now).members)}"
    var others: [UsageHeaders.Header] = []
    if let page = scopes.first(where: { $0.kind == .page }) {
      others.append(.init(name: "X-Page-Usage", value: "{\(self.load(of: page, now).members)}"))
    }
    let business = scopes.filter { $0.businessUseCase != nil }.prefix(Self.businessLimit)
    guard !business.isEmpty else { return UsageHeaders(app: app, others: others) }
    let entries = Dictionary(grouping: business, by: \.id).sorted { $0.key < $1.key }.map {
      "\"\($0.key)\":[" + $0.value.map { entry(of: $0, now) }.joined(separator: ",") + "]"
    }
    others.append(
      .init(
        name: "X-Business-Use-Case-Usage",
        value: "{" + entries.joined(separator: ",") + "}"
      )
    )
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

  private mutating func adsHeaders(_ scope: LimitScope, _ now: Int) -> [UsageHeaders.Header] {
    let percent = load(of: scope, now).highest
    let reset = max(0, (place(of: scope).map { windows[$0].blockedUntil } ?? 0) - now)
    let account = UsageHeaders.Header(
      name: "X-Ad-Account-Usage",
      value: "{\"acc_id_util_pct\":\(percent),\"reset_time_duration\":\(reset),\(Self.tier)}"
    )
    guard scope.kind == .adsInsights else { return [account] }
    let app = load(of: .app, now).highest
    let insights = UsageHeaders.Header(
      name: "X-Fb-Ads-Insights-Throttle",
      value: "{\"app_id_util_pct\":\(app),\"acc_id_util_pct\":\(percent),\(Self.tier)}"
    )
    return [account, insights]
  }

  private static let tier = "\"ads_api_access_tier\":\"standard_access\""
}
