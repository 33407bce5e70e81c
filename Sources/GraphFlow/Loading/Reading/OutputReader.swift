internal import JSONPath

/// Reads `outputs` (docs/reference/language.md, "Outputs").
struct OutputReader: PartReading {
  static let rowKeys = ["each", "rows", "columns", "file"]

  let reader: TemplateReader

  func outputs(_ node: YAMLNode, of groups: [Workflow.Group]) -> [Workflow.Output] {
    let outputs = (entries(of: node, "'outputs'") ?? []).compactMap { output($0) }
    for group in groups where group.source.listsNews {
      for case let file? in outputs.filter({ $0.each.map(group.members.contains) == true })
        .map(\.file) where !file.placeholders.contains(where: \.value.differsByRead)
      {
        report(
          .invalidValue, "the rows of the next read would replace those of the last one",
          at: file.location,
          hint: "write the end of the read into the name, as in out/{item=$.id}/{item=$.end}.jsonl")
      }
    }
    var taken: [String: String] = [:]
    for output in outputs {
      guard let file = output.file,
        let other = taken.updateValue(output.name, forKey: file.text)
      else { continue }
      report(
        .invalidValue, "the output '\(other.short)' has the same files", at: file.location,
        hint: "give each output files of its own, as in \(output.name)/{item=$.id}.csv")
    }
    return outputs
  }

  private func output(_ entry: YAMLNode.Entry) -> Workflow.Output? {
    reader.checkPlainName(entry, "an output's name")
    if entry.value.member("each") != nil { return rows(entry) }
    let subject = Subject("the output", entry.key)
    return reader.valueTemplate(entry.value, subject, in: TemplateReader.Place()).map {
      Workflow.Output(name: entry.key, value: $0, each: nil)
    }
  }

  /// Reads an output that has a row for each item of a group.
  private func rows(_ entry: YAMLNode.Entry) -> Workflow.Output? {
    let subject = Subject("the output", entry.key)
    guard let members = members(of: entry.value, subject, known: Self.rowKeys),
      let columns = required("columns", in: members, hint: "write columns: {id: \"{item=$.id}\"}"),
      let request = members["each"].flatMap({ each($0) }),
      let entries = entries(of: columns, "'columns'")
    else { return nil }
    if entries.isEmpty {
      report(.missingKey, "'columns' needs at least one column", at: columns.location)
    }
    var place = TemplateReader.Place(
      group: reader.scopes.slots[request].group, hasItems: true, isRow: true)
    let rows = members["rows"].flatMap { source(of: $0, in: place) }
    place.hasRows = members["rows"] != nil
    for entry in entries { reader.checkPlainName(entry, "a column's name") }
    let file = members["file"].flatMap { self.file($0, ofGroup: place.group) }
    return reader.valueTemplate(columns, "a column", in: place).map {
      Workflow.Output(name: entry.key, value: $0, each: request, rows: rows, file: file)
    }
  }

  /// The path of the file of an item's rows, which differs from item to item.
  private func file(_ node: YAMLNode, ofGroup group: Int?) -> Template? {
    let place = TemplateReader.Place(group: group, hasItems: true)
    guard let template = reader.template(node, "'file'", in: place) else { return nil }
    reader.refuseResults(
      in: template.placeholders, "the name of a file cannot refer to a request",
      hint: "take it from the item, as in {item=$.id}")
    guard RowFormat(path: template.text) != nil else {
      return refuse(
        node, "the format of the rows is unknown",
        hint: "end the name in \(RowFormat.endings)")
    }
    let parts = template.text.split(separator: "/", omittingEmptySubsequences: false)
    guard !parts.contains(""), !parts.contains(".."), !parts.contains(".") else {
      return refuse(
        node, "'file' must be a path in the folder of the workflow file",
        hint: "such as out/{item=$.id}/{item=$.since}.csv")
    }
    let isOfItem = template.placeholders.contains { placeholder in
      switch placeholder.kind {
      case .item, .index: true
      case .input, .runID, .runStartedAt, .date, .result, .row: false
      }
    }
    guard isOfItem else {
      return refuse(
        node, "the rows of all items would be in one file",
        hint: "write the item into the name, as in out/{item=$.id}.csv; "
          + "or leave 'file' out, and run with --rows")
    }
    return template
  }

  /// What holds the rows of an item: a list in an answer, or what a query selects there.
  private func source(of node: YAMLNode, in place: TemplateReader.Place) -> Placeholder? {
    guard let template = reader.template(node, "'rows'", in: place) else { return nil }
    guard let placeholder = template.only, placeholder.reference != nil else {
      return refuse(
        node, "'rows' takes one reference to an answer",
        hint: "such as \"{result=insights:$.data[*]}\"")
    }
    if placeholder.isSingular, let value = placeholder.defaultValue, value.array == nil {
      return refuse(node, "the default is not a list", hint: "write | []")
    }
    return placeholder
  }

  private func each(_ node: YAMLNode) -> Int? {
    guard let text = filledText(node, "'each'") else { return nil }
    let name = YAMLName(text: text, location: node.location)
    guard let index = reader.referredRequest(name, in: TemplateReader.Place()) else { return nil }
    guard reader.scopes.slots[index].group == nil else { return index }
    return refuse(
      node, "'\(text.short)' is sent once, not for each item",
      hint: "name a request with 'for_each', or write a value: \"{result=\(text.short):$}\"")
  }

  /// The requests, each after those outside its group that its rows refer to.
  ///
  /// So an item cannot end before the values of its row are known.
  static func ordered(
    _ requests: [Workflow.Request], before outputs: [Workflow.Output]
  ) -> [Workflow.Request] {
    var requests = requests
    for output in outputs {
      guard let each = output.each else { continue }
      let outside = output.placeholders.compactMap(\.reference?.request).filter {
        requests[$0].group != requests[each].group
      }
      requests[each] = requests[each].changed { request in
        for index in outside where !request.dependsOn.contains(index) {
          request.dependsOn.append(index)
        }
      }
    }
    return requests
  }
}

extension PlaceholderFacts {
  /// Whether each read of what is new has another value.
  fileprivate var differsByRead: Bool {
    switch kind {
    case .item: ["{item=$.start", "{item=$.end"].contains(text.prefix { !" |}".contains($0) })
    case .date(let date): date.format != .date
    case .runID, .runStartedAt: true
    case .input, .index, .result, .row: false
    }
  }
}
