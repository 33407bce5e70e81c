internal import GraphAPI
internal import JSONPath

extension WorkflowReader {
  /// Reads what the workflow says for all its requests.
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
    // What a default header refers to becomes a dependency of every request, so it may not.
    if let node = members["headers"] { defaults.headers = headers(node, in: Place()) }
    refuseResults(
      in: defaults.headers.flatMap(\.value.placeholders),
      "a default header cannot refer to a request",
      hint: "write the header in the requests that need it"
    )
  }

  /// Reports references to requests where there can be none.
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
        RuleID.invalidValue,
        "'\(YAMLFault.short(text))' is no version of the Graph API",
        at: node.location,
        hint: hint
      )
      return nil
    }
    if let end = version.end {
      warn(
        RuleID.retiredVersion,
        "Graph answers \(version) as its oldest version in use\(end)",
        at: node.location,
        hint: hint
      )
    }
    return version
  }

  /// `v25.0` for `25.0`, `v25`, `25` and `V25.0`; nil for what Graph no longer answers.
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
    let isName = text.utf8.allSatisfy {
      WorkflowName.isPart($0) || $0 == UInt8(ascii: ".")
    }
    guard isName, text.utf8.count <= WorkflowName.maximumLength else {
      report(
        RuleID.invalidValue,
        "'token' names a credential profile",
        at: node.location,
        hint: "a profile's name has letters, digits, '_', '-' and '.'"
      )
      return nil
    }
    return text
  }
}

extension GraphVersion {
  /// Since when a version is no longer answered as itself, for a message; nil if it still is.
  ///
  /// What was over when the newest of the known versions came out is over; a clock is not asked, so
  /// that a file is judged alike every day.
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
