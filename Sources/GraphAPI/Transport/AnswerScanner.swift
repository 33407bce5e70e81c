/// Decides, while a large answer is being received, whether it can still become usable.
///
/// A complete answer may have 160 MiB, because a batch has up to fifty bodies. An endless answer would
/// fill that much memory with useless bytes: blanks, brackets, a page of HTML, more elements than a
/// batch has operations, or one endless string. Such an answer is rejected much earlier, and a string
/// is stored only up to the limit of one body.
struct AnswerScanner {
  /// The most operations of a batch; a list of more elements is the body of one operation.
  private static let elementLimit = 50
  /// Deeper than any JSON that is accepted.
  private static let depthLimit = 2000
  /// More consecutive blanks than any server sends.
  private static let blankLimit = 1 << 20
  private let bodyLimit: Int
  private var first: UInt8?
  private var depth = 0
  private var commas = 0
  private var blanks = 0
  private var isInText = false
  private var isEscaped = false
  private var textLength = 0
  private var escapeDigits = 0
  private var count = 0
  /// Whether the rest of a string that is too long is being skipped.
  private var isSkipping = false
  private var isNoAnswer = false

  /// The limit is the longest body of one operation in bytes, 64 MiB by default.
  init(bodyLimit: Int = 64 << 20) { self.bodyLimit = bodyLimit }

  /// Whether the answer is unusable, whatever follows.
  var isUnusable: Bool {
    let isOneBody = first != UInt8(ascii: "[") || commas >= Self.elementLimit
    return isNoAnswer || depth > Self.depthLimit || blanks > Self.blankLimit
      || (isOneBody && count > bodyLimit)
  }

  /// Scans the next bytes, and appends them to a buffer, except the rest of a string that is too long.
  ///
  /// Such a string stays too long: its operation fails, and no other.
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>, to buffer: inout AnswerBuffer) {
    count += bytes.count
    var start = 0
    var index = 0
    while index < bytes.count {
      defer { index += 1 }
      // An escape must not be stored in part.
      let isBetweenCharacters = !isEscaped && escapeDigits == 0
      scan(bytes[index])
      if isSkipping {
        guard !isInText else { continue }
        isSkipping = false
        start = index
      } else if isInText, textLength > bodyLimit + 1, isBetweenCharacters {
        isSkipping = true
        buffer.append(bytes[start..<index])
      }
    }
    if !isSkipping { buffer.append(bytes[start...]) }
  }

  private mutating func scan(_ byte: UInt8) {
    if isInText {
      scanText(byte)
      return
    }
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0D:
      blanks += 1
      return
    case UInt8(ascii: "\""):
      isInText = true
      textLength = 0
    case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
    case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
    case UInt8(ascii: ",") where depth == 1: commas += 1
    default: break
    }
    blanks = 0
    guard first == nil else { return }
    first = byte
    isNoAnswer = byte != UInt8(ascii: "[") && byte != UInt8(ascii: "{") && !isInText
  }

  private mutating func scanText(_ byte: UInt8) {
    if isEscaped {
      isEscaped = false
      textLength += 1
      // The value of \u and four digits is at least one byte.
      if byte == UInt8(ascii: "u") { escapeDigits = 4 }
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
      escapeDigits = 0
    } else if byte == UInt8(ascii: "\"") {
      isInText = false
      escapeDigits = 0
    } else if escapeDigits > 0 {
      escapeDigits -= 1
    } else {
      textLength += 1
    }
  }
}
