import JSONPath

/// What the rows of insights are about.
enum InsightsLevel: String, CaseIterable, Sendable {
  case ad
  case adset
  case campaign
  case account

  var type: NodeType {
    switch self {
    case .ad: .ad
    case .adset: .adSet
    case .campaign: .campaign
    case .account: .adAccount
    }
  }
}

/// A request for insights, with all of its parameters checked.
///
/// Source: Marketing API, Ad Account Insights, parameters.
struct InsightsQuery: Sendable {
  private(set) var level: InsightsLevel
  private(set) var time: InsightsTime
  private(set) var breakdowns: [InsightsBreakdown]
  private(set) var filters: [InsightsFilter]
  private(set) var fields: [(name: String, field: InsightsField?)]
  /// The fields of the row that adds all rows up; none: no such row.
  let summary: [(name: String, field: InsightsField?)]
  let order: InsightsOrder?
  /// The attribution windows that lists show beside their values.
  let windows: [String]

  /// The fields of a request without `fields`.
  private static let standardFields = ["impressions", "spend"]

  /// The parameters that decide rows, or that make no difference in the sandbox's model: all actions
  /// take place soon after a click, so every setting of attribution gives the same.
  static let parameters: Set = [
    "action_attribution_windows", "action_breakdowns", "action_report_time", "breakdowns",
    "date_preset", "default_summary", "fields", "filtering", "graph_cache", "level", "limit",
    "sort",
    "summary", "time_increment", "time_range", "time_ranges", "use_account_attribution_setting",
    "use_unified_attribution_setting",
  ]

  /// Reads the parameters of a request to an object of a type; `today` is a day from 1970.
  init(
    _ parameters: Parameters, of type: NodeType, today: Int
  ) throws(GraphFault) {
    let own = InsightsLevel.allCases.first { $0.type == type } ?? .account
    let name = parameters["level"] ?? ""
    guard let level = name.isEmpty ? own : InsightsLevel(rawValue: name) else {
      throw .notOneOf("level", InsightsLevel.allCases.map(\.rawValue))
    }
    self.level = level
    let selection = try FieldSelection.reading(parameters.bytes(of: "fields"))
    let names = selection.map { selection in selection.fields.map { selection.text(of: $0) } }
    fields = try InsightsField.reading(names ?? Self.standardFields)
    time = try InsightsTime(parameters, today: today)
    breakdowns = try InsightsBreakdown.reading(parameters.relaxedWords("breakdowns"))
    filters = try InsightsFilter.reading(parameters["filtering"]) { field throws(GraphFault) in
      try InsightsFilter.subject(ofReport: field, level: level)
    }
    for case .breakdown(let breakdown) in filters.map(\.subject)
    where !breakdowns.contains(breakdown) {
      throw .filterInvalid(breakdown.rawValue)
    }
    order = try InsightsOrder.reading(parameters.relaxedWords("sort"))
    var summary = parameters.relaxedWords("summary")
    if summary.isEmpty, parameters.flag("default_summary") == true {
      summary = fields.map(\.name)
    }
    self.summary = try InsightsField.reading(summary)
    windows = try Self.windows(parameters.relaxedWords("action_attribution_windows"))
    try Self.checkActionBreakdowns(parameters.relaxedWords("action_breakdowns"))
  }

  /// Actions are shown by type only.
  private static func checkActionBreakdowns(_ values: [String]) throws(GraphFault) {
    let name = "action_breakdowns"
    for (index, value) in values.enumerated() where value != "action_type" {
      guard actionBreakdowns.contains(value) else {
        throw .notOneOf("\(name)[\(index)]", actionBreakdowns)
      }
      throw .insightsUnserved(value, of: name)
    }
  }

  /// The windows that have values: all actions of the model follow a click within a day.
  private static func windows(_ values: [String]) throws(GraphFault) -> [String] {
    let name = "action_attribution_windows"
    for (index, value) in values.enumerated() {
      guard attributionWindows.contains(value) || otherWindows.contains(value) else {
        throw .notOneOf("\(name)[\(index)]", (attributionWindows + otherWindows).sorted())
      }
      if otherWindows.contains(value) { throw .insightsUnserved(value, of: name) }
    }
    return values.filter { $0.hasSuffix("_click") }
  }

  private static let attributionWindows = [
    "1d_click", "1d_ev", "1d_view", "28d_click", "28d_view", "7d_click", "7d_view", "default",
  ]

  /// The other windows of facebook_business 26, `AdsInsights.ActionAttributionWindows`.
  private static let otherWindows = [
    "1d_sequenced", "28d_sequenced", "28d_view_all_conversions", "28d_view_first_conversion",
    "7d_sequenced", "7d_view_all_conversions", "7d_view_first_conversion", "custom", "dda",
    "incrementality", "incrementality_all_conversions", "incrementality_first_conversion",
    "skan_click", "skan_click_second_postback", "skan_click_third_postback", "skan_view",
    "skan_view_second_postback", "skan_view_third_postback",
  ]

  /// facebook_business 26, `AdsInsights.ActionBreakdowns`.
  private static let actionBreakdowns = [
    "action_canvas_component_name", "action_carousel_card_id", "action_carousel_card_name",
    "action_destination", "action_device", "action_reaction", "action_target_id", "action_type",
    "action_video_sound", "action_video_type", "conversion_destination", "is_business_ai_assisted",
    "matched_persona_id", "matched_persona_name", "signal_source_bucket",
    "standard_event_content_type",
  ]

  /// The query for the summary, a single row about an object of a type.
  func total(of type: NodeType) -> InsightsQuery {
    var total = self
    total.level = InsightsLevel.allCases.first { $0.type == type } ?? .account
    total.time = time.undivided
    total.breakdowns = []
    total.filters = filters.filter(\.isAboutAds)
    total.fields = summary
    return total
  }

  /// The types of actions that lists show.
  var actions: [InsightsAction] {
    let hidesOutside = breakdowns.contains { $0.isHourly || $0 == .region }
    return InsightsAction.all.filter { action in
      !(hidesOutside && action.isOutside)
        && filters.allSatisfy { filter in
          if case .actionType = filter.subject { filter.accepts(action.type) } else { true }
        }
    }
  }
}

/// The order of rows: by a number, by an action, or by a text of the rows' objects.
struct InsightsOrder: Sendable {
  enum Key: Sendable {
    case number(InsightsNumber)
    case action(InsightsAction)
    case text(InsightsText)
    case dateStart
  }

  let key: Key
  let isDescending: Bool

  /// Reads the parameter `sort`, a list of one element such as `reach_descending`.
  static func reading(_ names: [String]) throws(GraphFault) -> InsightsOrder? {
    guard let text = names.first, !text.isEmpty else { return nil }
    guard names.count == 1 else {
      throw GraphFault.parameterMalformed("sort", "a list with one element").invented
    }
    let ends = ["_ascending", "_descending"]
    let end = ends.first { text.hasSuffix($0) }
    let name = String(text.dropLast(end?.count ?? 0))
    let isDescending = end == ends[1]
    if name.hasPrefix("actions:"),
      let action = InsightsAction.all.first(where: { name == "actions:\($0.type)" })
    {
      return InsightsOrder(key: .action(action), isDescending: isDescending)
    }
    switch InsightsField(name) {
    case .number(let number):
      return InsightsOrder(key: .number(number), isDescending: isDescending)
    case .text(let text): return InsightsOrder(key: .text(text), isDescending: isDescending)
    case .dateStart, .dateStop: return InsightsOrder(key: .dateStart, isDescending: isDescending)
    case .list, nil: throw .sortInvalid(name)
    }
  }
}

extension Parameters {
  /// The words of a list, also one in single quotes, as in `['age','gender']`.
  func relaxedWords(_ name: String) -> [String] {
    guard let text = self[name], text.hasPrefix("["), let list = JSON(relaxed: text)?.array else {
      return words(name)
    }
    return list.map(\.parameterText)
  }
}
