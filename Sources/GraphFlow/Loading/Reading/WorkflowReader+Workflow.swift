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
    let known = entries.filter { !$0.key.hasPrefix("x-") }
    let map = YAMLNode(content: .mapping(known), location: root.location)
    let subject: Subject = "a workflow file"
    guard let members = members(of: map, subject, in: "a workflow", known: Self.workflowKeys)
    else { return nil }
    checkLanguageVersion(in: members)
    let name = members["name"].flatMap { filledText($0, "'name'") }
    let description = members["description"].flatMap { text($0, "'description'") }
    let inputs = members["inputs"].map { self.inputs($0) } ?? []
    let requestEntries = requestEntries(in: members)
    readDefaults(in: members)
    let errors = members["errors"].map { errorRules($0) } ?? []
    let requests = requestEntries.indices.compactMap { request($0, requestEntries[$0]) }
    let outputs = members["outputs"].map { self.outputs($0) } ?? []
    checkCycles(among: requestEntries)
    if let node = members["schedule"] { schedule(node, at: members.keyLocation("schedule")) }
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
      outputs: outputs
    )
  }

  private mutating func checkLanguageVersion(in members: Members) {
    guard
      let node = required(
        "graphflow",
        in: members,
        of: "a workflow file",
        hint: "begin it with graphflow: 1"
      )
    else { return }
    guard case .integer(let number)? = node.scalarValue else {
      return reportType(
        node,
        "'graphflow'",
        takes: "the language's version",
        hint: "write graphflow: 1"
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

  /// Notes the names of all requests, for a reference may point forwards.
  private mutating func requestEntries(in members: Members) -> [YAMLNode.Entry] {
    guard
      let node = required(
        "requests",
        in: members,
        of: "a workflow file",
        hint: "add requests: with at least one"
      ),
      let entries = entries(of: node, "'requests'")
    else { return [] }
    if entries.isEmpty {
      report(RuleID.missingKey, "a workflow needs at least one request", at: node.location)
    }
    if entries.count > LoadingLimits.requests {
      report(
        RuleID.limit,
        "a file may hold at most 100,000 requests, and this one has \(entries.count)",
        at: entries[LoadingLimits.requests].keyLocation
      )
      return []
    }
    edges = Array(repeating: [], count: entries.count)
    requestNames.reserveCapacity(entries.count)
    for (index, entry) in entries.enumerated() {
      requestIndices[entry.key] = index
      requestNames.append(entry.key)
      guard case .mapping(let keys) = entry.value.content else { continue }
      for key in keys where key.key == "omit_response" && key.value.scalarValue == .bool(true) {
        omittingRequests.insert(index)
      }
    }
    return entries
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
