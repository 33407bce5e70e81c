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
}
