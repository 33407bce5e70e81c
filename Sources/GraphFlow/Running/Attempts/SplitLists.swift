import GraphAPI
import JSONPath

/// The lists in an operation by which its read can be split, and how answers to its parts are joined.
struct SplitLists: Sendable {
  /// The answer to a part, and the fields that it was asked for.
  struct PartAnswer: Sendable {
    let body: JSON
    let fields: [String]
  }

  private var lists: [[String]] = [[], [], []]
  /// The days of each element of the window, from 1970.
  private var spans: [ClosedRange<Int64>] = []
  /// The other fields, which identify a row: every part has them.
  private var keys: Set<String> = []
  /// The field that every part has only to identify its rows.
  private var addedKey: String?
  private var fieldList: [String] = []
  private var isOfMetrics = false
  /// The condition in `filtering` whose values are the ids; nil for the parameter `ids`.
  private var condition: Int?

  /// Reads the lists; a dimension that the request is not split by has one element or none.
  init(of operation: BatchOperation, by dimensions: [SplitDimension]) {
    func value(_ name: String) -> String? {
      operation.parameters.last { $0.name == name }?.value
    }
    if dimensions.contains(.window) {
      spans = Self.spans(value("time_range"), step: value("time_increment"))
      lists[SplitDimension.window.place] = spans.map { Self.day($0.lowerBound) }
    }
    if dimensions.contains(.ids) {
      if let ids = value("ids") {
        lists[SplitDimension.ids.place] = Self.names(in: ids)
      } else if let (index, ids) = Self.condition(in: value("filtering")) {
        condition = index
        lists[SplitDimension.ids.place] = ids
      }
    }
    guard dimensions.contains(.fields) else { return }
    isOfMetrics = value("metric") != nil
    fieldList = Self.names(in: value("metric") ?? value("fields") ?? "")
    if !isOfMetrics {
      let breakdowns = Set(Self.names(in: value("breakdowns") ?? ""))
      keys = Set(
        fieldList.filter {
          $0 == "id" || $0.hasSuffix("_id") || $0.hasPrefix("date_st") || breakdowns.contains($0)
        })
      let level = value("level").map { "\($0)_id" }
      if let level, !keys.contains(level), level != "account_id" { addedKey = level }
    }
    lists[SplitDimension.fields.place] = fieldList.filter { !keys.contains($0) }
  }

  /// The elements of a dimension; days are the first ones of each part of the window.
  func names(_ dimension: SplitDimension) -> [String] { lists[dimension.place] }

  var whole: SplitRead.Slice { SplitRead.Slice(counts: lists.map(\.count)) }

  /// Limits an operation to some elements of a dimension, at least one; those of a window are
  /// neighbours.
  func set(
    _ dimension: SplitDimension, to names: [String], in operation: inout BatchOperation
  ) {
    switch dimension {
    case .window:
      let chosen = zip(lists[dimension.place], spans).filter { names.contains($0.0) }.map(\.1)
      guard let first = chosen.first, let last = chosen.last else { return }
      operation.set("time_range", to: Self.range(first.lowerBound...last.upperBound).serialized())
    case .ids:
      guard let condition else {
        return operation.set("ids", to: names.joined(separator: ","))
      }
      let text = operation.parameters.last { $0.name == "filtering" }?.value ?? ""
      guard var filters = (try? JSON(parsing: text))?.array, var filter = filters[condition].object
      else { return }
      filter["value"] = .array(names.map(JSON.string))
      filters[condition] = .object(filter)
      operation.set("filtering", to: JSON.array(filters).serialized())
    case .fields:
      let chosen = fieldList.filter { keys.contains($0) || names.contains($0) }
      operation.set(
        isOfMetrics ? "metric" : "fields",
        to: ((addedKey.map { [$0] } ?? []) + chosen).joined(separator: ","))
    }
  }

  /// What a slice has of a dimension, as reports show it.
  func json(_ dimension: SplitDimension, _ range: Range<Int>) -> JSON {
    guard dimension == .window, let first = range.first, let last = range.last else {
      return .array(range.map { .string(lists[dimension.place][$0]) })
    }
    return Self.range(spans[first].lowerBound...spans[last].upperBound)
  }

  // MARK: - Joining

  /// The answers to the parts as one answer.
  func joined(_ parts: [PartAnswer]) -> JSON {
    let pages = parts.compactMap { $0.body["data"]?.array }
    guard pages.count == parts.count else {
      return parts.dropFirst().reduce(parts.first?.body ?? [:]) { Self.merged($0, $1.body) }
    }
    let count = lists[SplitDimension.fields.place].count
    guard !isOfMetrics, parts.contains(where: { $0.fields.count < count }) else {
      return ["data": .array(pages.flatMap(\.self))]
    }
    struct Key: Hashable {
      let row: JSON
      /// How many rows of the part before it have the same values.
      let number: Int
    }
    var places: [Key: Int] = [:]
    var rows: [JSON.Object] = []
    for (part, page) in zip(parts, pages) {
      let names = Set(part.fields.map(Self.memberName))
      var numbers: [JSON: Int] = [:]
      for case .object(let row) in page {
        let key = JSON.object(JSON.Object(row.members.filter { !names.contains($0.name) }))
        numbers[key, default: 0] += 1
        let place = Key(row: key, number: numbers[key] ?? 0)
        if let known = places[place] {
          for (name, value) in row { rows[known][name] = value }
        } else {
          places[place] = rows.count
          rows.append(row)
        }
      }
    }
    if let addedKey { for index in rows.indices { rows[index][addedKey] = nil } }
    return ["data": .array(rows.map(JSON.object))]
  }

  /// Two objects as one, and so are the objects in both.
  private static func merged(_ one: JSON, _ other: JSON) -> JSON {
    guard var object = one.object, let others = other.object else { return one }
    for (name, value) in others { object[name] = object[name].map { merged($0, value) } ?? value }
    return .object(object)
  }

  // MARK: - Reading values

  /// The member of an answer that a field becomes.
  private static func memberName(_ field: String) -> String {
    let parts = field.prefix { $0 != "{" }.split(separator: ".as(", maxSplits: 1)
    return String(
      parts.count == 2 ? parts[1].prefix { $0 != ")" } : field.prefix { !".({".contains($0) })
  }

  /// The elements of a list in JSON, or separated by commas that are in no brackets.
  private static func names(in text: String) -> [String] {
    if let list = (try? JSON(parsing: text))?.array {
      return list.compactMap { $0.string ?? $0.number?.lexeme }
    }
    var (names, depth) = ([""], 0)
    for character in text {
      if "{(".contains(character) { depth += 1 }
      if "})".contains(character) { depth -= 1 }
      if character == ",", depth == 0 {
        names.append("")
      } else if !character.isWhitespace || depth > 0 {
        names[names.count - 1].append(character)
      }
    }
    return names.filter { !$0.isEmpty }
  }

  /// The one condition that lists ids.
  private static func condition(in text: String?) -> (Int, [String])? {
    let filters = text.flatMap { try? JSON(parsing: $0) }?.array ?? []
    let found = filters.indices.filter {
      filters[$0]["field"]?.string?.hasSuffix(".id") == true
        && filters[$0]["operator"]?.string == "IN"
    }
    guard found.count == 1, let ids = filters[found[0]]["value"]?.array else { return nil }
    return (found[0], ids.compactMap { $0.string ?? $0.number?.lexeme })
  }

  /// The days that may be in different parts; none if the rows are not by days.
  private static func spans(_ range: String?, step: String?) -> [ClosedRange<Int64>] {
    func day(_ json: JSON?) -> Int64? { json?.string.flatMap(CalendarDay.init)?.daysSince1970 }
    guard let json = range.flatMap({ try? JSON(parsing: $0) }), let since = day(json["since"]),
      let until = day(json["until"]), since <= until, let step = step.flatMap(Int64.init), step > 0
    else { return [] }
    return stride(from: since, through: until, by: Int(step)).map {
      $0...min(until, $0 + step - 1)
    }
  }

  private static func day(_ number: Int64) -> String { CalendarDay(daysSince1970: number).text }

  private static func range(_ days: ClosedRange<Int64>) -> JSON {
    ["since": .string(day(days.lowerBound)), "until": .string(day(days.upperBound))]
  }
}

extension SplitDimension {
  /// Its place in lists of dimensions.
  var place: Int {
    switch self {
    case .window: 0
    case .ids: 1
    case .fields: 2
    }
  }
}

extension BatchOperation {
  fileprivate mutating func set(_ name: String, to value: String) {
    for index in parameters.indices where parameters[index].name == name {
      parameters[index].value = value
    }
  }
}
