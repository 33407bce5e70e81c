/// Makes untrusted text (a server's message, a name in a file) safe for a line of output.
enum UntrustedText {
  /// The text on one line, with control and bidirectional characters escaped, tokens masked, and commands
  /// of CI systems disabled.
  static func safe(_ text: String) -> String {
    // Most names are plain; processing them by character costs half a second in a summary of 100,000.
    text.isPlain
      ? withoutCommands(TokenShape.masking(text)) : withoutCommands(DisplayText.safe(text))
  }

  /// Breaks commands of CI systems: `::set-output …` at the start of a line (GitHub), `##[…]`,
  /// `##vso[…]` and `##teamcity[…]` anywhere (GitHub, Azure, TeamCity).
  ///
  /// Line breaking can move any word to the start of a line.
  private static func withoutCommands(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: ":")) || text.utf8.contains(UInt8(ascii: "#")) else {
      return text
    }
    var result = ""
    var beforePrevious: Character = " "
    var previous: Character = " "
    for character in text {
      let isWord = character == ":" && previous == ":" && beforePrevious.isWhitespace
      if isWord || (character == "#" && previous == "#") { result.append(" ") }
      result.append(character)
      beforePrevious = previous
      previous = character
    }
    return result
  }
}

extension String {
  /// Whether every character is a printable one of ASCII, one column wide.
  var isPlain: Bool { utf8.allSatisfy { (0x20...0x7e).contains($0) } }
}
