internal import JSONPath

/// The items of a `for_each` whose list is in the workflow file.
struct LiteralItems {
  /// Longer lists are not searched for missing fields.
  private static let maximumCount = 1000

  let values: [JSON]
  let locations: [SourceLocation]
  /// The queries that have been checked.
  var checkedQueries: Set<String> = []

  /// Whether a query selects something in any item; true if there are too many items to search.
  func anySelects(_ query: Query) -> Bool {
    guard values.count <= Self.maximumCount else { return true }
    return values.contains { item in
      guard let found = try? query.values(in: item) else { return true }
      return !found.isEmpty
    }
  }

  /// The names of the first item's members.
  var names: [String] { values.first?.object?.map(\.0) ?? [] }

  /// The key of an item; nil if it is not known before the run.
  func key(_ index: Int, by template: Template) -> String? {
    var key = ""
    for part in template.parts {
      switch part {
      case .text(let text): key += text
      case .placeholder(let placeholder):
        switch placeholder.kind {
        case .index: key += "\(index)"
        case .item(let query):
          guard let found = try? query.values(in: values[index]), found.count == 1 else {
            return nil
          }
          switch found[0] {
          case .string(let text): key += text
          case .number(let number): key += number.lexeme
          case .bool(let value): key += "\(value)"
          default: return nil
          }
        default: return nil
        }
      }
    }
    return key
  }
}

extension WorkflowReader {
  /// Records the items of a group, if all are literals in the file.
  mutating func recordLiteralItems(_ source: Workflow.ItemSource, _ node: YAMLNode, of group: Int) {
    guard case .list(let items) = source, case .sequence(let elements) = node.content else {
      return
    }
    let values = items.compactMap { item -> JSON? in
      guard case .literal(let value) = item else { return nil }
      return value
    }
    guard values.count == items.count, values.count == elements.count else { return }
    literalItems[group] = LiteralItems(values: values, locations: elements.map(\.location))
  }

  /// Reports literal items that have the same key.
  mutating func checkKeys(_ key: Template, of group: Int) {
    guard let items = literalItems[group] else { return }
    var first: [String: Int] = [:]
    for index in items.values.indices {
      guard let text = items.key(index, by: key) else { continue }
      guard let other = first[text] else {
        first[text] = index
        continue
      }
      report(
        RuleID.duplicateItem,
        "two items have the key '\(YAMLFault.short(text))'",
        at: items.locations[index],
        hint: "the first one is on line \(items.locations[other].line)"
      )
    }
  }

  /// Warns of a query over the current item that selects nothing in any of the items.
  mutating func checkItem(_ query: Query, at location: SourceLocation, in place: Place) {
    guard let group = place.group, !literalItems.isEmpty,
      literalItems[group]?.checkedQueries.insert(query.text).inserted == true,
      let items = literalItems[group], !items.values.isEmpty, !items.anySelects(query)
    else { return }
    let written = query.text.hasPrefix("$.") ? String(query.text.dropFirst(2)) : query.text
    let nearest = suggestion(for: written, among: items.names)
    warn(
      RuleID.itemWithoutField,
      "no item has '\(YAMLFault.short(query.text))'",
      at: location,
      hint: nearest.map { "did you mean '$.\($0)'?" }
        ?? (items.names.isEmpty
          ? "{item} is the whole item"
          : "the first item has: \(items.names.prefix(8).joined(separator: ", "))")
    )
  }
}
