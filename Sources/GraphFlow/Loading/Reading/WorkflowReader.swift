internal import GraphAPI
internal import JSONPath

/// Turns a YAML document into a workflow.
///
/// A part that cannot be used is reported and left out, so that the rest of the file is still
/// checked. The incomplete workflow is then discarded by `Workflow.reading(_:)`.
struct WorkflowReader: PartReading {
  static let keys = [
    "graphflow", "name", "description", "inputs", "version", "token", "permissions", "defaults",
    "errors", "requests", "outputs", "schedule", "overlap_key", "deadline", "recovery",
    "max_writes", "include",
  ]

  let reader: TemplateReader

  /// The workflow that a file's root value describes; nil if there are errors.
  func workflow(from root: YAMLNode) -> Workflow? {
    guard let entries = root.entries else {
      return refuse(root, "a workflow file", takes: "a map with the key 'graphflow'")
    }
    guard !reportInvalidIndentation(of: entries) else { return nil }
    let known = nestedWorkflow(entries.filter { !$0.key.hasPrefix("x-") })
    let map = YAMLNode(content: .mapping(known), location: root.location)
    guard
      let members = members(of: map, "a workflow file", in: "a workflow", known: Self.keys)
    else { return nil }
    checkLanguageVersion(in: members)
    let name = members["name"].flatMap { filledText($0, "'name'") }
    let description = members["description"].flatMap { text($0, "'description'") }
    var inputs = members["inputs"].map { InputReader(reader: reader).inputs($0) } ?? []
    if let node = members["overlap_key"] {
      InputReader(reader: reader).markOverlapKey(node, in: &inputs)
    }
    let schedule = members["schedule"].flatMap {
      ScheduleReader(reader: reader)
        .schedule($0, at: members.keyLocation("schedule"), for: inputs)
    }
    if let schedule { reader.timeZone = schedule.timeZone }
    let deadline = members["deadline"].flatMap { duration($0, "'deadline'") }
    let maxWrites = members["max_writes"].flatMap { integer($0, "'max_writes'", atLeast: 1) }
    let recovers = members["recovery"].flatMap { boolean($0, "'recovery'") } ?? true
    registerRequests(in: members)
    let profile = members["token"].flatMap { self.profile($0) } ?? "default"
    let defaults = self.defaults(in: members, token: profile)
    let errors = members["errors"].map { ErrorReader(reader: reader).rules($0) }
    let groups = reader.scopes.groups.indices.compactMap {
      GroupReader(reader: reader, index: $0).group()
    }
    let requests = reader.scopes.slots.indices.compactMap {
      RequestReader.request($0, reader, over: defaults)
    }
    let outputs =
      members["outputs"].map { OutputReader(reader: reader).outputs($0, of: groups) } ?? []
    reader.checkCycles()
    guard !findings.hasErrors else { return nil }
    let source = reader.source
    return Workflow(
      source: Workflow.Source(path: source.path, digest: source.digest, parts: source.parts),
      name: name ?? Self.name(ofFile: source.path), description: description, inputs: inputs,
      version: defaults.rare.version, token: profile, permissions: defaults.permissions,
      errors: errors ?? [], requests: OutputReader.ordered(requests, before: outputs),
      outputs: outputs, groups: groups,
      conduct: .init(
        schedule: schedule, deadline: deadline, recovers: recovers, maxWrites: maxWrites))
  }

  private func checkLanguageVersion(in members: YAMLMembers) {
    let hint = "start the file with the line graphflow: 1"
    guard let node = required("graphflow", in: members, hint: hint) else { return }
    guard case .integer(let number)? = node.scalarValue else {
      let isQuoted = node.scalar?.style == .singleQuoted || node.scalar?.style == .doubleQuoted
      return reportType(
        node, "'graphflow'", takes: "the number 1",
        hint: isQuoted ? "write graphflow: 1, without quotes" : "write graphflow: 1")
    }
    if number.integer != 1 {
      report(
        .invalidValue, "language version \(number.lexeme.prefix(40)) is unknown", at: node.location,
        hint: "write graphflow: 1")
    }
  }

  /// A file's name without folder and extension.
  private static func name(ofFile path: String) -> String {
    guard path != "-" else { return "stdin" }
    let file = path.split(separator: "/").last ?? Substring(path)
    guard let dot = file.lastIndex(of: "."), dot > file.startIndex else { return String(file) }
    return String(file[..<dot])
  }

  /// What each request begins with: the workflow's own settings, and those of `defaults`.
  private func defaults(in members: YAMLMembers, token: String) -> Workflow.RequestKeys {
    var defaults = Workflow.RequestKeys(name: "", location: .start)
    defaults.rare.version = members["version"].flatMap { version($0, "'version'") }
    defaults.token = .profile(token)
    if let node = members["permissions"] { defaults.permissions = permissions(node) }
    let keys = RequestReader.defaultsKeys
    guard let node = members["defaults"],
      let members = self.members(of: node, "'defaults'", known: keys)
    else { return defaults }
    RequestReader.readDefaults(members, into: &defaults, reader)
    // A reference in a default header would make every request depend on that request.
    reader.refuseResults(
      in: defaults.rare.headers.flatMap(\.value.placeholders),
      "a default header cannot refer to a request",
      hint: "write the header in the requests that need it")
    return defaults
  }

  // MARK: Names of requests

  /// Registers all requests and groups first, because references may point forwards.
  private func registerRequests(in members: YAMLMembers) {
    let hint = "add 'requests:' with at least one request"
    guard let node = required("requests", in: members, hint: hint),
      let entries = entries(of: node, "'requests'", hint: Self.hintForRequests(node))
    else { return }
    if entries.isEmpty {
      report(.missingKey, "a workflow needs at least one request", at: node.location)
    }
    reader.scopes.reserveCapacity(entries.count)
    let nested = nestedRequests(entries)
    if let location = PageList.firstUse(in: nested) {
      let list = PageList.entry(at: location)
      if let own = nested.first(where: { $0.key == list.key }) {
        report(
          .invalidValue, "'\(own.key)' is the name of the list of pages that 'as' reads",
          at: own.keyLocation, hint: "choose another name, or refer to this list")
      } else {
        reader.scopes.add(list)
      }
    }
    for entry in nested { register(entry) }
    let slots = reader.scopes.slots
    guard slots.count <= LoadingLimits.requests else {
      report(
        .limit, "a file may contain at most 100,000 requests, and this one has \(slots.count)",
        at: slots[LoadingLimits.requests].entry.keyLocation)
      reader.scopes = RequestScopes()
      return
    }
    reader.checkShadowing()
  }

  private static func hintForRequests(_ node: YAMLNode) -> String? {
    guard let elements = node.elements else { return nil }
    let name = elements.first?.member("name")?.shortText ?? elements.first?.member("id")?.shortText
    let key = name.flatMap { WorkflowName.isWellFormed($0) ? $0 : nil } ?? "NAME"
    return "requests have names: write '\(key):' in place of the first '-'"
  }

  private func register(_ entry: YAMLNode.Entry) {
    let entry = nestedKeys(of: entry)
    guard let keys = entry.value.entries else { return reader.scopes.add(entry) }
    if let node = keys.first(where: { $0.key == "requests" })?.value {
      let members = entries(of: node, "'requests'", hint: Self.hintForRequests(node))
      if members?.isEmpty == true {
        report(.missingKey, "a group needs at least one request", at: node.location)
      }
      let named = nestedRequests(members ?? []).map { nestedKeys(of: $0) }
      reader.scopes.addGroup(entry, members: named)
    } else if keys.contains(where: { $0.key == "for_each" }) {
      reader.scopes.addGroup(entry, members: nil)
    } else {
      reader.scopes.add(entry)
    }
  }
}
