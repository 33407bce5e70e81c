internal import GraphAPI
internal import JSONPath

/// Reads how Graph is called: the `version`, the profile of a `token`, and `permissions`.
struct AccessReader {
  let reader: TemplateReader

  func version(_ node: YAMLNode) -> GraphVersion? {
    var hint = "write \(GraphVersion.current)"
    func suggest(_ text: String) {
      if let meant = Self.versionMeant(by: text) { hint = "write \(meant)" }
    }
    switch node.scalarValue {
    case .float(let number)?, .integer(let number)?:
      suggest(number.lexeme)
      return reader.refuse(node, "'version'", takes: "a version such as v25.0", hint: hint)
    default: break
    }
    guard let text = reader.text(node, "'version'") else { return nil }
    guard let version = GraphVersion(text) else {
      suggest(text)
      return reader.refuse(
        node, "'\(YAMLFault.short(text))' is not a version of the Graph API", hint: hint)
    }
    if let end = Self.end(of: version) {
      reader.warn(
        .retiredVersion, "Graph treats \(version) as its oldest available version\(end)",
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

  /// The end of a retired version's availability, for a message; nil if it is still available.
  ///
  /// A version is retired if it ended before the newest known version was released. The current
  /// time is not used, so that the result for a file does not change from day to day.
  private static func end(of version: GraphVersion) -> String? {
    guard let newest = GraphVersion.known.first, let oldest = GraphVersion.known.last else {
      return nil
    }
    if version < oldest.version { return "" }
    let release = GraphVersion.known.first { $0.version == version }
    guard let day = release?.usableUntil, day < newest.released else { return nil }
    return ", since \(day)"
  }

  func profile(_ node: YAMLNode) -> String? {
    guard let text = reader.filledText(node, "'token'") else { return nil }
    let isName = text.utf8.allSatisfy { WorkflowName.isPart($0) || $0 == UInt8(ascii: ".") }
    if isName, text.utf8.count <= WorkflowName.maximumLength { return text }
    return reader.refuse(
      node, "'token' must be the name of a credential profile",
      hint: "a profile name has letters, digits, '_', '-' and '.'")
  }

  // MARK: Permissions

  /// The permissions in the order written, each once.
  func permissions(_ node: YAMLNode) -> [String] {
    let names = reader.names(node, "permissions")
    for name in names { check(name) }
    checkMixture(names)
    var seen: Set<String> = []
    return names.map(\.text).filter { seen.insert($0).inserted }
  }

  private func check(_ name: YAMLName) {
    let isName = name.text.utf8.allSatisfy {
      WorkflowName.isPart($0) && $0 != UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
        || $0 == UInt8(ascii: ":")
    }
    let nearest = KnownPermissions.nearest(to: name.text)
    if !isName {
      reader.report(
        .invalidName, "'\(YAMLFault.short(name.text))' cannot be a permission's name",
        at: name.location,
        hint: nearest.map { "did you mean '\($0)'?" } ?? "such as pages_manage_posts")
    } else if let retired = RetiredNames.permission(name.text) {
      reader.findings.report(
        .retiredPermission, "Graph no longer grants '\(name.text)'", as: retired.severity,
        at: name.location, hint: retired.replacement, fix: retired.fix)
    } else if let nearest {
      reader.findings.report(
        .misspeltPermission, "Graph has no permission '\(YAMLFault.short(name.text))'",
        as: .warning, at: name.location, hint: "did you mean '\(nearest)'?", fix: nearest)
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
    reader.warn(
      .mixedPermissions, "'\(first.text)' cannot be requested together with read permissions",
      at: first.location, hint: "request it in a separate login")
  }
}
