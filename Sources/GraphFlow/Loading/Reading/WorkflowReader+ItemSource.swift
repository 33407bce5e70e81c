internal import JSONPath

extension WorkflowReader {
  /// The endings of files of items.
  static let itemFileEndings = [".csv", ".json", ".jsonl"]

  /// Where the items of a group come from.
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
        let isFile = Self.itemFileEndings.contains { text.lowercased().hasSuffix($0) }
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

  private mutating func itemList(
    _ elements: [YAMLNode],
    in place: Place
  ) -> Workflow.ItemSource? {
    let values = elements.compactMap { valueTemplate($0, "an item", in: place) }
    refuseResults(
      in: values.flatMap(\.placeholders),
      "an item of a list cannot refer to a request",
      hint: "let 'for_each' be the reference, or refer to it where the item is used"
    )
    return values.count == elements.count ? .list(values) : nil
  }

  private mutating func itemFile(_ node: YAMLNode, in place: Place) -> Workflow.ItemSource? {
    guard let path = filePath(node, "'file'", in: place) else { return nil }
    refuseResults(
      in: path.placeholders,
      "the path of a file of items cannot refer to a request",
      hint: "use an input"
    )
    // What an input ends in is seen when it is known.
    if case .text(let end)? = path.parts.last,
      !Self.itemFileEndings.contains(where: { end.lowercased().hasSuffix($0) })
    {
      report(
        RuleID.invalidValue,
        "a file of items ends in .csv, .json or .jsonl",
        at: node.location
      )
    }
    return .file(path)
  }

  private mutating func itemValues(_ placeholder: Placeholder) -> Workflow.ItemSource? {
    switch placeholder.kind {
    case .result:
      if placeholder.isSingular, let value = placeholder.defaultValue, value.array == nil {
        report(
          RuleID.invalidValue,
          "the default is no list",
          at: placeholder.location,
          hint: "write | []"
        )
      }
      return .values(placeholder)
    case .input(let name):
      switch inputTypes[name.text] {
      case .some(.list?): return .values(placeholder)
      case .some(.file?):
        report(
          RuleID.invalidValue,
          "the input '\(name.text)' is a path, not a list",
          at: placeholder.location,
          hint: "write {file: \"\(placeholder.text)\"}"
        )
      case .some(.secret?): break
      case .some(let type?):
        report(
          RuleID.invalidValue,
          "the input '\(name.text)' is of type \(type.rawValue), not a list",
          at: placeholder.location,
          hint: "declare it with type: list"
        )
      // What is wrong with these has been said.
      case .some(nil), nil: break
      }
    case .item, .index, .runID, .runStartedAt:
      report(
        RuleID.invalidValue,
        "'\(placeholder.text)' is no list",
        at: placeholder.location,
        hint: "'for_each' takes \(Self.itemSourceForms)"
      )
    }
    return nil
  }
}
