/// The opaque text for a place in an edge.
enum Cursor {
  private static let prefix = "QVFI"
  private static let suffix = "ZD"

  static func text(_ number: Int) -> String {
    let digits = String(number, radix: 36, uppercase: true)
    return prefix + String(repeating: "0", count: max(0, 8 - digits.utf8.count)) + digits + suffix
  }

  /// The number in a cursor's text.
  static func number(_ text: String) throws(GraphFault) -> Int {
    guard text.hasPrefix(prefix), text.hasSuffix(suffix), text.utf8.count <= 24,
      let number = Int(text.dropFirst(prefix.count).dropLast(suffix.count), radix: 36), number >= 0
    else { throw .cursorInvalid }
    return number
  }
}
