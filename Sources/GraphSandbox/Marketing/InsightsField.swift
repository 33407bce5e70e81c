/// A field of insights that the sandbox computes.
///
/// Source: Marketing API, Ads Insights reference; the names are those of facebook_business 26.
enum InsightsField: Sendable {
  /// A text about the account, campaign, ad set or ad.
  case text(InsightsText)
  case dateStart
  case dateStop
  case number(InsightsNumber)
  /// A list of numbers by type of action.
  case list(InsightsList)

  init?(_ name: String) {
    if let field = Self.table[name] {
      self = field
    } else if let text = InsightsText(rawValue: name) {
      self = .text(text)
    } else {
      return nil
    }
  }

  private static let table: [String: InsightsField] = {
    var table: [String: InsightsField] = ["date_start": .dateStart, "date_stop": .dateStop]
    for (name, number) in InsightsNumber.all { table[name] = .number(number) }
    for list in InsightsList.allCases { table[list.rawValue] = .list(list) }
    return table
  }()

  /// Reads the names of `fields`; nil for those that Graph knows and that have no value here.
  static func reading(
    _ names: [String]
  ) throws(GraphFault) -> [(name: String, field: InsightsField?)] {
    let fields = names.map { (name: $0, field: InsightsField($0)) }
    let unknown = fields.filter { $0.field == nil && !absent.contains($0.name) }.map(\.name)
    guard unknown.isEmpty else { throw .insightFieldsInvalid(unknown) }
    return fields
  }
}

/// The texts of insights; the raw value is the field's name.
enum InsightsText: String, Sendable {
  case accountCurrency = "account_currency"
  case accountID = "account_id"
  case accountName = "account_name"
  case adID = "ad_id"
  case adName = "ad_name"
  case adSetID = "adset_id"
  case adSetName = "adset_name"
  case attributionSetting = "attribution_setting"
  case buyingType = "buying_type"
  case campaignID = "campaign_id"
  case campaignName = "campaign_name"
  case createdTime = "created_time"
  case objective
  case optimizationGoal = "optimization_goal"
  case updatedTime = "updated_time"
}

/// A number of insights: one amount, or the quotient of two.
struct InsightsNumber: Sendable {
  /// What is added up.
  enum Amount: Sendable {
    case count(DeliveryCount)
    /// The different people behind a count.
    case people(DeliveryCount)
    /// All that people do with a post.
    case engagement
    /// The currency's units of an amount of cents.
    case money(DeliveryCount)
  }

  let amount: Amount
  /// nil: the amount itself.
  let divisor: Amount?
  /// What the quotient is multiplied with: 100 for percentages, 1,000 for costs of that number.
  let factor: Int

  init(_ amount: Amount, per divisor: Amount? = nil, times factor: Int = 1) {
    (self.amount, self.divisor, self.factor) = (amount, divisor, factor)
  }

  /// Whether it is a number of people, or made of one; hours have none.
  var isAboutPeople: Bool {
    for case .people? in [amount, divisor] { return true }
    return false
  }

  private static let (impressions, reach) = (
    Amount.count(.impressions), Amount.people(.impressions)
  )
  private static let (clicks, links) = (Amount.count(.clicks), Amount.count(.linkClicks))
  private static let spend = Amount.money(.cents)

  static let all: [String: InsightsNumber] = [
    "clicks": .init(clicks),
    "cost_per_inline_link_click": .init(spend, per: links),
    "cost_per_inline_post_engagement": .init(spend, per: .engagement),
    "cost_per_unique_click": .init(spend, per: .people(.clicks)),
    "cost_per_unique_inline_link_click": .init(spend, per: .people(.linkClicks)),
    "cpc": .init(spend, per: clicks),
    "cpm": .init(spend, per: impressions, times: 1_000),
    "cpp": .init(spend, per: reach, times: 1_000),
    "ctr": .init(clicks, per: impressions, times: 100),
    "frequency": .init(impressions, per: reach),
    "impressions": .init(impressions),
    "inline_link_click_ctr": .init(links, per: impressions, times: 100),
    "inline_link_clicks": .init(links),
    "inline_post_engagement": .init(.engagement),
    "reach": .init(reach),
    "spend": .init(spend),
    "unique_clicks": .init(.people(.clicks)),
    "unique_ctr": .init(.people(.clicks), per: reach, times: 100),
    "unique_inline_link_click_ctr": .init(.people(.linkClicks), per: reach, times: 100),
    "unique_inline_link_clicks": .init(.people(.linkClicks)),
    "unique_link_clicks_ctr": .init(.people(.linkClicks), per: reach, times: 100),
  ]
}

/// The lists of insights; the raw value is the field's name.
enum InsightsList: String, CaseIterable, Sendable {
  case actions
  case actionValues = "action_values"
  case costPerActionType = "cost_per_action_type"
  case costPerOutboundClick = "cost_per_outbound_click"
  case costPerUniqueActionType = "cost_per_unique_action_type"
  case costPerUniqueOutboundClick = "cost_per_unique_outbound_click"
  case outboundClicks = "outbound_clicks"
  case outboundClicksRate = "outbound_clicks_ctr"
  case purchaseReturn = "purchase_roas"
  case uniqueActions = "unique_actions"
  case uniqueOutboundClicks = "unique_outbound_clicks"
  case uniqueOutboundClicksRate = "unique_outbound_clicks_ctr"
  case websiteRate = "website_ctr"
  case websitePurchaseReturn = "website_purchase_roas"
}

/// A type of action: what `action_type` says, and the counts that it adds up.
struct InsightsAction: Sendable {
  let type: String
  let counts: [DeliveryCount]
  /// Whether it takes place outside of Meta; places and hours of these are not known
  /// (Insights API Breakdowns, off-Meta action metrics).
  var isOutside = false

  static let all = [
    InsightsAction(type: "link_click", counts: [.linkClicks]),
    outside("landing_page_view", .landingPageViews),
    outside("view_content", .contentViews),
    outside("offsite_conversion.fb_pixel_view_content", .contentViews),
    outside("add_to_cart", .cartAdditions),
    outside("offsite_conversion.fb_pixel_add_to_cart", .cartAdditions),
    outside("purchase", .purchases),
    outside("omni_purchase", .purchases),
    outside("offsite_conversion.fb_pixel_purchase", .purchases),
    InsightsAction(type: "post_reaction", counts: [.reactions]),
    InsightsAction(type: "comment", counts: [.comments]),
    InsightsAction(type: "post", counts: [.shares]),
    InsightsAction(type: "like", counts: [.pageLikes]),
    InsightsAction(type: "post_engagement", counts: engagement),
    InsightsAction(type: "page_engagement", counts: engagement + [.pageLikes]),
  ]

  /// What `inline_post_engagement` adds up.
  static let engagement: [DeliveryCount] = [.linkClicks, .reactions, .comments, .shares]

  private static func outside(_ type: String, _ count: DeliveryCount) -> InsightsAction {
    InsightsAction(type: type, counts: [count], isOutside: true)
  }
}
