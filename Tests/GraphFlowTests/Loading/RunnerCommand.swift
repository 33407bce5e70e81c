/// The command that GitHub's runner reads from a line of a step's output.
///
/// Source: actions/runner, `ActionCommand.TryParseV2` and `TryParse`: a line that begins with `::`,
/// white space left out, is a command of the second kind; else one that holds `##[` is of the first.
/// Azure's agent obeys `##vso[` and `##[` anywhere in a line.
struct RunnerCommand: Equatable {
  var name: String
  var properties: [String: String] = [:]
  var message = ""

  /// The commands in the lines of a text; lines end wherever Unicode lets one end.
  static func commands(in text: String) -> [RunnerCommand] {
    text.split(whereSeparator: \.isNewline).compactMap { RunnerCommand(line: $0) }
  }

  /// The commands in the lines of JSON, whose strings hold Unicode's other line breaks until the
  /// command escapes them.
  static func commands(inJSON text: [UInt8]) -> [RunnerCommand] {
    text.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
      .compactMap { RunnerCommand(line: String(decoding: $0, as: UTF8.self)[...]) }
  }

  private init?(line: Substring) {
    let line = line.drop { $0.isWhitespace }
    if line.hasPrefix("::"), let end = line.dropFirst(2).firstRange(of: "::") {
      let head = line[line.index(line.startIndex, offsetBy: 2)..<end.lowerBound]
        .split(separator: " ", maxSplits: 1)
      name = head.first.map(String.init) ?? ""
      for property in head.dropFirst().flatMap({ $0.split(separator: ",") }) {
        let parts = property.split(separator: "=", maxSplits: 1).map(String.init)
        properties[parts[0]] = Self.unescaped(
          parts.count > 1 ? parts[1] : "", [("%3A", ":"), ("%2C", ",")])
      }
      message = Self.unescaped(String(line[end.upperBound...]), [])
    } else if line.contains("##[") || line.contains("##vso[") {
      name = String(line)
    } else {
      return nil
    }
  }

  private static func unescaped(_ text: String, _ more: [(String, String)]) -> String {
    ([("%0D", "\r"), ("%0A", "\n")] + more + [("%25", "%")]).reduce(text) { text, pair in
      text.split(separator: pair.0, omittingEmptySubsequences: false).joined(separator: pair.1)
    }
  }
}
