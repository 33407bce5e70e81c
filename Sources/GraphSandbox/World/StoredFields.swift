import JSONPath

/// The stored fields of an object, as one block of bytes: how many there are, the numbers of their
/// names in two bytes each, the ends of their values in four, and the values as answers show them.
///
/// It takes a fraction of the memory of values, a name is found without reading other values, and
/// reading copies from it.
struct StoredFields: Sendable {
  private var bytes: [UInt8] = []

  init(_ members: JSON.Object) {
    var values: [UInt8] = []
    write(
      members.compactMap { name, value in
        FieldName(name).map {
          let start = values.count
          GraphText.append(value, to: &values)
          return ($0.index, start..<values.count)
        }
      }, of: values)
  }

  /// The value of a field; nil removes it, and a name that no object has is ignored.
  subscript(name: String) -> JSON? {
    get { FieldName(name).flatMap(range).flatMap { try? JSON(parsing: Array(bytes[$0])) } }
    set {
      guard let name = FieldName(name) else { return }
      var entries = entries
      let old = entries.firstIndex { $0.name == name.index }
      var values = bytes
      if let newValue {
        GraphText.append(newValue, to: &values)
        let entry = (name.index, bytes.count..<values.count)
        entries.replaceSubrange(
          old.map { $0..<$0 + 1 } ?? entries.count..<entries.count, with: [entry])
      } else if let old {
        entries.remove(at: old)
      }
      write(entries, of: values)
    }
  }

  /// The numbers in the value of a field that is a list of integers.
  func integers(of name: FieldName) -> [Int] {
    guard let value = range(of: name) else { return [] }
    var numbers: [Int] = []
    numbers.reserveCapacity(8)
    var number: Int?
    var sign = 1
    for byte in bytes[value] {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): number = (number ?? 0) * 10 + Int(byte & 15)
      case UInt8(ascii: "-"): sign = -1
      default:
        if let number { numbers.append(sign * number) }
        (number, sign) = (nil, 1)
      }
    }
    return numbers
  }

  /// Appends the value of a field; false if it has none.
  func appendValue(of name: FieldName, to output: inout [UInt8]) -> Bool {
    guard let value = range(of: name) else { return false }
    // Without a slice, which would retain the bytes.
    bytes.withUnsafeBufferPointer { output.append(contentsOf: $0.extracting(value)) }
    return true
  }

  /// All fields, in the order in which they were set.
  var members: JSON.Object {
    JSON.Object(
      entries.map { name, value in
        (FieldName(index: name).text, (try? JSON(parsing: Array(bytes[value]))) ?? .null)
      })
  }

  private var count: Int { bytes.isEmpty ? 0 : Int(bytes[0]) }

  private var entries: [(name: UInt16, value: Range<Int>)] {
    (0..<count).map { (name(at: $0), range(at: $0)) }
  }

  private func name(at index: Int) -> UInt16 {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 1 + 2 * index, as: UInt16.self) }
  }

  private func range(of name: FieldName) -> Range<Int>? {
    for index in 0..<count where self.name(at: index) == name.index { return range(at: index) }
    return nil
  }

  private func range(at index: Int) -> Range<Int> {
    let ends = 1 + 2 * count + 4 * index
    let head = 1 + 6 * count
    let (start, end) = bytes.withUnsafeBytes { bytes in
      (
        index == 0 ? 0 : bytes.loadUnaligned(fromByteOffset: ends - 4, as: UInt32.self),
        bytes.loadUnaligned(fromByteOffset: ends, as: UInt32.self)
      )
    }
    return head + Int(start)..<head + Int(end)
  }

  private mutating func write(_ entries: [(name: UInt16, value: Range<Int>)], of values: [UInt8]) {
    bytes = []
    guard !entries.isEmpty else { return }
    let length = entries.reduce(0) { $0 + $1.value.count }
    bytes.reserveCapacity(1 + 6 * entries.count + length)
    bytes.append(UInt8(entries.count))
    for entry in entries { withUnsafeBytes(of: entry.name) { bytes.append(contentsOf: $0) } }
    var end: UInt32 = 0
    for entry in entries {
      end += UInt32(entry.value.count)
      withUnsafeBytes(of: end) { bytes.append(contentsOf: $0) }
    }
    for entry in entries { bytes += values[entry.value] }
  }
}
