extension UInt8 {
  var isDigit: Bool { self &- 48 < 10 }
  var isLetterOrDigit: Bool { isDigit || (self | 0x20) &- 97 < 26 }
  /// An ASCII letter in lower case; any other byte unchanged.
  var lowercased: UInt8 { self &- 65 < 26 ? self | 0x20 : self }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether the bytes at this index equal a lower-case text, case-insensitively.
  func matches(_ text: StaticString, at index: Int) -> Bool {
    let length = text.utf8CodeUnitCount
    guard index >= 0, length <= count - index else { return false }
    for offset in 0..<length where self[index + offset].lowercased != text.utf8Start[offset] {
      return false
    }
    return true
  }

  /// The first index from `start` that holds one of two bytes; the end if there is none.
  ///
  /// Eight bytes are compared at once (Warren, "Hacker's Delight", section 6-1).
  func firstIndex(of one: UInt8, or other: UInt8, from start: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let bytes = UnsafeRawBufferPointer(self)
    var index = start
    while index + 8 <= count {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let (left, right) = (word ^ (ones &* UInt64(one)), word ^ (ones &* UInt64(other)))
      let found = ((left &- ones) & ~left | (right &- ones) & ~right) & (ones &* 0x80)
      if found != 0 { return index + found.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < count, self[index] != one, self[index] != other { index += 1 }
    return index
  }
}
