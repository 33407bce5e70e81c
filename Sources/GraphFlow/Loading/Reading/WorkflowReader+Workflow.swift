internal import GraphAPI
internal import JSONPath

extension WorkflowReader {
  static let workflowKeys = [
    "graphflow", "name", "description", "inputs", "version", "token", "permissions", "defaults",
    "errors", "requests", "outputs", "schedule",
  ]

  /// The workflow that a file's root value describes; nil if there are errors.
  mutating func workflow(from root: YAMLNode) -> Workflow? {
    guard case .mapping(let entries) = root.content else {
      reportType(root, "a workflow file", takes: "a map with the key 'graphflow'")
      return nil
    }
    guard !reportInvalidIndentation(of: entries) else { return nil }
    let known = nestingWorkflow(entries.filter { !$0.key.hasPrefix("x-") })
    let map = YAMLNode(content: .mapping(known), location: root.location)
    let subject: Subject = "a workflow file"
    guard let members = members(of: map, subject, in: "a workflow", known: Self.workflowKeys)
    else { return nil }
    checkLanguageVersion(in: members)
    let name = members["name"].flatMap { filledText($0, "'name'") }
    let description = members["description"].flatMap { text($0, "'description'") }
    let inputs = members["inputs"].map { self.inputs($0) } ?? []
    registerRequests(in: members)
    readDefaults(in: members)
    let errors = members["errors"].map { errorRules($0) } ?? []
    let (requests, groups) = requestsAndGroups()
    let outputs = members["outputs"].map { self.outputs($0) } ?? []
    checkCycles()
    let schedule = members["schedule"]
      .flatMap { self.schedule($0, at: members.keyLocation("schedule")) }
    guard !findings.hasErrors else { return nil }
    return Workflow(
      source: Workflow.Source(path: source.path, digest: source.digest),
      name: name ?? Self.name(ofFile: source.path), description: description, inputs: inputs,
      version: defaults.version, token: defaults.token, permissions: defaults.permissions,
      errors: errors, requests: requests, outputs: outputs, groups: groups, schedule: schedule)
  }

  private mutating func checkLanguageVersion(in members: Members) {
    guard
      let node = required(
        "graphflow", in: members, of: "a workflow file",
        hint: "start the file with the line graphflow: 1")
    else { return }
    guard case .integer(let number)? = node.scalarValue else {
      return reportType(
        node, "'graphflow'", takes: "the number 1",
        hint: node.isQuoted ? "write graphflow: 1, without quotes" : "write graphflow: 1")
    }
    if number.integer != 1 {
      report(
        RuleID.invalidValue, "language version \(number.lexeme.prefix(40)) is unknown",
        at: node.location, hint: "write graphflow: 1")
    }
  }

  private mutating func outputs(_ node: YAMLNode) -> [Workflow.Output] {
    guard let entries = entries(of: node, "'outputs'") else { return [] }
    return entries.compactMap { entry in
      checkPlainName(entry, "an output's name")
      let subject = Subject("the output", entry.key)
      return valueTemplate(entry.value, subject, in: Place())
        .map { Workflow.Output(name: entry.key, value: $0) }
    }
  }

  /// A file's name without folder and extension.
  private static func name(ofFile path: String) -> String {
    guard path != "-" else { return "stdin" }
    let file = path.split(separator: "/").last ?? Substring(path)
    guard let dot = file.lastIndex(of: "."), dot > file.startIndex else { return String(file) }
    return String(file[..<dot])
  }

  /// Reads the settings for all requests.
  mutating func readDefaults(in members: Members) {
    defaults.version = members["version"].flatMap { version($0) }
    if let node = members["token"], let profile = profile(node) { defaults.token = profile }
    if let node = members["permissions"] { defaults.permissions = permissions(node) }
    guard let node = members["defaults"] else { return }
    let keys = Self.commonSettings.map(\.name) + ["headers"]
    guard let members = self.members(of: node, "'defaults'", known: keys) else { return }
    var settings = defaults.settings
    read(members, into: &settings, by: Self.commonSettings)
    defaults.settings = settings
    // A reference in a default header would make every request depend on that request.
    if let node = members["headers"] { defaults.headers = headers(node, in: Place()) }
    refuseResults(
      in: defaults.headers.flatMap(\.value.placeholders),
      "a default header cannot refer to a request",
      hint: "write the header in the requests that need it")
  }

  /// Reports references to requests where they are not allowed.
  mutating func refuseResults(in placeholders: [Placeholder], _ message: String, hint: String) {
    for placeholder in placeholders where placeholder.reference != nil {
      report(RuleID.invalidValue, message, at: placeholder.location, hint: hint)
    }
  }

  /// A Graph version such as `v25.0`.
  mutating func version(_ node: YAMLNode) -> GraphVersion? {
    var hint = "write \(GraphVersion.current)"
    switch node.scalarValue {
    case .float(let number)?, .integer(let number)?:
      if let written = Self.versionMeant(by: number.lexeme) { hint = "write \(written)" }
      reportType(node, "'version'", takes: "a version such as v25.0", hint: hint)
      return nil
    default: break
    }
    guard let text = text(node, "'version'") else { return nil }
    guard let version = GraphVersion(text) else {
      if let written = Self.versionMeant(by: text) { hint = "write \(written)" }
      report(
        RuleID.invalidValue, "'\(YAMLFault.short(text))' is not a version of the Graph API",
        at: node.location, hint: hint)
      return nil
    }
    if let end = version.end {
      warn(
        RuleID.retiredVersion, "Graph treats \(version) as its oldest available version\(end)",
        at: node.location, hint: hint)
    }
    return version
  }

  /// `v25.0` for `25.0`, `v25`, `25` and `V25.0`; nil for a version that is no longer available.
  private static func versionMeant(by text: String) -> GraphVersion? {
    let digits = text.first == "v" || text.first == "V" ? text.dropFirst() : text[...]
    guard let version = GraphVersion("v" + digits + (digits.contains(".") ? "" : ".0")),
      let oldest = GraphVersion.known.map(\.version).min(), version >= oldest
    else { return nil }
    return version
  }

  /// The name of a credential profile.
  mutating func profile(_ node: YAMLNode) -> String? {
    guard let text = filledText(node, "'token'") else { return nil }
    let isName = text.utf8.allSatisfy { WorkflowName.isPart($0) || $0 == UInt8(ascii: ".") }
    guard isName, text.utf8.count <= WorkflowName.maximumLength else {
      report(
        RuleID.invalidValue, "'token' must be the name of a credential profile", at: node.location,
        hint: "a profile name has letters, digits, '_', '-' and '.'")
      return nil
    }
    return text
  }
}

extension GraphVersion {
  /// The end of a retired version's availability, for a message; nil if it is still available.
  ///
  /// A version is retired if it ended before the newest known version was released. The current
  /// time is not used, so that the result for a file does not change from day to day.
  fileprivate var end: String? {
    guard let newest = GraphVersion.known.first, let oldest = GraphVersion.known.last else {
      return nil
    }
    if self < oldest.version { return "" }
    let release = GraphVersion.known.first { $0.version == self }
    guard let day = release?.usableUntil, day < newest.released else { return nil }
    return ", since \(day)"
  }
}
