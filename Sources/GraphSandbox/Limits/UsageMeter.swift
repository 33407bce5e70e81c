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

  var limits = RateLimits() { didSet { (numbers, meters) = ([:], []) } }
  /// The numbers of the limits that operations have counted against.
  private var numbers: [LimitScope: Int] = [:]
  /// By number; a limit has no window before its first use.
  private var meters: [(scope: LimitScope, window: UsageWindow?)] = []
  /// The limits that the current call counts against, in order; its headers report them.
  private var touched: [Int] = []

  /// The most objects in one `X-Business-Use-Case-Usage`.
  private static let businessLimit = 32

  mutating func startCall() { touched.removeAll(keepingCapacity: true) }

  /// The number of a limit.
  mutating func number(of scope: LimitScope) -> Int {
    if let number = numbers[scope] { return number }
    numbers[scope] = meters.count
    meters.append((scope, nil))
    return meters.count - 1
  }

  /// Counts an operation.
  ///
  /// - Throws: the error of the first blocked limit. Then nothing is counted, and the block is
  ///   extended.
  mutating func charge(_ charges: [Charge], _ load: UsageLoad, at now: Int) throws(GraphFault) {
    for charge in charges {
      let kind = meters[charge.limit].scope.kind
      if !touched.contains(charge.limit) { touched.append(charge.limit) }
      if meters[charge.limit].window == nil {
        meters[charge.limit].window =
          UsageWindow(limits.quota(of: kind), window: limits.window, at: now)
      }
      let isBlocked = meters[charge.limit].window?.extendBlock(by: limits.penalty, at: now)
      if isBlocked == true { throw .throttled(kind) }
    }
    for charge in charges { meters[charge.limit].window?.add(load * charge.count, at: now) }
  }

  mutating func callHeaders(at now: Int) -> UsageHeaders {
    headers(of: touched.map { Charge(limit: $0) }, at: now)
  }

  /// The usage of every limit in use, and the minutes until its block ends.
  func usage(at now: Int) -> [(scope: LimitScope, load: UsageLoad, minutes: Int)] {
    meters.compactMap { scope, window in
      guard var window else { return nil }
      return (scope, window.load(at: now), window.minutesBlocked(at: now))
    }
  }

  /// The headers of an operation that counted against these limits.
  mutating func headers(of charges: [Charge], at now: Int) -> UsageHeaders {
    let app = load(of: number(of: LimitScope(kind: .app, id: "")), now).text
    var others: [(name: String, value: String)] = []
    if let page = charges.first(where: { meters[$0.limit].scope.kind == .page }) {
      others.append(("X-Page-Usage", load(of: page.limit, now).text))
    }
    let business = charges.map(\.limit).filter { meters[$0].scope.isBusiness }
      .prefix(Self.businessLimit)
    guard !business.isEmpty else { return UsageHeaders(app: app, others: others) }
    var text = [UInt8(ascii: "{")]
    for id in Set(business.map { meters[$0].scope.id }).sorted() {
      GraphText.appendName(id, to: &text)
      text.append(UInt8(ascii: "["))
      for limit in business where meters[limit].scope.id == id {
        appendEntry(of: limit, now, to: &text)
      }
      text.append(UInt8(ascii: "]"))
    }
    text.append(UInt8(ascii: "}"))
    others.append((UsageHeaders.business, String(decoding: text, as: UTF8.self)))
    if let account = business.first(where: { meters[$0].scope.isAds }) {
      others += adsHeaders(account, now)
    }
    return UsageHeaders(app: app, others: others)
  }

  private mutating func load(of limit: Int, _ now: Int) -> UsageLoad {
    meters[limit].window?.load(at: now) ?? UsageLoad()
  }

  private mutating func appendEntry(of limit: Int, _ now: Int, to output: inout [UInt8]) {
    if output.last != UInt8(ascii: "[") { output.append(UInt8(ascii: ",")) }
    output.append(UInt8(ascii: "{"))
    let scope = meters[limit].scope
    GraphText.appendMember("type", scope.kind.rawValue, to: &output)
    load(of: limit, now).appendMembers(to: &output)
    GraphText.appendMember(
      "estimated_time_to_regain_access", meters[limit].window?.minutesBlocked(at: now) ?? 0,
      to: &output)
    if scope.isAds { output += ",\(Self.tier)".utf8 }
    output.append(UInt8(ascii: "}"))
  }

  private mutating func adsHeaders(
    _ limit: Int, _ now: Int
  ) -> [(name: String, value: String)] {
    let percent = load(of: limit, now).highest
    let reset = max(0, (meters[limit].window?.blockedUntil ?? 0) - now)
    let account = (
      name: "X-Ad-Account-Usage",
      value: "{\"acc_id_util_pct\":\(percent),\"reset_time_duration\":\(reset),\(Self.tier)}"
    )
    guard meters[limit].scope.kind == .adsInsights else { return [account] }
    let app = load(of: number(of: LimitScope(kind: .app, id: "")), now).highest
    let insights = (
      name: "X-Fb-Ads-Insights-Throttle",
      value: "{\"app_id_util_pct\":\(app),\"acc_id_util_pct\":\(percent),\(Self.tier)}"
    )
    return [account, insights]
  }

  private static let tier = "\"ads_api_access_tier\":\"standard_access\""

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
    let isInsights = request.path.count > 1 && request.path[1] == Edge.insights.rawValue
    let business = objects.business(of: id == "me" ? session.profile : id, isInsights: isInsights)
    switch business?.kind {
    case .instagram?, .adsManagement?, .adsInsights?: break
    case .pages? where session.grant.kind == .page: break
    default:
      // Platform limits; the limits of a business object replace them.
      add(.app, "", to: &charges)
      if session.grant.kind == .user { add(.user, session.profile, to: &charges) }
    }
    if let business {
      let isForeign = business.kind == .pages && session.grant.kind != .page
      add(isForeign ? .page : business.kind, business.id, to: &charges)
    }
    if limits.quotas[.custom] != nil { add(.custom, session.profile, to: &charges) }
    if limits.quotas[.feed] != nil, request.method == .post, request.path.count == 2,
      ["feed", "comments", "likes"].contains(request.path[1])
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
    switch type {
    case .instagramAccount, .instagramContainer, .instagramMedia:
      return LimitScope(
        kind: .instagram, id: type == .instagramAccount ? self[place]?.id ?? "" : owner)
    case .adAccount, .campaign, .adSet, .ad, .adCreative:
      return LimitScope(
        kind: isInsights ? .adsInsights : .adsManagement, id: String(owner.dropFirst(4)))
    default: break
    }
    guard let profile = self.place(of: owner), self[profile]?.type == .page else {
      return nil
    }
    return LimitScope(kind: .pages, id: owner)
  }
}
