internal import JSONPath

/// The JSON text of records that is being written: lines of a report, rows of a journal.
///
/// It is not a `JSONText`, because only functions of the same module are inlined. An inlined piece of
/// constant text is a few instructions, and most of a record is constant text.
struct RecordText {
  /// The text, and room after it.
  private var storage: [UInt8]
  private var count: Int

  init(appendingTo text: consuming [UInt8] = []) {
    count = text.count
    storage = text
  }

  mutating func reserve(_ capacity: Int) { storage.reserveCapacity(capacity) }

  /// Removes and returns the text.
  mutating func take() -> [UInt8] {
    storage.removeLast(storage.count - count)
    defer { self = RecordText() }
    return storage
  }

  /// Moves the text to the end of another one; keeps its memory for a text of a usual length.
  mutating func move(to text: inout [UInt8]) {
    text += storage[..<count]
    count = 0
    if storage.count > 1 << 16 { storage = [] }
  }

  /// The place where the next piece of a text is written.
  struct End {
    fileprivate var place: UnsafeMutablePointer<UInt8>

    @inline(__always)
    mutating func write(_ text: StaticString) {
      place.initialize(from: text.utf8Start, count: text.utf8CodeUnitCount)
      place += text.utf8CodeUnitCount
    }

    @inline(__always)
    mutating func write(_ bytes: UnsafeBufferPointer<UInt8>) {
      guard let start = bytes.baseAddress else { return }
      place.initialize(from: start, count: bytes.count)
      place += bytes.count
    }

    /// Writes a number with zeros before it, up to a number of digits.
    @inline(__always)
    mutating func write(_ number: UInt, digits count: Int) {
      var rest = number
      for index in (0..<count).reversed() {
        place[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
      place += count
    }
  }

  /// Appends what a function writes, which must be at most `size` bytes.
  @inline(__always)
  mutating func append(atMost size: Int, _ write: (inout End) -> Void) {
    // There is always room left, so that the text has an address.
    if storage.count &- count <= size { makeRoom(for: size) }
    let start = count
    count = storage.withUnsafeMutableBufferPointer { storage in
      let text = storage.baseAddress.unsafelyUnwrapped
      var end = End(place: text + start)
      write(&end)
      assert(end.place - text - start <= size, "more was written than announced")
      return end.place - text
    }
  }

  @inline(never)
  private mutating func makeRoom(for size: Int) {
    let usual = min(max(count, 256), 1 << 16)
    storage.append(contentsOf: repeatElement(0, count: max(size &+ 1, usual)))
  }

  @inline(__always)
  mutating func append(_ text: StaticString) {
    append(atMost: text.utf8CodeUnitCount) { $0.write(text) }
  }

  mutating func append(_ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBufferPointer { bytes in append(atMost: bytes.count) { $0.write(bytes) } }
  }

  /// Appends a member's name, which must need no escapes, and the separator before it, unless it is
  /// the first one.
  @inline(__always)
  mutating func append(
    name: StaticString, after separator: StaticString, isFirst: Bool, _ suffix: StaticString
  ) {
    let size =
      separator.utf8CodeUnitCount &+ name.utf8CodeUnitCount &+ suffix.utf8CodeUnitCount &+ 2
    append(atMost: size) { end in
      let start = end
      end.write(separator)
      // Writes over the separator: a choice between two places is cheaper than one between two texts.
      if isFirst { end = start }
      end.write("\"")
      end.write(name)
      end.write("\"")
      end.write(suffix)
    }
  }

  mutating func append(_ number: Int) {
    append(atMost: 20) { end in
      if number < 0 { end.write("-") }
      var (digits, limit): (Int, UInt) = (1, 10)
      while number.magnitude >= limit { (digits, limit) = (digits &+ 1, limit &* 10) }
      end.write(number.magnitude, digits: digits)
    }
  }

  /// Appends a JSON string with its quotes.
  mutating func append(string text: consuming String) {
    text.withUTF8 { bytes in
      guard bytes.span.needsNoEscapes else { return append(escaping: bytes) }
      append(atMost: bytes.count &+ 2) { end in
        end.write("\"")
        end.write(bytes)
        end.write("\"")
      }
    }
  }

  private mutating func append(escaping bytes: UnsafeBufferPointer<UInt8>) {
    var string = JSONText()
    string.append(string: bytes)
    append(string.bytes[...])
  }
}
