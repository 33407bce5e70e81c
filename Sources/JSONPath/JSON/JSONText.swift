/// JSON text that is being written in UTF-8.
///
/// The array is longer than the text: an append to an array itself checks its capacity and whether
/// its storage is shared, which costs more than a short piece of text.
package struct JSONText {
  /// The text, and room after it.
  private var storage: [UInt8]
  /// The length of the text.
  private var end: Int

  package init(appendingTo text: consuming [UInt8] = []) {
    end = text.count
    storage = text
  }

  /// The bytes; copied, unless the text was trimmed after the last piece.
  package var bytes: [UInt8] { end == storage.count ? storage : Array(storage[..<end]) }

  /// Removes the room after the text.
  package mutating func trim() { storage.removeLast(storage.count - end) }

  private mutating func makeRoom(for size: Int) {
    let room = max(size, min(max(storage.count, 64), 512))
    storage.append(contentsOf: repeatElement(0, count: room))
  }

  /// Appends as many bytes as the function writes, which are exactly `size`.
  @inline(__always)
  private mutating func append(_ size: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Void) {
    if storage.count &- end < size { makeRoom(for: size) }
    let end = end
    storage.withUnsafeMutableBufferPointer { write($0.baseAddress.unsafelyUnwrapped + end) }
    self.end = end &+ size
  }

  package mutating func append(_ byte: UInt8) { append(1) { $0.pointee = byte } }

  package mutating func append(_ text: StaticString) {
    append(text.utf8CodeUnitCount) {
      $0.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
    }
  }

  package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    append(bytes.count) { $0.update(from: start, count: bytes.count) }
  }

  /// Appends a member's name, which must need no escapes, and what is around it.
  package mutating func append(
    name: StaticString, after prefix: StaticString, _ suffix: StaticString
  ) {
    let (before, length, after) = (
      prefix.utf8CodeUnitCount, name.utf8CodeUnitCount, suffix.utf8CodeUnitCount
    )
    append(before &+ length &+ after &+ 2) { end in
      let end = UnsafeMutableRawPointer(end)
      end.copyMemory(from: prefix.utf8Start, byteCount: before)
      end.storeBytes(of: UInt8(ascii: "\""), toByteOffset: before, as: UInt8.self)
      (end + before + 1).copyMemory(from: name.utf8Start, byteCount: length)
      let close = end + before + length + 1
      close.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
      (close + 1).copyMemory(from: suffix.utf8Start, byteCount: after)
    }
  }

  package mutating func append(_ number: Int) {
    JSON.withDigits(of: number) { append($0) }
  }

  /// Appends a JSON string with its quotes; escapes only what RFC 8259 §7 requires.
  package mutating func append(string text: String) {
    let isAppended: Void? = text.utf8.withContiguousStorageIfAvailable { append(string: $0) }
    if isAppended == nil { Array(text.utf8).withUnsafeBufferPointer { append(string: $0) } }
  }

  /// Appends UTF-8 as a JSON string with its quotes.
  package mutating func append(string text: UnsafeBufferPointer<UInt8>) {
    var end = JSONLexer.unescapedEnd(in: text.span, from: 0)
    append(end &+ 1) { place in
      place.pointee = UInt8(ascii: "\"")
      if let start = text.baseAddress { (place + 1).update(from: start, count: end) }
    }
    while end < text.count {
      append(escape: text[end])
      let start = end + 1
      end = JSONLexer.unescapedEnd(in: text.span, from: start)
      append(UnsafeBufferPointer(rebasing: text[start..<end]))
    }
    append(UInt8(ascii: "\""))
  }

  private mutating func append(escape byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): append(#"\""#)
    case UInt8(ascii: "\\"): append(#"\\"#)
    case UInt8(ascii: "\n"): append(#"\n"#)
    case UInt8(ascii: "\r"): append(#"\r"#)
    case UInt8(ascii: "\t"): append(#"\t"#)
    case 0x08: append(#"\b"#)
    case 0x0c: append(#"\f"#)
    default:
      append(byte < 0x10 ? #"\u000"# : #"\u001"#)
      append(byte & 15 < 10 ? UInt8(ascii: "0") + byte & 15 : UInt8(ascii: "a") + byte & 15 - 10)
    }
  }
}
