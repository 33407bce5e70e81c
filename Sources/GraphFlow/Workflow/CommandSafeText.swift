/// Text that a CI system does not take for a command.
///
/// GitHub's runner obeys lines that begin with `::`, white space before it left out, and `##[`
/// anywhere in a line (actions/runner, `ActionCommand.TryParseV2` and `TryParse`); Azure's obeys
/// `##[` and `##vso[`.
package enum CommandSafeText {
  /// The text with every such line made harmless.
  package static func lines(_ text: String) -> String {
    guard text.contains("::") || text.contains("##") else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { line(String($0)) }
      .joined(separator: "\n")
  }

  /// The line with what would be obeyed written as an escape.
  package static func line(_ line: String) -> String {
    var line = line
    for command in ["##[", "##vso["] where line.contains(command) {
      line = line.split(separator: command, omittingEmptySubsequences: false)
        .joined(separator: command.dropLast() + "\\u{5b}")
    }
    let rest = line.drop { $0.isWhitespace }
    guard rest.hasPrefix("::") else { return line }
    return line.prefix(line.count - rest.count) + "\\u{3a}" + rest.dropFirst()
  }
}
