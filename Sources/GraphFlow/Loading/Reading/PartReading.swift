internal import GraphAPI
internal import JSONPath

/// Reads a part of a workflow file, with the reader of all texts in the file.
protocol PartReading: YAMLReading {
  var reader: TemplateReader { get }
  /// Where the part is, which decides what its texts may contain.
  var place: TemplateReader.Place { get }
}

extension PartReading {
  var place: TemplateReader.Place { TemplateReader.Place() }
  var findings: Findings { reader.findings }

  func reportUnknownKey(
    _ entry: YAMLNode.Entry, in subject: Subject, among entries: [YAMLNode.Entry],
    known keys: [String]
  ) -> String? { reader.reportUnknownKey(entry, in: subject, among: entries, known: keys) }

  func read<Whole>(
    _ members: YAMLMembers, into whole: inout Whole, by keys: [YAMLKey<Self, Whole>]
  ) {
    var reader = self
    for key in keys { if let node = members[key.name] { key.read(&reader, node, &whole) } }
  }
}

// MARK: What is sent

extension PartReading {
  /// The parameters of a request or of its confirmation check.
  func params(_ node: YAMLNode) -> [Workflow.Parameter] {
    let entries = entries(of: node, "'params'") ?? []
    var params: [Workflow.Parameter] = []
    params.reserveCapacity(entries.count)
    for entry in entries {
      reader.checkPlainName(entry, "a parameter's name")
      if let fault = ReservedParameter.fault(of: entry.key) { report(fault, at: entry.keyLocation) }
      reader.checkProse(entry)
      let subject = Subject("the parameter", entry.key)
      if let value = reader.valueTemplate(entry.value, subject, in: place) {
        params.append(Workflow.Parameter(name: entry.key, value: value))
      }
    }
    return params
  }

  func files(_ node: YAMLNode) -> [Workflow.File] {
    (entries(of: node, "'files'") ?? []).compactMap { entry in
      let isValid = entry.key.utf8.allSatisfy { WorkflowName.isPart($0) && $0 != UInt8(ascii: "-") }
      if !isValid || entry.key.isEmpty {
        report(
          .invalidName, "'\(entry.key.short)' cannot be the name of a part", at: entry.keyLocation,
          hint: "letters, digits and '_'")
      } else if let fault = ReservedParameter.fault(of: entry.key),
        !["callback", "debug"].contains(entry.key)
      {
        report(fault, at: entry.keyLocation)
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
    let shape = path.text(placeholder: "x")
    if shape.isEmpty {
      report(.invalidValue, "the path is empty", at: node.location)
    } else if FileOutside.leavesFolder(shape) {
      report(FileOutside.fault, at: node.location)
    } else if let presence = path.literal.flatMap({ reader.fileLookup?($0) }),
      let fault = FileOutside.fault(of: shape, presence)
    {
      report(fault, at: node.location)
    }
    return path
  }

  /// The header fields of a request or of `defaults`.
  func headers(_ node: YAMLNode) -> [Workflow.Header] {
    var seen: [String: String] = [:]
    return (entries(of: node, "'headers'") ?? []).compactMap { entry in
      if let fault = ForbiddenHeader.fault(of: entry.key) { report(fault, at: entry.keyLocation) }
      if let first = seen.updateValue(entry.key, forKey: entry.key.lowercased()) {
        report(
          .duplicateKey, "'\(entry.key.short)' is the same header as '\(first)'",
          at: entry.keyLocation)
      }
      let subject = Subject("the header", entry.key)
      guard let value = reader.template(entry.value, subject, in: place) else { return nil }
      for case .text(let text) in value.parts where HeaderField("x", text) == nil {
        report(
          .invalidValue, "a header cannot contain line breaks or control characters",
          at: entry.value.location)
      }
      return Workflow.Header(name: entry.key, value: value)
    }
  }
}

// MARK: Conditions

extension PartReading {
  /// The entries of a list of conditions, such as `expect`.
  func expectations(_ node: YAMLNode) -> [Workflow.Expectation] {
    let hint = "write it as a list: - …"
    return (elements(of: node, "'expect'", hint: hint) ?? []).compactMap { element in
      let subject: Subject = "an entry of 'expect'"
      var check = element
      var message: String?
      if case .mapping = element.content, element.unquotedReference == nil {
        let members = members(of: element, subject, known: ["check", "message"])
        guard let members else { return nil }
        message = members["message"].flatMap { text($0, "'message'") }
        guard let node = required("check", in: members) else { return nil }
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
    guard let scalar = node.scalar, scalar.style == .plain, scalar.text.contains(" - "),
      let line = reader.lines.line(node.location.line + 1)
    else { return false }
    let spaces = line.prefix { $0 == " " }
    // A dash on the same line is reported as an unknown operator.
    guard line.dropFirst(spaces.count).hasPrefix("- "), spaces.count > node.location.column - 3
    else { return false }
    report(
      .syntax, "this '-' is indented more than the one above, so it is part of that text",
      at: SourceLocation(
        line: node.location.line + 1, column: spaces.count + 1, endColumn: spaces.count + 2),
      hint: "indent both the same")
    return true
  }
}

// MARK: How much is read

extension PartReading {
  /// Reads `split`: what the request is divided by if Graph refuses it.
  func split(
    _ node: YAMLNode, of request: Workflow.RequestKeys, beside members: YAMLMembers
  ) -> [SplitDimension] {
    let location = members.keyLocation("split")
    if request.method != .get {
      report(
        .misplacedKey, "'split' is for a read, and this is a \(request.method.rawValue)",
        at: location)
    }
    if members["until"] != nil || request.rare.pagination ?? .init() != .init() {
      let other = members["until"] == nil ? "limits of 'paginate'" : "'until'"
      report(.misplacedKey, "'split' cannot be combined with \(other)", at: location)
    }
    var dimensions: [SplitDimension] = []
    for element in elements(of: node, "'split'") ?? [] {
      guard let dimension = choice(element, "an entry of 'split'", of: SplitDimension.self) else {
        continue
      }
      if dimensions.contains(dimension) {
        report(.invalidValue, "'split' already has '\(dimension)'", at: element.location)
        continue
      }
      dimensions.append(dimension)
      if let problem = SplitParameters.problem(of: dimension, in: request.params) {
        report(.invalidValue, problem, at: element.location)
      }
    }
    return dimensions
  }
}

// MARK: How Graph is called

extension PartReading {
  func version(_ node: YAMLNode, _ subject: Subject) -> GraphVersion? {
    func hint(for text: String) -> String {
      "write \(Self.versionMeant(by: text) ?? GraphVersion.current)"
    }
    if let number = node.scalarValue?.number {
      return refuse(
        node, subject, takes: "a version such as v25.0", hint: hint(for: number.lexeme))
    }
    guard let text = text(node, subject) else { return nil }
    guard let version = GraphVersion(text) else {
      return refuse(
        node, "'\(text.short)' is not a version of the Graph API", hint: hint(for: text))
    }
    return version
  }

  /// `v25.0` for `25.0`, `v25`, `25` and `V25.0`; nil for a version that is no longer available.
  private static func versionMeant(by text: String) -> GraphVersion? {
    let digits = text.first == "v" || text.first == "V" ? text.dropFirst() : text[...]
    guard let version = GraphVersion("v" + digits + (digits.contains(".") ? "" : ".0")),
      version.end(before: GraphVersion.known.first?.released ?? "") == nil
    else { return nil }
    return version
  }

  func profile(_ node: YAMLNode) -> String? {
    guard let text = filledText(node, "'token'") else { return nil }
    let isName = text.utf8.allSatisfy { WorkflowName.isPart($0) || $0 == UInt8(ascii: ".") }
    if isName, text.utf8.count <= WorkflowName.maximumLength { return text }
    return refuse(
      node, "'token' must be the name of a credential profile",
      hint: "a profile name has letters, digits, '_', '-' and '.'")
  }

  /// The permissions in the order written, each once.
  func permissions(_ node: YAMLNode) -> [String] {
    let names = names(node, "permissions")
    for name in names { check(permission: name) }
    checkMixture(names)
    var seen: Set<String> = []
    return names.map(\.text).filter { seen.insert($0).inserted }
  }

  private func check(permission name: YAMLName) {
    let isName = name.text.utf8.allSatisfy {
      WorkflowName.isPart($0) && $0 != UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
        || $0 == UInt8(ascii: ":")
    }
    let nearest = KnownPermissions.nearest(to: name.text)
    if !isName {
      report(
        .invalidName, "'\(name.text.short)' cannot be a permission's name", at: name.location,
        hint: nearest.map { "did you mean '\($0)'?" } ?? "such as pages_manage_posts")
    } else if let retired = RetiredNames.permission(name.text) {
      findings.report(
        .retiredPermission, "Graph no longer grants '\(name.text)'", as: retired.severity,
        at: name.location, hint: retired.replacement, fix: retired.fix)
    } else if let nearest {
      findings.report(
        .misspeltPermission, "Graph has no permission '\(name.text.short)'", as: .warning,
        at: name.location, hint: "did you mean '\(nearest)'?", fix: nearest)
    }
  }

  /// Warns if one login would request both read and publish permissions.
  ///
  /// Facebook's dialog refuses that for the old publish permissions, which the mobile SDKs
  /// recognize by these prefixes.
  private func checkMixture(_ names: [YAMLName]) {
    let publishing = names.filter {
      $0.text.hasPrefix("publish") || $0.text.hasPrefix("manage")
        || ["create_event", "rsvp_event"].contains($0.text)
    }
    guard let first = publishing.first, publishing.count < names.count else { return }
    warn(
      .mixedPermissions, "'\(first.text)' cannot be requested together with read permissions",
      at: first.location, hint: "request it in a separate login")
  }
}
