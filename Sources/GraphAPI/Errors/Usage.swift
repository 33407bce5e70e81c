internal import JSONPath

/// The used share of Graph's rate limits, from its usage headers.
///
/// The headers are advisory: Graph throttles at 100 %, but not only then. Source: Graph API, "Rate
/// Limits".
package struct Usage: Hashable, Sendable {
  /// The percentages of one limit, one for each of Graph's measures.
  package struct Load: Hashable, Sendable {
    /// The percentage of the number of calls.
    package var callCount: Double?
    /// The percentage of the total time.
    package var totalTime: Double?
    /// The percentage of the processor time.
    package var totalCPUTime: Double?
  }

  /// The usage of one business use case's limit for one business object.
  package struct BusinessUseCase: Hashable, Sendable {
    /// The business object's id.
    package let id: String
    /// The use case, such as `pages` or `ads_management`.
    package let type: String
    /// The percentages.
    package var load: Load
    /// The time until calls are accepted again; nil or zero if they are accepted now.
    package var regainAccess: Duration?
  }

  /// `X-App-Usage`.
  package private(set) var app: Load?
  /// `X-Page-Usage`.
  package private(set) var page: Load?
  /// The percentage in `X-Ad-Account-Usage`.
  package private(set) var adAccount: Double?
  /// The time until the ad account's limit is reset, in `X-Ad-Account-Usage`.
  package private(set) var adAccountReset: Duration?
  /// The higher percentage in `X-FB-Ads-Insights-Throttle`.
  package private(set) var adsInsights: Double?
  /// The higher percentage in `X-FB-Ads-Insights-Reach-Throttle`.
  ///
  /// It limits the number of reports per day with historic reach and breakdowns. Beyond the limit,
  /// reports lack the reach but do not fail, so the value is reported and does not slow down calls.
  package private(set) var adsInsightsReach: Double?
  /// `X-Business-Use-Case-Usage`, sorted by id and type.
  package private(set) var business: [BusinessUseCase] = []

  /// No usage.
  package init() {}

  /// Parses the usage headers of an answer or of an item; ignores invalid values.
  package init(headers: [HeaderField]) {
    app = Self.json("X-App-Usage", in: headers).map(Load.init)
    page = Self.json("X-Page-Usage", in: headers).map(Load.init)
    if let account = Self.json("X-Ad-Account-Usage", in: headers) {
      adAccount = Self.number(account["acc_id_util_pct"])
      adAccountReset = Self.number(account["reset_time_duration"]).map { .seconds($0) }
    }
    adsInsights = Self.insightsLoad("X-FB-Ads-Insights-Throttle", in: headers)
    adsInsightsReach = Self.insightsLoad("X-FB-Ads-Insights-Reach-Throttle", in: headers)
    let businesses = Self.json("X-Business-Use-Case-Usage", in: headers)?.object ?? JSON.Object()
    for (id, uses) in businesses {
      for use in uses.array ?? [] { merge(BusinessUseCase(id: id, use)) }
    }
  }

  /// Whether there are no values.
  package var isEmpty: Bool { self == Usage() }

  /// The longest time until access is regained; nil if no limit is exhausted.
  ///
  /// An ad account's reset counts only if its limit is exhausted.
  package var regainAccess: Duration? {
    var times = business.compactMap(\.regainAccess)
    if let tokenPause { times.append(tokenPause) }
    return times.filter { $0 > .zero }.max()
  }

  /// The maximum of each value.
  package func merged(with other: Usage) -> Usage {
    var result = self
    result.app = Load.larger(app, other.app)
    result.page = Load.larger(page, other.page)
    result.adAccount = Self.larger(adAccount, other.adAccount)
    result.adAccountReset = Self.larger(adAccountReset, other.adAccountReset)
    result.adsInsights = Self.larger(adsInsights, other.adsInsights)
    result.adsInsightsReach = Self.larger(adsInsightsReach, other.adsInsightsReach)
    for use in other.business { result.merge(use) }
    return result
  }

  private mutating func merge(_ use: BusinessUseCase) {
    if let index = business.firstIndex(where: { $0.id == use.id && $0.type == use.type }) {
      business[index].load = Load.larger(business[index].load, use.load) ?? use.load
      business[index].regainAccess = Self.larger(business[index].regainAccess, use.regainAccess)
    } else {
      let position = business.firstIndex { ($0.id, $0.type) > (use.id, use.type) }
      business.insert(use, at: position ?? business.endIndex)
    }
  }
}

/// The usage by scope of the limit.
extension Usage {
  /// The highest percentage of the app's limit.
  package var appPercentage: Double? { app?.highest }

  /// The highest percentage of the limits of the request's token: its page and its ad account, which
  /// the headers do not name.
  package var tokenPercentage: Double? {
    [page?.highest, adAccount, adsInsights].compactMap(\.self).max()
  }

  /// How long calls for the token's ad account have to pause; nil if they need not.
  package var tokenPause: Duration? {
    guard let adAccount, adAccount >= 100, let adAccountReset, adAccountReset > .zero else {
      return nil
    }
    return adAccountReset
  }
}

extension Usage.BusinessUseCase {
  /// The highest of the percentages.
  package var percentage: Double? { load.highest }
}
