extension Diagnostic {
  /// The diagnostic as a workflow command, which GitHub shows beside the line.
  ///
  /// `::error file=post.yaml,line=14,…::no request is named …`. A value cannot end the command or
  /// begin another one: special characters are escaped as `@actions/core` escapes them, and control
  /// characters and tokens as in ``DisplayText``.
  package var gitHubCommand: String {
    let command =
      switch severity {
      case .error: "error"
      case .warning: "warning"
      case .note: "notice"
      }
    let properties = [
      ("file", file), ("line", "\(location.line)"), ("endLine", "\(location.line)"),
      ("col", "\(location.column)"), ("endColumn", "\(location.endColumn)"), ("title", rule),
    ].map { "\($0)=\(Self.escaped($1, isProperty: true))" }
    return "::\(command) \(properties.joined(separator: ","))::"
      + "\(Self.escaped(sentence, isProperty: false)) [\(rule)]"
  }

  private static func escaped(_ text: String, isProperty: Bool) -> String {
    DisplayText.safe(text).unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "%": escaped += "%25"
      case ":" where isProperty: escaped += "%3A"
      case "," where isProperty: escaped += "%2C"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
  }
}

extension [Diagnostic] {
  package var gitHubCommands: String { map { $0.gitHubCommand + "\n" }.joined() }
}
