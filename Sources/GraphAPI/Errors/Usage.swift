package import JSONPath

/// The used share of Graph's rate limits, from its usage headers.
///
/// The headers are advisory: Graph throttles at 100 %, but not only then. Source: Graph API, "Rate
/// Limits".
package struct Usage: Hashable, Sendable {
  /// The percentages of one limit by measure: those of ``measures`` that Graph has returned.
  package typealias Load = [String: Double]

  /// Graph's measures: the number of calls, the total time, and the processor time.
  static let measures = ["call_count", "total_time", "total_cputime"]

  /// The usage of one business use case's limit for one business object.
  package struct BusinessUseCase: Hashable, Sendable {
    /// The business object's id.
    package let id: String
    /// The use case, such as `pages` or `ads_management`.
    package let type: String
    package fileprivate(set) var load: Load
    /// The time until calls are accepted again; nil or zero if they are accepted now.
    package fileprivate(set) var regainAccess: Duration?

    package var percentage: Double? { load.values.max() }

    /// Whether no call is accepted now.
    package var isFull: Bool { percentage ?? 0 >= 100 || regainAccess ?? .zero > .zero }

    /// Whether the business object is an ad account.
    package var isOfAds: Bool { type.hasPrefix("ads_") || type == "custom_audience" }

    /// The id as it begins paths, without the `act_` of an ad account.
    package var node: String { id.hasPrefix("act_") ? String(id.dropFirst(4)) : id }
  }

  /// `X-App-Usage`.
  package private(set) var app: Load?
  /// `X-Page-Usage`.
  package private(set) var page: Load?
  /// The percentage in `X-Ad-Account-Usage`.
  package private(set) var adAccount: Double?
  /// The time until the ad account's limit is reset, in `X-Ad-Account-Usage`.
  private var adAccountReset: Duration?
  /// The percentages in `X-FB-Ads-Insights-Throttle`.
  private var adsInsights = InsightsLoad()
  /// The higher percentage in `X-FB-Ads-Insights-Reach-Throttle`.
  ///
  /// It limits the number of reports per day with historic reach and breakdowns. Beyond the limit,
  /// reports lack the reach but do not fail, so the value is reported and does not slow down calls.
  package private(set) var adsInsightsReach: Double?
  /// `X-Business-Use-Case-Usage`, sorted by id and type.
  package private(set) var business: [BusinessUseCase] = []

  package init() {}

  /// Parses the usage headers of an answer or of an item; ignores invalid values.
  package init(headers: [HeaderField]) {
    app = Self.json("X-App-Usage", in: headers).map(Self.load)
    page = Self.json("X-Page-Usage", in: headers).map(Self.load)
    if let account = Self.json("X-Ad-Account-Usage", in: headers) {
      adAccount = Self.number(account["acc_id_util_pct"])
      adAccountReset = Self.number(account["reset_time_duration"]).map { .seconds($0) }
    }
    adsInsights = InsightsLoad("X-FB-Ads-Insights-Throttle", in: headers)
    adsInsightsReach = InsightsLoad("X-FB-Ads-Insights-Reach-Throttle", in: headers).highest
    let businesses = Self.json("X-Business-Use-Case-Usage", in: headers)?.object ?? JSON.Object()
    for (id, uses) in businesses {
      for use in uses.array ?? [] {
        let minutes = Self.number(use["estimated_time_to_regain_access"])
        merge(
          BusinessUseCase(
            id: id, type: use["type"]?.string ?? "unknown", load: Self.load(use),
            regainAccess: minutes.map { .seconds($0 * 60) }))
      }
    }
  }

  package var isEmpty: Bool { self == Usage() }

  /// The longest time until access is regained; nil if no limit is exhausted.
  ///
  /// An ad account's reset counts only if its limit is exhausted.
  package var regainAccess: Duration? {
    (business.map(\.regainAccess) + [adAccountPause]).compactMap(\.self).filter { $0 > .zero }
      .max()
  }

  /// The longest time until access to an account is regained; to any account if the id is nil.
  package func regainAccess(ofAccount id: String?) -> Duration? {
    guard let id, !business.isEmpty else { return regainAccess }
    return business.filter { $0.node == id }.compactMap(\.regainAccess).filter { $0 > .zero }.max()
  }

  package var appPercentage: Double? { Self.larger(app?.values.max(), adsInsights.app) }

  /// The highest percentage of the limits of the page, which the headers do not name.
  package var pagePercentage: Double? { page?.values.max() }

  /// The highest percentage of the limits of the ad account, which the headers do not name.
  package var adAccountPercentage: Double? { Self.larger(adAccount, adsInsights.account) }

  /// How long calls for the ad account have to pause; nil if they need not.
  package var adAccountPause: Duration? {
    guard let adAccount, adAccount >= 100, let adAccountReset, adAccountReset > .zero else {
      return nil
    }
    return adAccountReset
  }

  /// The maximum of each value.
  package func merged(with other: Usage) -> Usage {
    var result = self
    result.app = Self.larger(app, other.app)
    result.page = Self.larger(page, other.page)
    result.adAccount = Self.larger(adAccount, other.adAccount)
    result.adAccountReset = Self.larger(adAccountReset, other.adAccountReset)
    result.adsInsights.app = Self.larger(adsInsights.app, other.adsInsights.app)
    result.adsInsights.account = Self.larger(adsInsights.account, other.adsInsights.account)
    result.adsInsightsReach = Self.larger(adsInsightsReach, other.adsInsightsReach)
    for use in other.business { result.merge(use) }
    return result
  }

  private mutating func merge(_ use: BusinessUseCase) {
    if let index = business.firstIndex(where: { $0.id == use.id && $0.type == use.type }) {
      business[index].load.merge(use.load, uniquingKeysWith: max)
      business[index].regainAccess = Self.larger(business[index].regainAccess, use.regainAccess)
    } else {
      let position = business.firstIndex { ($0.id, $0.type) > (use.id, use.type) }
      business.insert(use, at: position ?? business.endIndex)
    }
  }

  private static func larger<Value: Comparable>(_ left: Value?, _ right: Value?) -> Value? {
    [left, right].compactMap(\.self).max()
  }

  private static func larger(_ left: Load?, _ right: Load?) -> Load? {
    guard let left, let right else { return left ?? right }
    return left.merging(right, uniquingKeysWith: max)
  }
}

extension Usage {
  private static func json(_ name: String, in headers: [HeaderField]) -> JSON? {
    guard let text = headers[name], let json = try? JSON(parsing: text), json.object != nil else {
      return nil
    }
    return json
  }

  private static func load(_ json: JSON) -> Load {
    measures.reduce(into: Load(minimumCapacity: measures.count)) { $0[$1] = number(json[$1]) }
  }

  /// The percentages in a header of ads insights: of the app, and of the ad account.
  private struct InsightsLoad: Hashable, Sendable {
    var app: Double?
    var account: Double?

    init() {}

    init(_ name: String, in headers: [HeaderField]) {
      let load = json(name, in: headers)
      (app, account) = (number(load?["app_id_util_pct"]), number(load?["acc_id_util_pct"]))
    }

    var highest: Double? { larger(app, account) }
  }

  /// A percentage or time, as a number or a string such as `28%`; nil if negative or above 10^9.
  private static func number(_ value: JSON?) -> Double? {
    let number: Double?
    if let text = value?.string {
      number = Double(text.hasSuffix("%") ? String(text.dropLast()) : text)
    } else {
      number = value?.number?.double
    }
    guard let number, (0...1e9).contains(number) else { return nil }
    return number
  }

  /// Whether headers in JSON text may include a usage header, even with escaped letters.
  ///
  /// If false, there is none.
  static func mayBePresent(in text: ArraySlice<UInt8>) -> Bool {
    text.withUnsafeBufferPointer { bytes in
      bytes.indices.contains { index in
        switch bytes[index] {
        case UInt8(ascii: "u"), UInt8(ascii: "U"): bytes.matches("usage", at: index)
        case UInt8(ascii: "t"), UInt8(ascii: "T"): bytes.matches("throttle", at: index)
        case UInt8(ascii: "\\"): bytes.matches("\\u", at: index)
        default: false
        }
      }
    }
  }
}

extension Usage {
  /// The usage for reports: known values only, in percent and seconds.
  package var json: JSON {
    var object = JSON.Object()
    object["app"] = app.map { .object(Self.members($0)) }
    object["page"] = page.map { .object(Self.members($0)) }
    if let adAccount {
      var members = JSON.Object([("utilization", Self.json(adAccount))])
      members["reset_seconds"] = adAccountReset.map(Self.json)
      object["ad_account"] = .object(members)
    }
    object["ads_insights"] = adsInsights.highest.map(Self.json)
    object["ads_insights_reach"] = adsInsightsReach.map(Self.json)
    if !business.isEmpty { object["business"] = .array(business.map(Self.json)) }
    return .object(object)
  }

  private static func json(_ use: BusinessUseCase) -> JSON {
    let names: JSON.Object = ["id": .string(use.id), "type": .string(use.type)]
    var members = JSON.Object(names.members + members(use.load).members)
    members["regain_access_seconds"] = use.regainAccess.map(json)
    return .object(members)
  }

  private static func members(_ load: Load) -> JSON.Object {
    measures.reduce(into: JSON.Object()) { $0[$1] = load[$1].map(json) }
  }

  private static func json(_ time: Duration) -> JSON {
    json(Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18)
  }

  private static func json(_ number: Double) -> JSON {
    if let whole = Int(exactly: number) { return .number(JSON.Number(whole)) }
    return JSON.Number(lexeme: "\(number)").map(JSON.number) ?? .null
  }
}
