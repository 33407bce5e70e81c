/// Texts one behind the other in one piece of memory: what a request says.
///
/// A request has some hundred parts, most of which are looked at once or never; each becomes a
/// `String` only where somebody asks for it.
struct TextList: Sendable {
  /// Where a text stands in the list's memory.
  struct Place: Sendable {
    fileprivate let start: UInt32
    fileprivate let end: UInt32

    fileprivate init(_ range: Range<Int>) {
      start = UInt32(truncatingIfNeeded: range.lowerBound)
      end = UInt32(truncatingIfNeeded: range.upperBound)
    }

    var range: Range<Int> { Int(start)..<Int(end) }
    var isEmpty: Bool { start == end }
  }

  /// UTF-8; each text by itself is, too.
  private(set) var bytes: [UInt8] = []
  private(set) var places: [Place] = []

  var count: Int { places.count }

  subscript(index: Int) -> String { self[places[index]] }

  subscript(place: Place) -> String {
    bytes.span.extracting(place.range).withUnsafeBufferPointer {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// Whether a text is this one, byte by byte.
  func isText(at index: Int, _ text: String) -> Bool {
    let range = places[index].range
    return range.count == text.utf8.count && bytes[range].elementsEqual(text.utf8)
  }

  /// Whether a text holds such a byte.
  func contains(_ byte: UInt8, at index: Int) -> Bool { bytes[places[index].range].contains(byte) }

  mutating func reserve(bytes byteCount: Int, texts count: Int) {
    bytes.reserveCapacity(byteCount)
    places.reserveCapacity(count)
  }

  /// Puts UTF-8 into the memory that becomes no text of the list.
  mutating func store(_ text: some Collection<UInt8>) -> Place {
    let start = bytes.count
    bytes.append(contentsOf: text)
    return Place(start..<bytes.count)
  }

  mutating func append(_ text: String) { places.append(store(text.utf8)) }

  /// Appends texts of another list.
  mutating func append(contentsOf other: TextList, _ range: Range<Int>) {
    for place in other.places[range] { places.append(store(other.bytes[place.range])) }
  }

  /// The list with only these texts.
  func keeping(_ range: Range<Int>) -> TextList {
    var list = self
    list.places = Array(places[range])
    return list
  }
}

/// Percent-encoding (RFC 3986 §2.1) and form encoding.
extension TextList {
  /// Appends the names and values of `name=value&…` by turns.
  mutating func append(form: Range<Int>, of source: [UInt8]) {
    var start = form.lowerBound
    while start < form.upperBound {
      let end = source.end(of: start..<form.upperBound, at: UInt8(ascii: "&"))
      if start < end {
        let equals = source.end(of: start..<end, at: UInt8(ascii: "="))
        append(encoded: start..<equals, of: source, plusIsSpace: true)
        append(encoded: min(equals + 1, end)..<end, of: source, plusIsSpace: true)
      }
      start = end + 1
    }
  }

  /// Appends the decoded segments of a path; one is empty only where two slashes meet.
  mutating func append(path: Range<Int>, of source: [UInt8]) {
    let slash = UInt8(ascii: "/")
    var (start, end) = (path.lowerBound, path.upperBound)
    if start < end, source[start] == slash { start += 1 }
    if start < end, source[end - 1] == slash { end -= 1 }
    guard start < end else { return }
    while start <= end {
      let next = source.end(of: start..<end, at: slash)
      append(encoded: start..<next, of: source, plusIsSpace: false)
      start = next + 1
    }
  }

  /// Appends a text without its encoding; what is no valid escape stays as it is.
  private mutating func append(encoded range: Range<Int>, of source: [UInt8], plusIsSpace: Bool) {
    let input = source.span
    let start = bytes.count
    // What is decoded is never longer.
    bytes.append(contentsOf: repeatElement(0, count: range.count))
    var output = bytes.mutableSpan
    var position = range.lowerBound
    var count = start
    var union: UInt8 = 0
    while position < range.upperBound {
      var byte = input[position]
      if byte == UInt8(ascii: "%"), position &+ 2 < range.upperBound,
        let high = Hexadecimal.value(of: input[position &+ 1]),
        let low = Hexadecimal.value(of: input[position &+ 2])
      {
        byte = high << 4 | low
        position &+= 2
      } else if byte == UInt8(ascii: "+"), plusIsSpace {
        byte = UInt8(ascii: " ")
      }
      output[count] = byte
      union |= byte
      position &+= 1
      count &+= 1
    }
    bytes.removeLast(bytes.count - count)
    if union >= 0x80 { repair(from: start) }
    places.append(Place(start..<bytes.count))
  }

  /// Puts U+FFFD where what was decoded last is not UTF-8.
  private mutating func repair(from start: Int) {
    let text = String(decoding: bytes[start...], as: UTF8.self)
    bytes.replaceSubrange(start..., with: text.utf8)
  }
}

extension [UInt8] {
  /// Where a part of them ends that goes up to such a byte, or to the end.
  func end(of range: Range<Int>, at byte: UInt8) -> Int {
    let bytes = span
    var position = range.lowerBound
    // Eight at once: where a byte is the one, the difference is zero, and taking one from it borrows.
    let ones: UInt64 = 0x0101_0101_0101_0101
    let pattern = ones &* UInt64(byte)
    while position &+ 8 <= range.upperBound {
      let word = bytes.bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
      let difference = UInt64(littleEndian: word) ^ pattern
      let marks = (difference &- ones) & ~difference & (ones &* 0x80)
      guard marks == 0 else { return position &+ marks.trailingZeroBitCount / 8 }
      position &+= 8
    }
    while position < range.upperBound, bytes[position] != byte { position &+= 1 }
    return position
  }
}
