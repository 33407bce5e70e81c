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
      (numbers, scopes, windows, written) = ([:], [], [], [])
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

  /// The headers of the last answers, by the limits that they report.
  private var written: [WrittenUsage] = []

  /// Headers, and what they report of each limit, the application's first.
  private struct WrittenUsage {
    let limits: [Int]
    let states: [LimitState]
    let headers: UsageHeaders
  }

  /// What a header reports of a limit.
  private struct LimitState: Equatable {
    var load = UsageLoad()
    /// Seconds until a block ends.
    var reset = 0

    var minutes: Int { (reset + 59) / 60 }
  }

  /// The most headers that are kept: those of the limits in use at a time.
  private static let writtenLimit = 16
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
  ///
  /// They are written again only if a number in them has changed.
  mutating func headers(of charges: [Charge], at now: Int) -> UsageHeaders {
    let app = number(of: LimitScope(kind: .app, id: ""))
    let known = written.firstIndex { entry in
      entry.limits.count == charges.count
        && charges.indices.allSatisfy { entry.limits[$0] == charges[$0].limit }
    }
    if let known, state(of: app, now) == written[known].states[0],
      charges.indices.allSatisfy({
        state(of: charges[$0].limit, now) == written[known].states[$0 + 1]
      })
    {
      return written[known].headers
    }
    let states = ([app] + charges.map(\.limit)).map { state(of: $0, now) }
    let headers = UsageHeaders(members(of: charges, states))
    let entry = WrittenUsage(limits: charges.map(\.limit), states: states, headers: headers)
    if let known {
      written[known] = entry
    } else {
      if written.count == Self.writtenLimit { written.removeFirst() }
      written.append(entry)
    }
    return headers
  }

  private mutating func state(of limit: Int, _ now: Int) -> LimitState {
    guard let load = windows[limit]?.load(at: now) else { return LimitState() }
    return LimitState(load: load, reset: max(0, (windows[limit]?.blockedUntil ?? 0) - now))
  }

  /// The members of the JSON object in each header.
  private func members(
    of charges: [Charge], _ states: [LimitState]
  ) -> [(name: StaticString, members: [UInt8])] {
    let app = states[0].load
    let reported = zip(charges, states.dropFirst()).map { (scope: scopes[$0.limit], state: $1) }
    var headers: [(name: StaticString, members: [UInt8])] = []
    if let page = reported.first(where: { $0.scope.kind == .page }) {
      headers.append(("X-Page-Usage", page.state.load.members))
    }
    let business = reported.filter { $0.scope.isBusiness }.prefix(Self.businessLimit)
    if !business.isEmpty {
      var text: [UInt8] = []
      for id in Set(business.map(\.scope.id)).sorted() {
        if !text.isEmpty { text.append(UInt8(ascii: ",")) }
        GraphText.append(id, to: &text)
        GraphText.put(":[", to: &text)
        for (scope, state) in business where scope.id == id {
          Self.appendEntry(of: scope, state, to: &text)
        }
        text.append(UInt8(ascii: "]"))
      }
      headers.append(("X-Business-Use-Case-Usage", text))
    }
    if let account = business.first(where: { $0.scope.isAds }) {
      headers += Self.adsHeaders(of: account.scope, account.state, app)
    }
    headers.append(("X-App-Usage", app.members))
    return headers
  }

  /// The application's usage.
  mutating func load(at now: Int) -> UsageLoad {
    state(of: number(of: LimitScope(kind: .app, id: "")), now).load
  }

  private static func appendEntry(
    of scope: LimitScope, _ state: LimitState, to output: inout [UInt8]
  ) {
    if output.last != UInt8(ascii: "[") { output.append(UInt8(ascii: ",")) }
    output +=
      "{\"type\":\"\(scope.kind.rawValue)\",".utf8 + state.load.members
      + ",\"estimated_time_to_regain_access\":\(state.minutes)\(scope.isAds ? tier : "")}".utf8
  }

  private static func adsHeaders(
    of scope: LimitScope, _ state: LimitState, _ app: UsageLoad
  ) -> [(name: StaticString, members: [UInt8])] {
    let percent = state.load.highest
    let account = "\"acc_id_util_pct\":\(percent),\"reset_time_duration\":\(state.reset)\(tier)"
    guard scope.kind == .adsInsights else { return [("X-Ad-Account-Usage", Array(account.utf8))] }
    let insights =
      "\"app_id_util_pct\":\(app.highest),\"acc_id_util_pct\":\(percent)\(tier)"
    return [
      ("X-Ad-Account-Usage", Array(account.utf8)),
      ("X-Fb-Ads-Insights-Throttle", Array(insights.utf8)),
    ]
  }

  private static let tier = ",\"ads_api_access_tier\":\"standard_access\""

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
  /// The limit of the page or account that a request is about.
  func business(of request: GraphRequest) -> LimitScope? {
    let isInsights = request.path.count > 1 && request.path[1] == "insights"
    return request.path.first.flatMap { business(of: $0, isInsights: isInsights) }
  }

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
