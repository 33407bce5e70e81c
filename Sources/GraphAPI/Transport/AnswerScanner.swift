/// Tells, while a large answer comes in, whether it can still become one that is of use.
///
/// A whole answer may have 160 MiB, because fifty operations may each have a lot to say. What never
/// ends would fill the memory up to there with what nothing can use: blanks, brackets, a page of
/// HTML, more elements than a batch has operations, one endless text. It is given up long before,
/// and of one text no more is held than the body of an operation may have.
struct AnswerScanner {
  /// The most operations of a batch; a list of more elements is the body of one operation.
  private static let elementLimit = 50
  /// Deeper than any JSON that is read.
  private static let depthLimit = 2000
  /// More blanks in a row than any server puts between two values.
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
  /// Whether the rest of a text that is too long is being passed over.
  private var isPassingOver = false
  private var isNoAnswer = false

  /// Starts before the first byte.
  ///
  /// - Parameter bodyLimit: the longest body of one operation, in bytes; 64 MiB.
  init(bodyLimit: Int = 64 << 20) {
    self.bodyLimit = bodyLimit
  }

  /// Whether the bytes so far, and any that may follow, are of no use.
  var isUnusable: Bool {
    let isOneBody = first != UInt8(ascii: "[") || commas >= Self.elementLimit
    return isNoAnswer || depth > Self.depthLimit || blanks > Self.blankLimit
      || (isOneBody && count > bodyLimit)
  }

  /// Takes in the next bytes, and adds to the others what is to be held of them.
  ///
  /// A text that is too long stays so without its rest: its operation fails, and no other.
  mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, to held: inout AnswerBuffer) {
    count += bytes.count
    var start = 0
    var index = 0
    while index < bytes.count {
      defer { index += 1 }
      // An escape must not be held in part.
      let isBetweenCharacters = !isEscaped && escapeDigits == 0
      take(bytes[index])
      if isPassingOver {
        guard !isInText else { continue }
        isPassingOver = false
        start = index
      } else if isInText, textLength > bodyLimit + 1, isBetweenCharacters {
        isPassingOver = true
        held.append(bytes[start..<index])
      }
    }
    if !isPassingOver { held.append(bytes[start...]) }
  }

  private mutating func take(_ byte: UInt8) {
    if isInText {
      takeText(byte)
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

  private mutating func takeText(_ byte: UInt8) {
    if isEscaped {
      isEscaped = false
      textLength += 1
      // What \u and four digits stand for is a byte at least.
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
