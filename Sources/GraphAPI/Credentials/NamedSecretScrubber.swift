/// Replaces secrets after a secret's name in plain text, such as `access_token=…` in a URL.
///
/// The separator may be `=` or `:`, plain or percent-encoded, and name and value may be quoted, so
/// that JSON and URLs within text are covered.
struct NamedSecretScrubber {
  /// Values that are not secrets, even after a secret's name.
  private static let plainValues = [Secret.mask, "null"].map { Array($0.utf8) }

  private let text: UnsafeBufferPointer<UInt8>
  private var output: [UInt8] = []
  private var copied = 0

  private init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  /// The text without named secrets; nil if there are none.
  static func scrubbed(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var scrubber = NamedSecretScrubber(text)
    scrubber.scrub()
    guard scrubber.copied > 0 else { return nil }
    return scrubber.output + text[scrubber.copied...]
  }

  private mutating func scrub() {
    var index = 0
    while index < text.count {
      guard text[index] == UInt8(ascii: "_"),
        let end = Redaction.endOfName(underscoreAt: index, in: text),
        let (start, isEncoded) = startOfValue(after: end)
      else {
        index += 1
        continue
      }
      let stop = endOfValue(from: start, isEncoded: isEncoded)
      if stop > start, !Self.plainValues.contains(where: text[start..<stop].elementsEqual) {
        output += text[copied..<start] + Array(Secret.mask.utf8)
        copied = stop
      }
      index = max(stop, index + 1)
    }
  }

  /// The start of the value after quotes, separator and spaces; nil if no separator follows.
  private func startOfValue(after end: Int) -> (start: Int, isEncoded: Bool)? {
    var index = skipQuotes(from: end)
    index = skipSpaces(from: index)
    var isEncoded = false
    if let length = encodedSeparator(at: index) {
      index += length
      isEncoded = true
    } else if index < text.count, [UInt8(ascii: "="), UInt8(ascii: ":")].contains(text[index]) {
      index += 1
      // A comparison is not an assignment.
      if text[(index - 1)...].starts(with: "==".utf8) { return nil }
    } else {
      return nil
    }
    return (skipQuotes(from: skipSpaces(from: index)), isEncoded)
  }

  /// The length of `%3D`, `%3A`, `%253D` or `\u003d` at this index.
  private func encodedSeparator(at index: Int) -> Int? {
    let forms: [StaticString] = ["%3d", "%3a", "%253d", "%253a", "\\u003d", "\\u003a"]
    return forms.first { text.matches($0, at: index) }?.utf8CodeUnitCount
  }

  private func skipQuotes(from start: Int) -> Int {
    var index = start
    while index < text.count {
      if [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(text[index]) {
        index += 1
      } else if text[index] == UInt8(ascii: "\\"), !text.matches("\\u003", at: index) {
        index += 1
      } else if text.matches("%22", at: index) {
        index += 3
      } else {
        break
      }
    }
    return index
  }

  private func skipSpaces(from start: Int) -> Int {
    var index = start
    while index < text.count, text[index] == 0x20 || text[index] == 0x09 { index += 1 }
    return index
  }

  /// The end of the value: before a byte that no token contains, or, if encoded, before `%26` or
  /// `%22`.
  private func endOfValue(from start: Int, isEncoded: Bool) -> Int {
    var index = start
    while index < text.count {
      switch text[index] {
      case 0...0x20, UInt8(ascii: "&"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"),
        UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "#"), UInt8(ascii: ","),
        UInt8(ascii: ";"), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ")"):
        return index
      case UInt8(ascii: "%") where isEncoded:
        if ["%26", "%2526", "%22", "%23"].contains(where: { text.matches($0, at: index) }) {
          return index
        }
      default: break
      }
      index += 1
    }
    return index
  }
}
