internal import JSONPath

extension WorkflowReader {
  /// The keys of a group (docs/reference/language.md, "Many items").
  static let groupKeys = ["for_each", "key", "requests", "max_failures", "description"]

  /// All requests and groups, in the file's order.
  mutating func requestsAndGroups() -> ([Workflow.Request], [Workflow.Group]) {
    var groups: [Workflow.Group] = []
    for index in scopes.groups.indices { if let group = group(index) { groups.append(group) } }
    return (scopes.slots.indices.compactMap { request($0) }, groups)
  }

  /// A group, without its members.
  private mutating func group(_ index: Int) -> Workflow.Group? {
    let group = scopes.groups[index]
    guard case .mapping(let entries) = group.entry.value.content else { return nil }
    let members = Members(entries: entries, location: group.entry.keyLocation)
    let subject = Subject("the group", group.entry.key)
    if !group.isShort { checkKeys(of: members) }
    let name = RequestName(group.entry.key)
    // The name of the short form is checked as the name of its request.
    if name == nil, !group.isShort { reportName(group.entry, of: "a group") }
    let sourceNode = required("for_each", in: members, of: subject, hint: "add its items")
    let source = sourceNode.flatMap { itemSource($0, of: index) }
    if let source, let sourceNode { recordLiteralItems(source, sourceNode, of: index) }
    let key = members["key"].flatMap { itemKey($0, of: index) }
    if let key { checkKeys(key, of: index) }
    let maxFailures = members["max_failures"].flatMap { failureLimit($0) }
    guard let name, let source else { return nil }
    return Workflow.Group(
      name: name, location: group.entry.keyLocation, source: source, key: key,
      maxFailures: maxFailures, members: Array(group.members))
  }

  /// Checks the keys of a group with several members.
  private mutating func checkKeys(of members: Members) {
    if let node = members["description"] { _ = text(node, "'description'") }
    for entry in members.entries where !Self.groupKeys.contains(entry.key) {
      guard Self.requestKeys.contains(entry.key) else {
        _ = reportUnknownKey(entry, in: "a group", among: members.entries, known: Self.groupKeys)
        continue
      }
      report(
        RuleID.misplacedKey, "'\(entry.key)' cannot be combined with 'requests'",
        at: entry.keyLocation, hint: "write it in the requests of the group")
    }
  }

  /// Reports keys of groups in a request that is in a group or has no `for_each`.
  mutating func checkGroupKeys(in members: Members, at place: Place) {
    if let group = place.group {
      guard !scopes.groups[group].isShort else { return }
      for entry in members.entries where ["for_each", "requests"].contains(entry.key) {
        report(
          RuleID.nestedGroup,
          "groups do not nest: '\(entry.key)' is not allowed in a request of a group",
          at: entry.keyLocation, hint: "make it a separate group")
      }
      if members["for_each"] != nil { return }
    }
    for key in ["key", "max_failures"] where members[key] != nil {
      report(
        RuleID.misplacedKey, "'\(key)' is only allowed together with 'for_each'",
        at: members.keyLocation(key))
    }
  }

  /// Reads `key`: the identity of an item.
  private mutating func itemKey(_ node: YAMLNode, of group: Int) -> Template? {
    let place = Place(group: group, hasItems: true)
    guard let key = template(node, "'key'", in: place) else { return nil }
    refuseResults(
      in: key.placeholders, "'key' cannot refer to a request",
      hint: "it must be known before anything is sent")
    let hasItem = key.placeholders.contains { placeholder in
      switch placeholder.kind {
      case .item, .index, .result: true
      case .input, .runID, .runStartedAt: false
      }
    }
    if !hasItem {
      report(
        RuleID.invalidValue, "'key' would be the same for all items", at: node.location,
        hint: "such as \"{item=$.id}\"")
    }
    return key
  }

  /// Reads `max_failures`: a number of items or a percentage.
  private mutating func failureLimit(_ node: YAMLNode) -> Workflow.FailureLimit? {
    guard case .string(let text)? = node.scalarValue else {
      return integer(node, "'max_failures'", atLeast: 1).map { .count($0) }
    }
    let number = text.hasSuffix("%") ? JSON.Number(lexeme: String(text.dropLast())) : nil
    guard let share = number?.double, share > 0, share <= 100 else {
      report(
        RuleID.invalidValue,
        "'\(YAMLFault.short(text))' is neither a number of items nor a percentage",
        at: node.location, hint: "write 10 or 10%; at most 100%")
      return nil
    }
    return .percentage(share)
  }

  /// The extensions of files of items.
  static let itemFileExtensions = [".csv", ".json", ".jsonl"]

  /// The source of a group's items.
  mutating func itemSource(_ node: YAMLNode, of group: Int) -> Workflow.ItemSource? {
    let place = Place(group: group)
    switch node.content {
    case .invalid: return nil
    case .sequence(let elements): return itemList(elements, in: place)
    case .mapping:
      guard let members = members(of: node, "'for_each'", known: ["file"]),
        let file = required("file", in: members, of: "'for_each'")
      else { return nil }
      return itemFile(file, in: place)
    case .scalar(let scalar):
      guard case .string(let text)? = node.scalarValue else { break }
      guard TemplateScanner.mayHoldReference(text) else {
        let isFile = Self.itemFileExtensions.contains { text.lowercased().hasSuffix($0) }
        let hint = isFile ? "write {file: \(YAMLFault.short(text))}" : nil
        reportType(node, "'for_each'", takes: Self.itemSourceForms, hint: hint)
        return nil
      }
      guard let template = template(scalar, at: node.location, in: place) else { return nil }
      guard let placeholder = template.only else { break }
      return itemValues(placeholder)
    }
    reportType(node, "'for_each'", takes: Self.itemSourceForms)
    return nil
  }

  private static let itemSourceForms = "a list, {file: PATH} or one reference"

  private mutating func itemList(_ elements: [YAMLNode], in place: Place) -> Workflow.ItemSource? {
    let values = elements.compactMap { valueTemplate($0, "an item", in: place) }
    refuseResults(
      in: values.flatMap(\.placeholders), "an item of a list cannot refer to a request",
      hint: "make 'for_each' the reference, or refer to it where the item is used")
    return values.count == elements.count ? .list(values) : nil
  }

  private mutating func itemFile(_ node: YAMLNode, in place: Place) -> Workflow.ItemSource? {
    guard let path = filePath(node, "'file'", in: place) else { return nil }
    refuseResults(
      in: path.placeholders, "the path of a file of items cannot refer to a request",
      hint: "use an input")
    // A path that ends with an input is checked when the input's value is known.
    if case .text(let end)? = path.parts.last,
      !Self.itemFileExtensions.contains(where: { end.lowercased().hasSuffix($0) })
    {
      report(
        RuleID.invalidValue, "a file of items must end in .csv, .json or .jsonl", at: node.location)
    }
    return .file(path)
  }

  private mutating func itemValues(_ placeholder: Placeholder) -> Workflow.ItemSource? {
    switch placeholder.kind {
    case .result:
      if placeholder.isSingular, let value = placeholder.defaultValue, value.array == nil {
        report(
          RuleID.invalidValue, "the default is not a list", at: placeholder.location,
          hint: "write | []")
      }
      return .values(placeholder)
    case .input(let name):
      switch inputTypes[name.text] {
      case .some(.list?): return .values(placeholder)
      case .some(.file?):
        report(
          RuleID.invalidValue, "the input '\(name.text)' is a path, not a list",
          at: placeholder.location, hint: "write {file: \"\(placeholder.text)\"}")
      case .some(.secret?): break
      case .some(let type?):
        report(
          RuleID.invalidValue, "the input '\(name.text)' is of type \(type.rawValue), not a list",
          at: placeholder.location, hint: "declare it with type: list")
      // These have already been reported.
      case .some(nil), nil: break
      }
    case .item, .index, .runID, .runStartedAt:
      report(
        RuleID.invalidValue, "'\(placeholder.text)' is not a list", at: placeholder.location,
        hint: "'for_each' takes \(Self.itemSourceForms)")
    }
    return nil
  }
}

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
        RuleID.duplicateItem, "two items have the key '\(YAMLFault.short(text))'",
        at: items.locations[index], hint: "the first one is on line \(items.locations[other].line)")
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
      RuleID.itemWithoutField, "no item has '\(YAMLFault.short(query.text))'", at: location,
      hint: nearest.map { "did you mean '$.\($0)'?" }
        ?? (items.names.isEmpty
          ? "{item} is the whole item"
          : "the first item has: \(items.names.prefix(8).joined(separator: ", "))"))
  }
}
