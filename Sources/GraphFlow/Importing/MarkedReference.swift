internal import JSONPath

/// References in texts that are still percent-encoded, quoted or to be split.
///
/// Each byte of a reference is one character of a private plane, which no decoding changes. So the
/// braces of a reference are distinguished from those that are text.
enum MarkedReference {
  private static let first: UInt32 = 0xF0000
  private static let last: UInt32 = 0xF00FF

  static func marked(_ reference: String) -> String {
    var text = String.UnicodeScalarView()
    for byte in reference.utf8 {
      if let scalar = Unicode.Scalar(first + UInt32(byte)) { text.append(scalar) }
    }
    return String(text)
  }

  static func isMark(_ scalar: Unicode.Scalar) -> Bool { (first...last).contains(scalar.value) }

  /// A foreign text, whose own characters of that plane are replaced.
  static func unmarked(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isMark) else { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { scalars.append(isMark(scalar) ? "\u{FFFD}" : scalar) }
    return String(scalars)
  }

  /// The text as a template of the language: braces that a reader would take for a reference are
  /// doubled, marked references are written out.
  static func template(_ text: String) -> String {
    let hasMarks = text.unicodeScalars.contains(where: isMark)
    if !hasMarks, isPlain(text) { return text }
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      if isMark(scalar) {
        bytes.append(UInt8(scalar.value - first))
      } else {
        bytes += String(scalar).utf8
        if scalar == "{" { bytes.append(UInt8(ascii: "{")) }
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether the language reads the text as itself.
  private static func isPlain(_ text: String) -> Bool {
    guard text.holds("{") else { return true }
    let (parts, foreign, _) = TemplateScanner.scan(text)
    guard foreign.isEmpty, parts.count == 1, case .text(let only)? = parts.first else {
      return false
    }
    return only.utf8.elementsEqual(text.utf8)
  }
}
