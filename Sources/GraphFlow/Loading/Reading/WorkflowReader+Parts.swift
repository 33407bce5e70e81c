internal import GraphAPI
internal import JSONPath

extension WorkflowReader {
  /// The parts of a request that decide what is sent, and when.
  struct Parts {
    var path: Template?
    var params: [Workflow.Parameter] = []
    var files: [Workflow.File] = []
    var headers: [Workflow.Header] = []
    var token: Workflow.TokenChoice
    var when: Expression?
    var expect: [Workflow.Expectation] = []
    var pagination: Workflow.Pagination?
    var until: Workflow.Until?
    var confirmation: Workflow.Confirmation?
  }

  /// Reads the parts of a request that decide what is sent.
  mutating func parts(in members: Members, _ verb: Verb?, place: Place) -> Parts {
    var parts = Parts(token: .profile(defaults.token))
    if let verb {
      parts.path = path(verb.node, Subject(key: verb.method.rawValue.lowercased()), in: place)
    }
    if let node = members["params"] { parts.params = params(node, in: place) }
    if let node = members["files"] {
      if let verb, verb.method != .post {
        report(RuleID.misplacedKey, "only a POST can send files", at: members.keyLocation("files"))
      }
      parts.files = files(node, in: place)
    }
    if let node = members["headers"] { parts.headers = headers(node, in: place) }
    if let node = members["token"], let token = token(node, in: place) { parts.token = token }
    if let node = members["when"] { parts.when = expression(node, "'when'", of: .when, in: place) }
    if let node = members["expect"] { parts.expect = expectations(node, in: place) }
    return parts
  }

  /// The parameters of a request or of its confirmation check.
  mutating func params(_ node: YAMLNode, in place: Place) -> [Workflow.Parameter] {
    guard let entries = entries(of: node, "'params'") else { return [] }
    return entries.compactMap { entry in
      checkPlainName(entry, "a parameter's name")
      if let fault = ReservedParameter.fault(of: entry.key) { report(fault, at: entry.keyLocation) }
      checkProse(entry)
      let subject = Subject("the parameter", entry.key)
      return valueTemplate(entry.value, subject, in: place)
        .map { Workflow.Parameter(name: entry.key, value: $0) }
    }
  }

  private mutating func files(_ node: YAMLNode, in place: Place) -> [Workflow.File] {
    guard let entries = entries(of: node, "'files'") else { return [] }
    return entries.compactMap { entry in
      let isValid = entry.key.utf8.allSatisfy { WorkflowName.isPart($0) && $0 != UInt8(ascii: "-") }
      if !isValid {
        report(
          RuleID.invalidName, "'\(YAMLFault.short(entry.key))' cannot be the name of a part",
          at: entry.keyLocation, hint: "letters, digits and '_'")
      } else if let fault = ReservedParameter.fault(of: entry.key),
        !["callback", "debug"].contains(entry.key)
      {
        report(fault, at: entry.keyLocation)
      }
      return filePath(entry.value, Subject("the file", entry.key), in: place)
        .map { Workflow.File(part: entry.key, path: $0) }
    }
  }

  /// A path to a file in the workflow's folder.
  mutating func filePath(_ node: YAMLNode, _ subject: Subject, in place: Place) -> Template? {
    guard let path = template(node, subject, in: place) else { return nil }
    // A placeholder is checked when its value is known; the text around it is checked now.
    let shape = path.parts.map { part in
      guard case .text(let text) = part else { return "x" }
      return text
    }.joined()
    if shape.isEmpty {
      report(RuleID.invalidValue, "the path is empty", at: node.location)
    } else if FileOutside.leavesFolder(shape) {
      report(FileOutside.fault, at: node.location)
    } else if let filePresence, let literal = path.literal,
      let fault = MissingFile.fault(of: literal, filePresence(literal))
    {
      report(fault, at: node.location)
    }
    return path
  }

  /// The header fields of a request or of `defaults`.
  mutating func headers(_ node: YAMLNode, in place: Place) -> [Workflow.Header] {
    guard let entries = entries(of: node, "'headers'") else { return [] }
    var seen: [String: String] = [:]
    return entries.compactMap { entry in
      if let fault = ForbiddenHeader.fault(of: entry.key) { report(fault, at: entry.keyLocation) }
      if let first = seen.updateValue(entry.key, forKey: entry.key.lowercased()) {
        report(
          RuleID.duplicateKey, "'\(YAMLFault.short(entry.key))' is the same header as '\(first)'",
          at: entry.keyLocation)
      }
      let subject = Subject("the header", entry.key)
      guard let value = template(entry.value, subject, in: place) else { return nil }
      for case .text(let text) in value.parts where HeaderField("x", text) == nil {
        report(
          RuleID.invalidValue, "a header cannot contain line breaks or control characters",
          at: entry.value.location)
      }
      return Workflow.Header(name: entry.key, value: value)
    }
  }

  /// Reads `token`: the name of a profile, or exactly one reference.
  private mutating func token(_ node: YAMLNode, in place: Place) -> Workflow.TokenChoice? {
    guard case .string(let text)? = node.scalarValue, TemplateScanner.mayHoldReference(text) else {
      return reportUnquotedReference(node) ? nil : profile(node).map { .profile($0) }
    }
    var tokenPlace = place
    tokenPlace.isToken = true
    guard let template = template(node, "'token'", in: tokenPlace) else { return nil }
    switch template.only?.kind {
    case .result?, .item?: return .reference(template)
    case .input(let name)? where inputTypes[name.text] == .secret: return .reference(template)
    case .input?:
      report(
        RuleID.invalidValue, "an input that holds a token must have the type secret",
        at: node.location)
    default:
      report(
        RuleID.invalidValue, "'token' must be a profile name or exactly one reference",
        at: node.location, hint: "such as \"{result=accounts:$.data[0].access_token}\"")
    }
    return nil
  }

  private mutating func expectations(_ node: YAMLNode, in place: Place) -> [Workflow.Expectation] {
    guard let elements = elements(of: node, "'expect'", hint: "write it as a list: - …") else {
      return []
    }
    return elements.compactMap { element in
      var check = element
      var message: String?
      if case .mapping = element.content, element.unquotedReference == nil {
        let subject: Subject = "an entry of 'expect'"
        guard let members = members(of: element, subject, known: ["check", "message"]) else {
          return nil
        }
        message = members["message"].flatMap { text($0, "'message'") }
        guard let node = required("check", in: members, of: subject) else { return nil }
        check = node
      }
      if reportInnerDash(check) { return nil }
      return expression(check, "an entry of 'expect'", of: .expect, in: place)
        .map { Workflow.Expectation(expression: $0, message: message) }
    }
  }

  /// Reports a list entry followed by a dash that is indented more: to YAML both are one text.
  private mutating func reportInnerDash(_ node: YAMLNode) -> Bool {
    guard case .scalar(let scalar) = node.content, scalar.style == .plain,
      scalar.text.contains(" - "), let line = lines.line(node.location.line + 1)
    else { return false }
    let spaces = line.prefix { $0 == " " }
    // A dash on the same line is reported as an unknown operator.
    guard line.dropFirst(spaces.count).hasPrefix("- "), spaces.count > node.location.column - 3
    else { return false }
    report(
      RuleID.syntax, "this '-' is indented more than the one above, so it is part of that text",
      at: SourceLocation(
        line: node.location.line + 1, column: spaces.count + 1, endColumn: spaces.count + 2),
      hint: "indent both the same")
    return true
  }
}
