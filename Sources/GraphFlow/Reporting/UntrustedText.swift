/// Text from outside (a server's message, a name in a file) as it may stand in a line of output.
enum UntrustedText {
  /// The text on one line, with everything escaped that moves the cursor or turns the direction of
  /// writing, with tokens masked, and with nothing in it that a CI system takes for a command.
  static func safe(_ text: String) -> String {
    // Most names are plain; going through them character by character costs half a second in a
    // summary of 100,000.
    text.isPlain
      ? withoutCommands(TokenShape.masking(text)) : withoutCommands(DisplayText.safe(text))
  }

  /// Breaks what CI systems obey: `::set-output …` at a line's beginning (GitHub), `##[…]`,
  /// `##vso[…]` and `##teamcity[…]` anywhere (GitHub, Azure, TeamCity).
  ///
  /// Any word may become a line's beginning when a paragraph is broken.
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
