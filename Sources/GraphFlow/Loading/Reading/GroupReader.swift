internal import JSONPath

/// Reads one group of requests (docs/reference/language.md, "Many items"), without its members.
struct GroupReader: PartReading {
  static let keys = ["for_each", "key", "requests", "max_failures", "description"]

  static let fileKeys = ["file", "columns"]
  private static let columnTypes: [InputType] = [.string, .integer, .number, .boolean, .list]

  private static let sourceForms = "a list, {file: PATH}, {windows: …} or one reference"

  let reader: TemplateReader
  let index: Int

  /// The place of the keys that are read before there are items.
  var place: TemplateReader.Place { TemplateReader.Place(group: index) }

  func group() -> Workflow.Group? {
    let group = reader.scopes.groups[index]
    guard let entries = group.entry.value.entries else { return nil }
    let members = YAMLMembers(
      entries: entries, location: group.entry.keyLocation,
      subject: Subject("the group", group.entry.key))
    // The keys and the name of the short form are checked as those of its request.
    if !group.isShort {
      checkKeys(of: members)
      if !WorkflowName.isWellFormed(group.entry.key) {
        reader.reportName(group.entry, of: "a group")
      }
    }
    let sourceNode = required("for_each", in: members, hint: "add its items")
    let source = sourceNode.flatMap { itemSource($0) }
    if let source, let sourceNode {
      reader.scopes.groups[index].items = LiteralItems(source, sourceNode)
    }
    let key = members["key"].flatMap { itemKey($0) }
    if let key { checkDuplicates(by: key) }
    let maxFailures = members["max_failures"].flatMap { failureLimit($0) }
    guard let source else { return nil }
    return Workflow.Group(
      Workflow.GroupKeys(
        name: group.entry.key, location: group.entry.keyLocation, source: source,
        columns: columns(of: sourceNode), key: key,
        maxFailures: maxFailures, members: Array(group.members)))
  }

  private func checkKeys(of members: YAMLMembers) {
    if let node = members["description"] { _ = text(node, "'description'") }
    for entry in members.entries where !Self.keys.contains(entry.key) {
      if RequestReader.keys.contains(entry.key) {
        report(
          .misplacedKey, "'\(entry.key)' cannot be combined with 'requests'", at: entry.keyLocation,
          hint: "write it in the requests of the group")
      } else {
        _ = reader.reportUnknownKey(entry, in: "a group", among: members.entries, known: Self.keys)
      }
    }
  }

  /// Reads `max_failures`: a number of items or a percentage.
  private func failureLimit(_ node: YAMLNode) -> Workflow.FailureLimit? {
    guard case .string(let text)? = node.scalarValue else {
      return integer(node, "'max_failures'", atLeast: 1).map { .count($0) }
    }
    let number = text.hasSuffix("%") ? JSON.Number(lexeme: String(text.dropLast())) : nil
    if let share = number?.double, share > 0, share <= 100 { return .percentage(share) }
    return refuse(
      node, "'\(text.short)' is neither a number of items nor a percentage",
      hint: "write 10 or 10%; at most 100%")
  }

  // MARK: Keys of items

  private func itemKey(_ node: YAMLNode) -> Template? {
    let place = TemplateReader.Place(group: index, hasItems: true)
    guard let key = reader.template(node, "'key'", in: place) else { return nil }
    reader.refuseResults(
      in: key.placeholders, "'key' cannot refer to a request",
      hint: "it must be known before anything is sent")
    for placeholder in key.placeholders {
      guard case .date = placeholder.kind else { continue }
      report(
        .invalidValue, "a date is the same for all items, so it cannot be part of 'key'",
        at: placeholder.location, hint: "use what identifies the item")
    }
    let hasItem = key.placeholders.contains { placeholder in
      switch placeholder.kind {
      case .item, .index, .result: true
      case .input, .row, .runID, .runStartedAt, .date: false
      }
    }
    if !hasItem {
      report(
        .invalidValue, "'key' would be the same for all items", at: node.location,
        hint: "such as \"{item=$.id}\"")
    }
    return key
  }

  private func checkDuplicates(by key: Template) {
    guard let items = reader.scopes.groups[index].items else { return }
    var first: [String: Int] = [:]
    for index in items.values.indices {
      guard let text = items.key(index, by: key) else { continue }
      if let other = first[text] {
        report(
          .duplicateItem, "two items have the key '\(text.short)'",
          at: items.locations[index],
          hint: "the first one is on line \(items.locations[other].line)")
      } else {
        first[text] = index
      }
    }
  }

  // MARK: Sources of items

  static let itemFileExtensions = [".csv", ".json", ".jsonl"]

  private func itemSource(_ node: YAMLNode) -> Workflow.ItemSource? {
    var hint: String?
    switch node.content {
    case .invalid: return nil
    case .sequence(let elements): return itemList(elements)
    case .mapping(let entries):
      if entries.contains(where: { Self.windowKeys.contains($0.key) }) { return windows(node) }
      return members(of: node, "'for_each'", known: Self.fileKeys).flatMap {
        required("file", in: $0)
      }.flatMap { itemFile($0) }
    case .scalar(let scalar):
      guard case .string(let text)? = node.scalarValue else { break }
      if TemplateScanner.mayHoldReference(text) {
        guard let template = reader.template(scalar, at: node.location, in: place) else {
          return nil
        }
        if let placeholder = template.only { return itemValues(placeholder) }
      } else if Self.isItemFile(text) {
        hint = "write {file: \(text.short)}"
      }
    }
    return refuse(node, "'for_each'", takes: Self.sourceForms, hint: hint)
  }

  private static func isItemFile(_ path: String) -> Bool {
    itemFileExtensions.contains { path.lowercased().hasSuffix($0) }
  }

  func itemList(_ elements: [YAMLNode]) -> Workflow.ItemSource? {
    let values = elements.compactMap { reader.valueTemplate($0, "an item", in: place) }
    reader.refuseResults(
      in: values.flatMap(\.placeholders), "an item of a list cannot refer to a request",
      hint: "make 'for_each' the reference, or refer to it where the item is used")
    return values.count == elements.count ? .list(values) : nil
  }

  private func itemFile(_ node: YAMLNode) -> Workflow.ItemSource? {
    guard let path = filePath(node, "'file'") else { return nil }
    reader.refuseResults(
      in: path.placeholders, "the path of a file of items cannot refer to a request",
      hint: "use an input")
    // A path that ends with an input is checked when the input's value is known.
    if case .text(let end)? = path.parts.last, !Self.isItemFile(end) {
      report(
        .invalidValue, "a file of items must end in .csv, .json or .jsonl", at: node.location)
    }
    return .file(path)
  }

  private func columns(of source: YAMLNode?) -> [ItemColumn] {
    guard let node = source?.member("columns") else { return [] }
    return (entries(of: node, "'columns'") ?? []).compactMap { entry in
      reader.checkPlainName(entry, "a column's name")
      let types = Self.columnTypes.map(\.rawValue)
      return choice(entry.value, Subject("the type of", entry.key), among: types)
        .flatMap(InputType.init)
        .map { ItemColumn(name: entry.key, type: $0, location: entry.keyLocation) }
    }
  }

  func itemValues(_ placeholder: Placeholder) -> Workflow.ItemSource? {
    func refuse(_ message: String, hint: String) -> Workflow.ItemSource? {
      report(.invalidValue, message, at: placeholder.location, hint: hint)
      return nil
    }
    switch placeholder.kind {
    case .result:
      if placeholder.isSingular, let value = placeholder.defaultValue, value.array == nil {
        return refuse("the default is not a list", hint: "write | []")
      }
      return .values(placeholder)
    case .input(let name):
      // An input that is unknown, or a secret, has already been reported.
      guard let type = reader.inputTypes[name.text] ?? nil, type != .secret else { return nil }
      switch type {
      case .list: return .values(placeholder)
      case .file:
        return refuse(
          "the input '\(name.text)' is a path, not a list",
          hint: "write {file: \"\(placeholder.text)\"}")
      default:
        return refuse(
          "the input '\(name.text)' is of type \(type.rawValue), not a list",
          hint: "declare it with type: list")
      }
    case .item, .index, .row, .runID, .runStartedAt, .date:
      return refuse(
        "'\(placeholder.text)' is not a list", hint: "'for_each' takes \(Self.sourceForms)")
    }
  }
}

/// The items of a `for_each` whose list is in the workflow file.
struct LiteralItems {
  /// Longer lists are not searched for missing fields.
  private static let maximumCount = 1000

  let values: [JSON]
  let locations: [SourceLocation]

  /// The items of a source; nil unless all are literals in the file.
  init?(_ source: Workflow.ItemSource, _ node: YAMLNode) {
    guard case .list(let items) = source, let elements = node.elements else { return nil }
    values = items.compactMap(\.literal)
    locations = elements.map(\.location)
    if values.count != items.count || values.count != locations.count { return nil }
  }

  /// Whether a query selects something in any item; true if there are too many items to search.
  func anySelects(_ query: Query) -> Bool {
    guard values.count <= Self.maximumCount else { return true }
    return values.contains { item in
      guard let found = try? query.values(in: item) else { return true }
      return !found.isEmpty
    }
  }

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
