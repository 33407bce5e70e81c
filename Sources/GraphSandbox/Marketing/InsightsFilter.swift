import JSONPath

/// A condition of the parameter `filtering`: `{"field":"campaign.name","operator":"CONTAIN",…}`.
///
/// Source: Marketing API, Ad Account Insights, `filtering`, and Insights API, Limits and Best
/// Practices.
struct InsightsFilter: Sendable {
  /// What it is about.
  enum Subject: Sendable {
    /// A field of the ad, or of what is above it.
    case object(InsightsLevel, field: String)
    /// A number of a row; with `ofAd`, of each ad over all days.
    case number(InsightsNumber, ofAd: Bool)
    case breakdown(InsightsBreakdown)
    case actionType
    /// When a listed object was made.
    case creation
  }

  enum Operator: String, CaseIterable, Sendable {
    case equal = "EQUAL"
    case notEqual = "NOT_EQUAL"
    case greater = "GREATER_THAN"
    case greaterOrEqual = "GREATER_THAN_OR_EQUAL"
    case less = "LESS_THAN"
    case lessOrEqual = "LESS_THAN_OR_EQUAL"
    case inRange = "IN_RANGE"
    case notInRange = "NOT_IN_RANGE"
    case contains = "CONTAIN"
    case containsNot = "NOT_CONTAIN"
    case isIn = "IN"
    case isNotIn = "NOT_IN"
    case startsWith = "STARTS_WITH"
    case endsWith = "ENDS_WITH"
  }

  /// Those about lists and times, which the sandbox does not serve.
  private static let otherOperators = [
    "ALL", "ANY", "AFTER", "BEFORE", "NONE", "ON_OR_AFTER", "ON_OR_BEFORE", "TOP",
  ]

  let subject: Subject
  private let condition: Operator
  private let values: [String]

  /// Reads the parameter, with a function that reads what a field's name means.
  static func reading(
    _ text: String?, _ subject: (String) throws(GraphFault) -> Subject
  ) throws(GraphFault) -> [InsightsFilter] {
    guard let text, !text.isEmpty else { return [] }
    guard let list = JSON(relaxed: text)?.array else { throw .listRequired("filtering") }
    var filters: [InsightsFilter] = []
    for (index, filter) in list.enumerated() {
      filters.append(try InsightsFilter(filter, "filtering[\(index)]", subject))
    }
    return filters
  }

  private init(
    _ json: JSON, _ name: String, _ subject: (String) throws(GraphFault) -> Subject
  ) throws(GraphFault) {
    guard let field = json["field"]?.string else { throw .parameterRequired("\(name)[field]") }
    guard let word = json["operator"]?.string else { throw .parameterRequired("\(name)[operator]") }
    guard let value = json["value"] else { throw .parameterRequired("\(name)[value]") }
    guard let condition = Operator(rawValue: word) else {
      let known = Operator.allCases.map(\.rawValue) + Self.otherOperators
      guard !Self.otherOperators.contains(word) else {
        throw .insightsUnserved(word, of: "filtering")
      }
      throw .notOneOf("\(name)[operator]", known)
    }
    self.subject = try subject(field)
    self.condition = condition
    values = value.array?.map(\.parameterText) ?? [value.parameterText]
  }

  /// What a field means in a list of objects of a level: it is of these objects, or of what is above
  /// them.
  static func subject(
    ofList field: String, level: InsightsLevel
  ) throws(GraphFault) -> Subject {
    let name = field.contains(".") ? field : "\(level.rawValue).\(field)"
    let subject = try subject(ofReport: name, level: level)
    guard case .object(let object, _) = subject,
      InsightsLevel.allCases.drop(while: { $0 != level }).contains(object)
    else { throw .insightsUnserved(field, of: "filtering") }
    return subject
  }

  /// What a field means in a report.
  static func subject(
    ofReport field: String, level: InsightsLevel
  ) throws(GraphFault) -> Subject {
    let parts = field.split(separator: ".", maxSplits: 1).map(String.init)
    if parts.count == 2, let object = InsightsLevel(rawValue: parts[0]) {
      if let number = InsightsNumber.all[parts[1]], object == .ad || object == level {
        return .number(number, ofAd: object == .ad && level != .ad)
      }
      guard parts[1] == "id" || FieldName(parts[1])?.isField(of: object.type) == true else {
        throw .filterInvalid(field)
      }
      return .object(object, field: parts[1])
    }
    if let number = InsightsNumber.all[field] { return .number(number, ofAd: false) }
    if let breakdown = InsightsBreakdown(rawValue: field) { return .breakdown(breakdown) }
    if field == "action_type" { return .actionType }
    for object in InsightsLevel.allCases {
      for end in ["id", "name"] where field == "\(object.rawValue)_\(end)" {
        throw .filterRenamed(field, to: "\(object.rawValue).\(end)")
      }
    }
    throw .filterInvalid(field)
  }

  /// Whether it chooses ads, not rows.
  var isAboutAds: Bool {
    switch subject {
    case .object, .number(_, ofAd: true), .actionType: true
    case .number, .breakdown, .creation: false
    }
  }

  /// Whether a text fulfils the condition.
  func accepts(_ text: String) -> Bool {
    switch condition {
    case .equal: text == values.first
    case .notEqual: text != values.first
    case .contains: values.first.map { text.lowercased().contains($0.lowercased()) } ?? false
    case .containsNot: values.first.map { !text.lowercased().contains($0.lowercased()) } ?? true
    case .startsWith: text.hasPrefix(values.first ?? "")
    case .endsWith: text.hasSuffix(values.first ?? "")
    case .isIn: values.contains(text)
    case .isNotIn: !values.contains(text)
    case .greater, .greaterOrEqual, .less, .lessOrEqual, .inRange, .notInRange:
      (Double(text) ?? GraphTime.seconds(text).map(Double.init)).map { accepts($0) } ?? false
    }
  }

  /// Whether a number of millionths fulfils the condition; a missing one counts as 0.
  func accepts(_ millionths: Int128?) -> Bool { accepts(Double(millionths ?? 0) / 1_000_000) }

  private func accepts(_ number: Double) -> Bool {
    let bounds = values.compactMap(Double.init)
    guard let first = bounds.first else { return false }
    switch condition {
    case .equal, .contains, .startsWith, .endsWith: return number == first
    case .notEqual, .containsNot: return number != first
    case .greater: return number > first
    case .greaterOrEqual: return number >= first
    case .less: return number < first
    case .lessOrEqual: return number <= first
    case .inRange: return bounds.count == 2 && first <= number && number <= bounds[1]
    case .notInRange: return bounds.count == 2 && !(first <= number && number <= bounds[1])
    case .isIn: return bounds.contains(number)
    case .isNotIn: return !bounds.contains(number)
    }
  }
}
