extension YAMLReading {
  /// The permissions of a request or workflow, in the order written.
  mutating func permissions(_ node: YAMLNode) -> [String] {
    let names = names(node, "permissions")
    for name in names {
      let isName = name.text.utf8.allSatisfy {
        WorkflowName.isPart($0) && $0 != UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
          || $0 == UInt8(ascii: ":")
      }
      if !isName {
        report(
          RuleID.invalidName, "'\(YAMLFault.short(name.text))' cannot be a permission's name",
          at: name.location,
          hint: KnownPermissions.nearest(to: name.text).map { "did you mean '\($0)'?" }
            ?? "such as pages_manage_posts")
      } else if let retired = RetiredNames.permission(name.text) {
        findings.report(
          RuleID.retiredPermission, "Graph no longer grants '\(name.text)'", as: retired.severity,
          at: name.location, hint: retired.replacement, fix: retired.fix)
      } else if let nearest = KnownPermissions.nearest(to: name.text) {
        findings.report(
          RuleID.misspeltPermission, "Graph has no permission '\(YAMLFault.short(name.text))'",
          as: .warning, at: name.location, hint: "did you mean '\(nearest)'?", fix: nearest)
      }
    }
    checkMixedPermissions(names)
    return names.map(\.text)
  }

  /// Warns if one login would request both read and publish permissions.
  ///
  /// Facebook's dialog refuses that for the old publish permissions, which the mobile SDKs
  /// recognize by these prefixes.
  private mutating func checkMixedPermissions(_ names: [YAMLName]) {
    let publishing = names.filter {
      $0.text.hasPrefix("publish") || $0.text.hasPrefix("manage")
        || ["create_event", "rsvp_event"].contains($0.text)
    }
    guard let first = publishing.first, publishing.count < names.count else { return }
    warn(
      RuleID.mixedPermissions, "'\(first.text)' cannot be requested together with read permissions",
      at: first.location, hint: "request it in a separate login")
  }
}
