/// Validates JSON tokens and finds their ends, without copying anything.
///
/// Each function takes the text and a position in it, so no pointer outlives a call. A `Span`
/// checks every access against its bounds.
enum JSONLexer {
  /// The first position from `start` that is not whitespace (RFC 8259 §2).
  @inline(__always)
  static func skippingWhitespace(in bytes: Span<UInt8>, from start: Int) -> Int {
    var position = start
    while position < bytes.count {
      let byte = bytes[position]
      // All whitespace bytes are at most a space; the first bytes of tokens are greater.
      guard byte <= UInt8(ascii: " ") else { break }
      guard
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
          || byte == UInt8(ascii: "\t")
      else { break }
      position &+= 1
    }
    return position
  }

  /// Checks that the word is at `start`; returns the position after it.
  static func wordEnd(
    _ word: StaticString, in bytes: Span<UInt8>, from start: Int
  ) throws(JSON.SyntaxError) -> Int {
    let end = start &+ word.utf8CodeUnitCount
    let isPresent =
      end <= bytes.count
      && word.withUTF8Buffer { word in
        word.indices.allSatisfy { bytes[start &+ $0] == word[$0] }
      }
    guard isPresent else { throw JSON.SyntaxError("expected a value", at: start, in: bytes) }
    return end
  }

  /// The position after the number at `start`, or nil if there is none (RFC 8259 §6).
  @inline(__always)
  static func numberEnd(in bytes: Span<UInt8>, from start: Int) -> Int? {
    var position = start
    if position < bytes.count, bytes[position] == UInt8(ascii: "-") { position &+= 1 }
    guard position < bytes.count else { return nil }
    if bytes[position] == UInt8(ascii: "0") {
      position &+= 1
    } else {
      guard let end = digitsEnd(in: bytes, from: position) else { return nil }
      position = end
    }
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      guard let end = digitsEnd(in: bytes, from: position &+ 1) else { return nil }
      position = end
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position &+= 1
      if position < bytes.count,
        bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-")
      {
        position &+= 1
      }
      guard let end = digitsEnd(in: bytes, from: position) else { return nil }
      position = end
    }
    return position
  }

  /// The position after the digits at `start`, or nil if there are none.
  @inline(__always)
  private static func digitsEnd(in bytes: Span<UInt8>, from start: Int) -> Int? {
    var position = start
    while position < bytes.count, bytes[position] &- UInt8(ascii: "0") <= 9 { position &+= 1 }
    return position > start ? position : nil
  }
}

extension Span<UInt8> {
  /// Whether a JSON string may hold this text as it is.
  package var needsNoEscapes: Bool {
    var stops: UInt64 = 0
    var position = 0
    while let word = JSONLexer.word(in: self, at: position) {
      stops |= JSONLexer.escapes(in: word)
      position &+= 8
    }
    // The word at the end overlaps with the one before it.
    guard let last = JSONLexer.word(in: self, at: count &- 8) else {
      return JSONLexer.unescapedEnd(in: self, from: 0) == count
    }
    return stops | JSONLexer.escapes(in: last) == 0
  }

  /// The first index from `start` that holds one of two ASCII characters; the end if there is none.
  package func firstIndex(of one: UInt8, or other: UInt8, from start: Int) -> Int {
    var index = start
    while let word = JSONLexer.word(in: self, at: index) {
      let found = JSONLexer.marks(of: one, other, in: word)
      if found != 0 { return index &+ found.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index < count, self[index] != one, self[index] != other { index &+= 1 }
    return index
  }

  /// Whether a function accepts an index that holds one of two ASCII characters.
  package func contains(
    _ one: UInt8, or other: UInt8, where isAccepted: (_ index: Int) -> Bool
  ) -> Bool {
    func isFound(_ index: Int) -> Bool {
      (self[index] == one || self[index] == other) && isAccepted(index)
    }
    var start = 0
    while let word = JSONLexer.word(in: self, at: start) {
      var marks = JSONLexer.marks(of: one, other, in: word)
      while marks != 0 {
        if isFound(start &+ marks.trailingZeroBitCount / 8) { return true }
        marks &= marks &- 1
      }
      start &+= 8
    }
    return (start..<count).contains { isFound($0) }
  }

  /// Whether the bytes are equal; compares words, while `==` compares single bytes.
  package func hasSameBytes(as other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    return withUnsafeBytes { left in
      other.withUnsafeBytes { right in
        var index = left.baseAddress == right.baseAddress ? left.count : 0
        while index &+ 32 <= left.count {
          var difference: UInt64 = 0
          for word in 0..<4 {
            let offset = index &+ 8 &* word
            difference |=
              left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
              ^ right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
          }
          guard difference == 0 else { return false }
          index &+= 32
        }
        while index < left.count, left[index] == right[index] { index &+= 1 }
        return index == left.count
      }
    }
  }
}
