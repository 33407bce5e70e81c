internal import GraphAPI
internal import JSONPath

extension WorkflowReader {
  static let workflowKeys = [
    "graphflow", "name", "description", "inputs", "version", "token", "permissions", "defaults",
    "errors", "requests", "outputs", "schedule",
  ]

  /// The workflow that a file's root value describes; sound only if there are no errors.
  mutating func workflow(from root: YAMLNode) -> Workflow? {
    guard case .mapping(let entries) = root.content else {
      reportType(root, "a workflow file", takes: "a map with the key 'graphflow'")
      return nil
    }
    guard !reportStrangeIndents(of: entries) else { return nil }
    let known = indentingWorkflow(entries.filter { !$0.key.hasPrefix("x-") })
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
      name: name ?? Self.name(ofFile: source.path),
      description: description,
      inputs: inputs,
      version: defaults.version,
      token: defaults.token,
      permissions: defaults.permissions,
      errors: errors,
      requests: requests,
      outputs: outputs,
      groups: groups,
      schedule: schedule
    )
  }

  private mutating func checkLanguageVersion(in members: Members) {
    guard
      let node = required(
        "graphflow",
        in: members,
        of: "a workflow file",
        hint: "begin it with the line graphflow: 1"
      )
    else { return }
    guard case .integer(let number)? = node.scalarValue else {
      return reportType(
        node,
        "'graphflow'",
        takes: "the number 1",
        hint: node.isQuoted ? "write graphflow: 1, without quotes" : "write graphflow: 1"
      )
    }
    if number.integer != 1 {
      report(
        RuleID.invalidValue,
        "version \(number.lexeme.prefix(40)) of the language is not known",
        at: node.location,
        hint: "write graphflow: 1"
      )
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
}
