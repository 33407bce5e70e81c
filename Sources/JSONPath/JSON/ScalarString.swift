/// A string that is compared by its Unicode scalars.
///
/// Swift's own `==` treats "é" and "e\u{301}" as equal; JSON and RFC 9535 do not.
struct ScalarString: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: ScalarString, right: ScalarString) -> Bool {
    left.text.hasSameScalars(as: right.text)
  }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension String {
  func hasSameScalars(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let isSame: Bool?? = utf8.withContiguousStorageIfAvailable { own in
      other.utf8.withContiguousStorageIfAvailable { own.span.hasSameBytes(as: $0.span) }
    }
    return isSame.flatMap(\.self) ?? utf8.elementsEqual(other.utf8)
  }

  /// Whether this comes before the other in scalar order.
  ///
  /// UTF-8 preserves the order of scalars, so comparing bytes is enough.
  func precedesByScalars(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

extension String {
  /// Whether it has this ASCII character, whatever follows it.
  package func holds(_ character: Unicode.Scalar) -> Bool {
    let byte = UInt8(ascii: character)
    return utf8.withContiguousStorageIfAvailable { $0.contains(byte) } ?? utf8.contains(byte)
  }

  /// Whether all characters are ASCII.
  package var hasOneByteCharacters: Bool {
    utf8.withContiguousStorageIfAvailable { $0.allSatisfy { $0 < 0x80 } }
      ?? utf8.allSatisfy { $0 < 0x80 }
  }
}
