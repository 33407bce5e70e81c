import JSONPath

/// What chooses objects of a list: `effective_status` and `filtering` campaigns, ad sets and ads,
/// `filtering` leads.
///
/// Source: Marketing API, Ad Account, Campaigns, parameters; Retrieving Leads, "Filtering Leads";
/// facebook_business 26, `EffectiveStatus`.
struct ListFilter {
  static let parameters: Set = ["effective_status", "filtering"]

  /// Those of any of the three types.
  private static let statuses = [
    "ACTIVE", "ADSET_PAUSED", "ARCHIVED", "CAMPAIGN_PAUSED", "DELETED", "DISAPPROVED",
    "IN_PROCESS", "PAUSED", "PENDING_BILLING_INFO", "PENDING_REVIEW", "PREAPPROVED", "WITH_ISSUES",
  ]

  private let statuses: [String]
  private let filters: [InsightsFilter]

  /// Whether such parameters choose objects of a type.
  static func serves(_ type: NodeType?) -> Bool { type == .lead || level(of: type) != nil }

  private static func level(of type: NodeType?) -> InsightsLevel? {
    type == .adAccount ? nil : InsightsLevel.allCases.first { $0.type == type }
  }

  /// Whether there are such parameters.
  static func isWanted(by parameters: Parameters) -> Bool {
    parameters.contains("effective_status") || parameters.contains("filtering")
  }

  /// Reads the parameters of a list of objects of a type; nil if they choose nothing there.
  init?(_ parameters: Parameters, of type: NodeType?) throws(GraphFault) {
    guard Self.serves(type) else { return nil }
    let level = Self.level(of: type)
    statuses = level == nil ? [] : parameters.relaxedWords("effective_status")
    for (index, status) in statuses.enumerated() where !Self.statuses.contains(status) {
      throw .notOneOf("effective_status[\(index)]", Self.statuses)
    }
    filters = try InsightsFilter.reading(parameters["filtering"]) { field throws(GraphFault) in
      guard let level else {
        guard field == "time_created" else { throw .filterInvalid(field) }
        return .creation
      }
      return try InsightsFilter.subject(ofList: field, level: level)
    }
  }

  func accepts(_ object: GraphObject, in objects: ObjectTable) -> Bool {
    let status = object.fields["effective_status"]?.string ?? ""
    return (statuses.isEmpty || statuses.contains(status))
      && InsightsReport.accepts(object, filters, objects)
  }
}
