internal import JSONPath

/// How much of Graph's limits is used up, as its usage headers say.
///
/// The headers are advice: Graph throttles at 100 %, but not only then. Source: Graph API, "Rate
/// Limits".
package struct Usage: Hashable, Sendable {
  /// Percents of one limit, in each measure that Graph takes.
  package struct Load: Hashable, Sendable {
    /// Percent of the number of calls.
    package var callCount: Double?

    /// Percent of the total time.
    package var totalTime: Double?

    /// Percent of the processor time.
    package var totalCPUTime: Double?
  }

  /// The limit of one kind of use for one business object.
  package struct BusinessUseCase: Hashable, Sendable {
    /// The business object's id.
    package let id: String

    /// The kind of use, such as `pages` or `ads_management`.
    package let type: String

    /// The percents.
    package var load: Load

    /// How long until calls are answered again; nil or zero if they are answered now.
    package var regainAccess: Duration?
  }

  /// `X-App-Usage`.
  package private(set) var app: Load?

  /// `X-Page-Usage`.
  package private(set) var page: Load?

  /// Percent in `X-Ad-Account-Usage`.
  package private(set) var adAccount: Double?

  /// Time until an ad account's limit starts anew, in `X-Ad-Account-Usage`.
  package private(set) var adAccountReset: Duration?

  /// The higher percent in `X-FB-Ads-Insights-Throttle`.
  package private(set) var adsInsights: Double?

  /// The higher percent in `X-FB-Ads-Insights-Reach-Throttle`.
  ///
  /// It is of the reports a day that may ask for the reach of long ago by breakdowns. Beyond it they
  /// lack the reach, and nothing is refused: so it is reported, and slows nothing down.
  package private(set) var adsInsightsReach: Double?

  /// `X-Business-Use-Case-Usage`, sorted by id and type.
  package private(set) var business: [BusinessUseCase] = []

  /// No usage.
  package init() {}

  /// Reads the usage headers of an answer or of an item; what cannot be read is left out.
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

  /// Whether nothing is known.
  package var isEmpty: Bool { self == Usage() }

  /// How long Graph wants to be left alone: the longest time until access is regained.
  ///
  /// An ad account's reset counts only once its limit is used up.
  package var regainAccess: Duration? {
    var times = business.compactMap(\.regainAccess)
    if let tokenPause { times.append(tokenPause) }
    return times.filter { $0 > .zero }.max()
  }

  /// The worse of both, measure by measure.
  package func merged(with other: Usage) -> Usage {
    var result = self
    result.app = Load.worse(app, other.app)
    result.page = Load.worse(page, other.page)
    result.adAccount = Self.worse(adAccount, other.adAccount)
    result.adAccountReset = Self.worse(adAccountReset, other.adAccountReset)
    result.adsInsights = Self.worse(adsInsights, other.adsInsights)
    result.adsInsightsReach = Self.worse(adsInsightsReach, other.adsInsightsReach)
    for use in other.business { result.merge(use) }
    return result
  }

  private mutating func merge(_ use: BusinessUseCase) {
    if let index = business.firstIndex(where: { $0.id == use.id && $0.type == use.type }) {
      business[index].load = Load.worse(business[index].load, use.load) ?? use.load
      business[index].regainAccess = Self.worse(business[index].regainAccess, use.regainAccess)
    } else {
      let position = business.firstIndex { ($0.id, $0.type) > (use.id, use.type) }
      business.insert(use, at: position ?? business.endIndex)
    }
  }
}
