internal import GraphAPI
internal import JSONPath

/// Reads the parts of a request that decide what is sent.
struct PartReader {
  let reader: TemplateReader
  let place: TemplateReader.Place

  /// The parameters of a request or of its confirmation check.
  func params(_ node: YAMLNode) -> [Workflow.Parameter] {
    (reader.entries(of: node, "'params'") ?? []).compactMap { entry in
      reader.checkPlainName(entry, "a parameter's name")
      if let fault = ReservedParameter.fault(of: entry.key) {
        reader.report(fault, at: entry.keyLocation)
      }
      reader.checkProse(entry)
      let subject = Subject("the parameter", entry.key)
      return reader.valueTemplate(entry.value, subject, in: place).map {
        Workflow.Parameter(name: entry.key, value: $0)
      }
    }
  }

  func files(_ node: YAMLNode) -> [Workflow.File] {
    (reader.entries(of: node, "'files'") ?? []).compactMap { entry in
      let isValid = entry.key.utf8.allSatisfy { WorkflowName.isPart($0) && $0 != UInt8(ascii: "-") }
      if !isValid {
        reader.report(
          .invalidName, "'\(YAMLFault.short(entry.key))' cannot be the name of a part",
          at: entry.keyLocation, hint: "letters, digits and '_'")
      } else if let fault = ReservedParameter.fault(of: entry.key),
        !["callback", "debug"].contains(entry.key)
      {
        reader.report(fault, at: entry.keyLocation)
      }
      return filePath(entry.value, Subject("the file", entry.key)).map {
        Workflow.File(part: entry.key, path: $0)
      }
    }
  }

  /// A path to a file in the workflow's folder.
  func filePath(_ node: YAMLNode, _ subject: Subject) -> Template? {
    guard let path = reader.template(node, subject, in: place) else { return nil }
    // A placeholder is checked when its value is known; the text around it is checked now.
    let shape = path.parts.map { part in
      guard case .text(let text) = part else { return "x" }
      return text
    }.joined()
    if shape.isEmpty {
      reader.report(.invalidValue, "the path is empty", at: node.location)
    } else if FileOutside.leavesFolder(shape) {
      reader.report(FileOutside.fault, at: node.location)
    } else if let filePresence = reader.filePresence, let literal = path.literal,
      let fault = MissingFile.fault(of: literal, filePresence(literal))
    {
      reader.report(fault, at: node.location)
    }
    return path
  }

  /// The header fields of a request or of `defaults`.
  func headers(_ node: YAMLNode) -> [Workflow.Header] {
    var seen: [String: String] = [:]
    return (reader.entries(of: node, "'headers'") ?? []).compactMap { entry in
      if let fault = ForbiddenHeader.fault(of: entry.key) {
        reader.report(fault, at: entry.keyLocation)
      }
      if let first = seen.updateValue(entry.key, forKey: entry.key.lowercased()) {
        reader.report(
          .duplicateKey, "'\(YAMLFault.short(entry.key))' is the same header as '\(first)'",
          at: entry.keyLocation)
      }
      let subject = Subject("the header", entry.key)
      guard let value = reader.template(entry.value, subject, in: place) else { return nil }
      for case .text(let text) in value.parts where HeaderField("x", text) == nil {
        reader.report(
          .invalidValue, "a header cannot contain line breaks or control characters",
          at: entry.value.location)
      }
      return Workflow.Header(name: entry.key, value: value)
    }
  }

  /// Reads `token`: the name of a profile, or exactly one reference.
  func token(_ node: YAMLNode) -> Workflow.TokenChoice? {
    guard case .string(let text)? = node.scalarValue, TemplateScanner.mayHoldReference(text) else {
      if reader.reportUnquotedReference(node) { return nil }
      return AccessReader(reader: reader).profile(node).map { .profile($0) }
    }
    var tokenPlace = place
    tokenPlace.isToken = true
    guard let template = reader.template(node, "'token'", in: tokenPlace) else { return nil }
    switch template.only?.kind {
    case .result?, .item?: return .reference(template)
    case .input(let name)? where reader.inputTypes[name.text] == .secret:
      return .reference(template)
    case .input?:
      reader.report(
        .invalidValue, "an input that holds a token must have the type secret", at: node.location)
    default:
      reader.report(
        .invalidValue, "'token' must be a profile name or exactly one reference", at: node.location,
        hint: "such as \"{result=accounts:$.data[0].access_token}\"")
    }
    return nil
  }

  func expectations(_ node: YAMLNode) -> [Workflow.Expectation] {
    let hint = "write it as a list: - …"
    return (reader.elements(of: node, "'expect'", hint: hint) ?? []).compactMap { element in
      let subject: Subject = "an entry of 'expect'"
      var check = element
      var message: String?
      if case .mapping = element.content, element.unquotedReference == nil {
        let members = reader.members(of: element, subject, known: ["check", "message"])
        guard let members else { return nil }
        message = members["message"].flatMap { reader.text($0, "'message'") }
        guard let node = reader.required("check", in: members) else { return nil }
        check = node
      }
      if reportInnerDash(check) { return nil }
      return reader.expression(check, subject, of: .expect, in: place).map {
        Workflow.Expectation(expression: $0, message: message)
      }
    }
  }

  /// Reports a list entry followed by a dash that is indented more: to YAML both are one text.
  private func reportInnerDash(_ node: YAMLNode) -> Bool {
    guard case .scalar(let scalar) = node.content, scalar.style == .plain,
      scalar.text.contains(" - "), let line = reader.lines.line(node.location.line + 1)
    else { return false }
    let spaces = line.prefix { $0 == " " }
    // A dash on the same line is reported as an unknown operator.
    guard line.dropFirst(spaces.count).hasPrefix("- "), spaces.count > node.location.column - 3
    else { return false }
    reader.report(
      .syntax, "this '-' is indented more than the one above, so it is part of that text",
      at: SourceLocation(
        line: node.location.line + 1, column: spaces.count + 1, endColumn: spaces.count + 2),
      hint: "indent both the same")
    return true
  }
}
