/// Looking up texts by their bytes.
extension [UInt8] {
  /// A number that most texts have for themselves.
  func hash(of range: Range<Int>) -> UInt64 {
    let bytes = span.bytes
    // Four numbers at once, so that none waits for another.
    var first = UInt64(range.count)
    var (second, third, fourth) = (UInt64(1), UInt64(2), UInt64(3))
    var position = range.lowerBound
    while position &+ 32 <= range.upperBound {
      first = Self.mixed(first ^ bytes.word(at: position))
      second = Self.mixed(second ^ bytes.word(at: position &+ 8))
      third = Self.mixed(third ^ bytes.word(at: position &+ 16))
      fourth = Self.mixed(fourth ^ bytes.word(at: position &+ 24))
      position &+= 32
    }
    var hash = Self.mixed(Self.mixed(Self.mixed(first) ^ second) ^ third) ^ fourth
    while position &+ 8 <= range.upperBound {
      hash = Self.mixed(hash ^ bytes.word(at: position))
      position &+= 8
    }
    while position < range.upperBound {
      hash = Self.mixed(hash ^ UInt64(self[position]))
      position &+= 1
    }
    return hash
  }

  private static func mixed(_ hash: UInt64) -> UInt64 {
    let product = hash &* 0x9E37_79B9_7F4A_7C15
    return product ^ product >> 32
  }

  /// Whether these bytes stand in a range.
  func holds(_ text: [UInt8], at range: Range<Int>) -> Bool {
    guard text.count == range.count else { return false }
    let (bytes, text) = (span.bytes, text.span.bytes)
    var position = 0
    while position &+ 8 <= text.byteCount {
      guard text.word(at: position) == bytes.word(at: range.lowerBound &+ position) else {
        return false
      }
      position &+= 8
    }
    while position < text.byteCount {
      guard
        text.unsafeLoad(fromByteOffset: position, as: UInt8.self)
          == bytes.unsafeLoad(fromByteOffset: range.lowerBound &+ position, as: UInt8.self)
      else { return false }
      position &+= 1
    }
    return true
  }
}

extension RawSpan {
  /// Eight bytes; checked to be there.
  fileprivate func word(at position: Int) -> UInt64 {
    unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
  }
}
