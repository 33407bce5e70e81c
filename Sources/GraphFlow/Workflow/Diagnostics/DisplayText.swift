/// Text that is safe to print on a terminal.
package enum DisplayText {
  /// The text with tokens masked, and with characters escaped that move the cursor, begin a
  /// terminal's command or change the direction of writing.
  package static func safe(_ text: String) -> String {
    let masked = TokenShape.masking(text)
    // Most names are plain; processing them by character costs half a second in a summary of
    // 100,000.
    return masked.isPlain ? masked : masked.unicodeScalars.reduce(into: "") { $0 += shown($1) }
  }

  static func shown(_ scalar: Unicode.Scalar) -> String {
    switch scalar.value {
    case 0x09: " "
    case 0x00...0x1f, 0x7f...0x9f, 0x061c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069,
      0xfeff:
      "\\u{" + String(scalar.value, radix: 16) + "}"
    default: String(scalar)
    }
  }

  /// The columns that a text takes, without its colours.
  package static func columns(_ text: String) -> Int {
    if text.isPlain { return text.utf8.count }
    var (columns, isEscaped) = (0, false)
    for scalar in text.unicodeScalars {
      if isEscaped {
        isEscaped = scalar != "m"
      } else if scalar == "\u{1b}" {
        isEscaped = true
      } else {
        columns += width(scalar)
      }
    }
    return columns
  }

  static func width(_ scalar: Unicode.Scalar) -> Int {
    // ASCII, and what a progress bar consists of.
    if (0x20...0x7e).contains(scalar.value) || (0x2500...0x257f).contains(scalar.value) { return 1 }
    let shown = shown(scalar)
    guard shown.unicodeScalars.count == 1 else { return shown.utf8.count }
    switch scalar.value {
    case ..<0x300: return 1
    case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff,
      0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6, 0x1f300...0x1f64f, 0x1f680...0x1f6ff,
      0x1f900...0x1f9ff, 0x20000...0x3fffd:
      return 2
    default:
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .format: return 0
      default: return 1
      }
    }
  }
}

extension String {
  /// Whether every character is a printable one of ASCII, one column wide.
  var isPlain: Bool { utf8.allSatisfy { (0x20...0x7e).contains($0) } }
}
