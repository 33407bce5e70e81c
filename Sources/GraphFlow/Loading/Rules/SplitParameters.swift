internal import JSONPath

/// The parameters that a request needs to be split by a dimension.
enum SplitParameters {
  /// The levels of ads insights; the rows of each are parts of those of the ones before it.
  private static let levels = ["account", "campaign", "adset", "ad"]

  /// Why a request cannot be split by a dimension; nil if it can, as far as its file shows.
  static func problem(of dimension: SplitDimension, in params: [Workflow.Parameter]) -> String? {
    switch dimension {
    case .window:
      guard params["time_range"] != nil else {
        return "'window' needs the parameter 'time_range', whose days it divides"
      }
      let days = params["time_increment"].map { outline($0) ?? 1 }
      let count = days?.integer ?? days?.string.flatMap { Int($0) } ?? 0
      return count > 0 ? nil : "'window' needs a number of days as the parameter 'time_increment'"
    case .ids:
      if params["ids"] != nil { return nil }
      guard let filtering = params["filtering"] else { return noIDs }
      guard let filters = outline(filtering) else { return nil }
      let fields = (filters.array ?? []).filter { $0["operator"] == "IN" }
        .compactMap { $0["field"]?.string }.filter { $0.hasSuffix(".id") }
      guard fields.count == 1 else { return noIDs }
      let object = String(fields[0].dropLast(3))
      let level = params["level"].map { outline($0)?.string ?? "ad" } ?? "account"
      guard let place = levels.firstIndex(of: object),
        place > levels.firstIndex(of: level) ?? levels.count
      else { return nil }
      return "'ids' divides by \(object), and rows of the level '\(level)' are sums over it"
    case .fields:
      return params["fields"] ?? params["metric"] == nil
        ? "'fields' needs the parameter 'fields' or 'metric', which it divides" : nil
    }
  }

  private static let noIDs =
    "'ids' needs the parameter 'ids', or one condition in 'filtering' on an id, with the operator IN, "
    + "whose values it divides"

  /// A value with null in place of what has placeholders; nil if that is all of it.
  private static func outline(_ value: ValueTemplate) -> JSON? {
    switch value {
    case .template: nil
    case .literal(.string(let text)): (try? JSON(parsing: text)) ?? .string(text)
    case .literal(let literal): literal
    case .list(let elements): .array(elements.map { outline($0) ?? .null })
    case .map(let members):
      .object(JSON.Object(members.map { ($0.name, outline($0.value) ?? .null) }))
    }
  }
}
