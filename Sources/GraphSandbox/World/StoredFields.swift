import JSONPath

/// The stored fields of an object: for each the number of its name, the length of its value and the
/// value as answers show it.
///
/// One block of bytes takes a fraction of the memory of values, and reading copies from it.
struct StoredFields: Sendable {
  private var bytes: [UInt8] = []

  init(_ members: JSON.Object) { for (name, value) in members { self[name] = value } }

  /// The value of a field; nil removes it, and a name that no object has is ignored.
  subscript(name: String) -> JSON? {
    get {
      FieldName(name).flatMap(entry).flatMap { try? JSON(parsing: Array(bytes[$0.value])) }
    }
    set {
      guard let name = FieldName(name) else { return }
      var entry: [UInt8] = []
      if let newValue {
        entry = [name.index, 0, 0, 0, 0]
        GraphText.append(newValue, to: &entry)
        for index in 0..<4 {
          entry[1 + index] = UInt8(truncatingIfNeeded: (entry.count - 5) >> (8 * index))
        }
      }
      let old = self.entry(of: name).map { $0.start..<$0.value.upperBound }
      bytes.replaceSubrange(old ?? bytes.count..<bytes.count, with: entry)
    }
  }

  /// Appends the value of a field; false if it has none.
  func appendValue(of name: FieldName, to output: inout [UInt8]) -> Bool {
    guard let value = entry(of: name)?.value else { return false }
    output += bytes[value]
    return true
  }

  /// All fields, in the order in which they were set.
  var members: JSON.Object {
    var members: [JSON.Object.Member] = []
    var start = 0
    while start < bytes.count {
      let value = value(at: start)
      members.append(
        (
          FieldName(index: bytes[start]).text, (try? JSON(parsing: Array(bytes[value]))) ?? .null
        ))
      start = value.upperBound
    }
    return JSON.Object(members)
  }

  private func entry(of name: FieldName) -> (start: Int, value: Range<Int>)? {
    var start = 0
    while start < bytes.count {
      let value = value(at: start)
      if bytes[start] == name.index { return (start, value) }
      start = value.upperBound
    }
    return nil
  }

  /// The value of the entry that begins at an index.
  private func value(at start: Int) -> Range<Int> {
    var length = 0
    for index in 1...4 { length |= Int(bytes[start + index]) << (8 * index - 8) }
    return start + 5..<start + 5 + length
  }
}
