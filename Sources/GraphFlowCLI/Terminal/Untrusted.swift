import GraphFlow

/// Text from servers, files and arguments, made safe to display.
enum Untrusted {
  /// The text with tokens masked and with control and bidirectional characters escaped.
  ///
  /// Line feeds stay. What a CI system would take for a command is escaped, so that the system does
  /// not obey it.
  static func shown(_ text: String) -> String {
    CommandSafeText.lines(
      text.split(separator: "\n", omittingEmptySubsequences: false)
        .map { DisplayText.safe(String($0)) }
        .joined(separator: "\n"))
  }

  /// JSON text with control characters, bidirectional overrides and commands of CI systems as `\u`
  /// escapes.
  ///
  /// It stays the same JSON: such characters occur only inside strings, where the escape means the
  /// character.
  static func json(_ bytes: [UInt8]) -> [UInt8] { CommandSafeText.json(withoutControls(bytes)) }

  private static func withoutControls(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(where: { $0 == 0xE2 || $0 == 0xC2 || $0 == 0xD8 || $0 == 0x7F }) else {
      return bytes
    }
    var escaped = ""
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar.value {
      // Control characters beyond ASCII, and those that reorder text on a screen (Unicode UAX #9).
      case 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
        let digits = String(scalar.value, radix: 16)
        escaped += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return Array(escaped.utf8)
  }
}
