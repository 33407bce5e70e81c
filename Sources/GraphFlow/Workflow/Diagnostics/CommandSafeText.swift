/// Text that a CI system does not execute as a command.
///
/// GitHub's runner executes lines that begin with `::`, after optional white space, and `##[`
/// anywhere in a line (actions/runner, `ActionCommand.TryParseV2` and `TryParse`). Azure's executes
/// `##[` and `##vso[`.
package enum CommandSafeText {
  package static func lines(_ text: String) -> String {
    guard text.contains("::") || text.contains("##") else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { line(String($0)) }
      .joined(separator: "\n")
  }

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

  /// JSON text with the brackets of such commands as `\u` escapes.
  ///
  /// It has the same meaning, because two hash signs are always inside a string. No line begins
  /// with `::`, because a string begins with a quote and contains no line break.
  package static func json(_ text: [UInt8]) -> [UInt8] {
    let hash = UInt8(ascii: "#")
    guard let first = text.firstIndex(of: hash) else { return text }
    var safe = Array(text[..<first])
    for byte in text[first...] {
      let isCommand =
        byte == UInt8(ascii: "[")
        && (safe.suffix(2).elementsEqual("##".utf8) || safe.suffix(5).elementsEqual("##vso".utf8))
      if isCommand { safe += "\\u005b".utf8 } else { safe.append(byte) }
    }
    return safe
  }
}
