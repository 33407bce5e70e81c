/// The syntax that names of requests and inputs share.
enum WorkflowName {
  /// The longest name, in characters.
  static let maximumLength = 64

  /// Whether a text matches `[A-Za-z_][A-Za-z0-9_-]{0,63}`.
  static func isWellFormed(_ text: String) -> Bool {
    let bytes = text.utf8
    guard let first = bytes.first, bytes.count <= maximumLength else { return false }
    return isStart(first)
      && bytes.withContiguousStorageIfAvailable { $0.allSatisfy(isPart) }
        ?? bytes.allSatisfy(isPart)
  }

  static func isStart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }

  static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
    default: isStart(byte)
    }
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
