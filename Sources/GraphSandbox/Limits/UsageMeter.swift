/// Counts the usage of each limit, refuses calls above it, and reports it in headers.
///
/// Decisions 27 and 28 of docs/internals/graph-api.md.
struct UsageMeter: Sendable {
  /// A number of calls that one operation counts against one limit.
  struct Charge {
    /// The number of the limit.
    let limit: Int
    var count = 1
  }

  var limits = RateLimits() {
    didSet {
      (numbers, scopes, windows) = ([:], [], [])
      hasCustomLimit = limits.quotas[.custom] != nil
    }
  }
  private var hasCustomLimit = false
  /// The numbers of the limits that operations have counted against.
  private var numbers: [LimitScope: Int] = [:]
  /// By number.
  private var scopes: [LimitScope] = []
  /// By number; a limit has no window before its first use.
  private var windows: [UsageWindow?] = []
  /// The limits that the current call counts against, in order; its headers report them.
  private var touched: [Int] = []

  /// The most objects in one `X-Business-Use-Case-Usage`.
  private static let businessLimit = 32

  mutating func startCall() { touched.removeAll(keepingCapacity: true) }

  /// The number of a limit.
  mutating func number(of scope: LimitScope) -> Int {
    // Most operations count against the limits of those before them.
    for number in touched.prefix(8)
    where scopes[number].kind == scope.kind && scopes[number].id == scope.id { return number }
    if let number = numbers[scope] { return number }
    numbers[scope] = scopes.count
    scopes.append(scope)
    windows.append(nil)
    return scopes.count - 1
  }

  /// Counts an operation.
  ///
  /// - Throws: the error of the first blocked limit. Then nothing is counted, and the block is
  ///   extended.
  mutating func charge(_ charges: [Charge], _ load: UsageLoad, at now: Int) throws(GraphFault) {
    for charge in charges {
      let kind = scopes[charge.limit].kind
      if !touched.contains(charge.limit) { touched.append(charge.limit) }
      if windows[charge.limit] == nil {
        windows[charge.limit] =
          UsageWindow(limits.quota(of: kind), window: limits.window, at: now)
      }
      let isBlocked = windows[charge.limit]?.extendBlock(by: limits.penalty, at: now)
      if isBlocked == true { throw .throttled(kind) }
    }
    for charge in charges { windows[charge.limit]?.add(load * charge.count, at: now) }
  }

  mutating func callHeaders(at now: Int) -> UsageHeaders {
    headers(of: touched.map { Charge(limit: $0) }, at: now)
  }

  /// The usage of every limit in use, and the minutes until its block ends.
  func usage(at now: Int) -> [(scope: LimitScope, load: UsageLoad, minutes: Int)] {
    zip(scopes, windows).compactMap { scope, window in
      guard var window else { return nil }
      return (scope, window.load(at: now), window.minutesBlocked(at: now))
    }
  }

  /// The headers of an operation that counted against these limits.
  mutating func headers(of charges: [Charge], at now: Int) -> UsageHeaders {
    var headers = UsageHeaders()
    appendHeaders(of: charges, at: now, to: &headers)
    return headers
  }

  /// Appends the headers of an operation to none.
  mutating func appendHeaders(
    of charges: [Charge], at now: Int, to headers: inout UsageHeaders
  ) {
    let app = load(at: now)
    headers.reserveCapacity()
    if let page = charges.first(where: { scopes[$0.limit].kind == .page }) {
      let load = load(of: page.limit, now)
      headers.append("X-Page-Usage") { load.append(to: &$0) }
    }
    let business = charges.filter { scopes[$0.limit].isBusiness }.prefix(Self.businessLimit)
    if let first = business.first?.limit {
      let ids =
        business.count == 1
        ? [scopes[first].id] : Set(business.map { scopes[$0.limit].id }).sorted()
      headers.append("X-Business-Use-Case-Usage") { text in
        for id in ids {
          GraphText.appendName(id, to: &text)
          text.append(UInt8(ascii: "["))
          for charge in business where scopes[charge.limit].id == id {
            appendEntry(of: charge.limit, now, to: &text)
          }
          text.append(UInt8(ascii: "]"))
        }
      }
    }
    if let account = business.first(where: { scopes[$0.limit].isAds }) {
      appendAdsHeaders(account.limit, app, now, to: &headers)
    }
    headers.append("X-App-Usage") { app.append(to: &$0) }
  }

  /// The application's usage.
  mutating func load(at now: Int) -> UsageLoad {
    load(of: number(of: LimitScope(kind: .app, id: "")), now)
  }

  private mutating func load(of limit: Int, _ now: Int) -> UsageLoad {
    windows[limit]?.load(at: now) ?? UsageLoad()
  }

  private mutating func appendEntry(of limit: Int, _ now: Int, to output: inout [UInt8]) {
    if output.last != UInt8(ascii: "[") { output.append(UInt8(ascii: ",")) }
    let kind = scopes[limit].kind
    GraphText.put("{\"type\":\"", to: &output)
    output.append(contentsOf: kind.rawValue.utf8)
    GraphText.put("\",", to: &output)
    load(of: limit, now).append(to: &output)
    GraphText.put(",\"estimated_time_to_regain_access\":", to: &output)
    GraphText.put(windows[limit]?.minutesBlocked(at: now) ?? 0, to: &output)
    if scopes[limit].isAds { GraphText.put(Self.tier, to: &output) }
    output.append(UInt8(ascii: "}"))
  }

  private mutating func appendAdsHeaders(
    _ limit: Int, _ app: UsageLoad, _ now: Int, to headers: inout UsageHeaders
  ) {
    let percent = load(of: limit, now).highest
    let reset = max(0, (windows[limit]?.blockedUntil ?? 0) - now)
    headers.append("X-Ad-Account-Usage") { text in
      GraphText.put("\"acc_id_util_pct\":", to: &text)
      GraphText.put(percent, to: &text)
      GraphText.put(",\"reset_time_duration\":", to: &text)
      GraphText.put(reset, to: &text)
      GraphText.put(Self.tier, to: &text)
    }
    guard scopes[limit].kind == .adsInsights else { return }
    headers.append("X-Fb-Ads-Insights-Throttle") { text in
      GraphText.put("\"app_id_util_pct\":", to: &text)
      GraphText.put(app.highest, to: &text)
      GraphText.put(",\"acc_id_util_pct\":", to: &text)
      GraphText.put(percent, to: &text)
      GraphText.put(Self.tier, to: &text)
    }
  }

  private static let tier: StaticString = ",\"ads_api_access_tier\":\"standard_access\""

  /// The limits that an operation counts against, the application's first.
  ///
  /// Every id of `ids=` counts (docs/internals/graph-api.md, decision 27).
  mutating func charges(
    for request: GraphRequest, _ session: Session?, _ objects: ObjectTable
  ) -> [Charge] {
    var charges: [Charge] = []
    guard let session else {
      add(.app, "", to: &charges)
      return charges
    }
    charges.reserveCapacity(4)
    guard request.method == .get, let ids = request.parameters["ids"] else {
      let id = request.path.first ?? request.parameters["id"] ?? ""
      append(chargesFor: id, request, session, objects, to: &charges)
      return charges
    }
    let list = ids.utf8.split(
      separator: UInt8(ascii: ","), maxSplits: GraphRequest.identifierLimit,
      omittingEmptySubsequences: false)
    for id in list {
      append(
        chargesFor: String(decoding: id, as: UTF8.self), request, session, objects, to: &charges)
    }
    return charges
  }

  private mutating func add(_ kind: RateLimits.Kind, _ id: String, to charges: inout [Charge]) {
    let limit = number(of: LimitScope(kind: kind, id: id))
    if let index = charges.firstIndex(where: { $0.limit == limit }) {
      charges[index].count += 1
    } else {
      charges.append(Charge(limit: limit))
    }
  }

  private mutating func append(
    chargesFor id: String, _ request: GraphRequest, _ session: Session, _ objects: ObjectTable,
    to charges: inout [Charge]
  ) {
    let isInsights = request.path.count > 1 && request.path[1] == "insights"
    let business = objects.business(of: id == "me" ? session.profile : id, isInsights: isInsights)
    switch business?.kind {
    case .instagram?, .adsManagement?, .adsInsights?: break
    case .pages? where session.grant.kind == .page: break
    default:
      // Platform limits; the limits of a business object replace them.
      add(.app, "", to: &charges)
      if session.grant.kind.isUser { add(.user, session.profile, to: &charges) }
    }
    if let business {
      let isForeign = business.kind == .pages && session.grant.kind != .page
      add(isForeign ? .page : business.kind, business.id, to: &charges)
    }
    if hasCustomLimit { add(.custom, session.profile, to: &charges) }
    if request.method == .post, request.path.count == 2,
      ["feed", "comments", "likes"].contains(request.path[1]), limits.quotas[.feed] != nil
    {
      add(.feed, session.profile, to: &charges)
    }
  }
}

extension ObjectTable {
  /// The page or account that an object belongs to, and the limit that counts its calls.
  fileprivate func business(of id: String, isInsights: Bool) -> LimitScope? {
    guard var place = self.place(of: id), var type = self[place]?.type else { return nil }
    // A comment belongs to the object above it; the limit bounds comments below comments.
    for _ in 0..<16 where type == .comment {
      guard let above = self[place]?.listings.first.flatMap({ self.place(of: $0.id) }),
        let aboveType = self[above]?.type
      else { break }
      (place, type) = (above, aboveType)
    }
    guard let owner = self[place]?.owner else { return nil }
    if type.isAds {
      return LimitScope(
        kind: isInsights ? .adsInsights : .adsManagement, id: String(owner.dropFirst(4)))
    }
    if type.isOfInstagram {
      return LimitScope(
        kind: .instagram, id: type == .instagramAccount ? self[place]?.id ?? "" : owner)
    }
    guard let profile = self.place(of: owner), self[profile]?.type == .page else {
      return nil
    }
    return LimitScope(kind: .pages, id: owner)
  }
}
