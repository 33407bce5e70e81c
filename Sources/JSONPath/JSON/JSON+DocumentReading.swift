/// Reading the tape: entries are named by their index, strings are compared where they stand.
extension JSON.Document {
  /// Whether the entry is a string or a member's name.
  func isString(_ index: Int) -> Bool {
    let kind = tape.entries[index].kind
    return kind == .string || kind == .escapedString
  }

  /// The entries of an array's elements; none if it is not an array.
  func elements(of array: Int) -> [Int] {
    let entry = tape.entries[array]
    guard entry.kind == .array else { return [] }
    var elements: [Int] = []
    var index = array + 1
    while index < entry.next {
      elements.append(index)
      index = Int(tape.entries[index].next)
    }
    return elements
  }

  /// The entries of an object's names and values, each name once; none if it is not an object.
  func members(of object: Int) -> [(name: Int, value: Int)] {
    let entry = tape.entries[object]
    guard entry.kind == .object else { return [] }
    var members: [(name: Int, value: Int)] = []
    var positions: [ScalarString: Int] = [:]
    var index = object + 1
    while index < entry.next {
      let name = ScalarString(string(at: index))
      if let position = positions.updateValue(members.count, forKey: name) {
        positions[name] = position
        members[position].value = index + 1
      } else {
        members.append((index, index + 1))
      }
      index = Int(tape.entries[index + 1].next)
    }
    return members
  }

  /// The entry of the value of that name, or nil if there is none or this is not an object; and how
  /// many names were compared.
  func search(for name: String, in object: Int) -> (found: Int?, compared: Int) {
    let entry = tape.entries[object]
    guard entry.kind == .object else { return (nil, 0) }
    var found: Int?
    var compared = 0
    var index = object + 1
    while index < entry.next {
      // The last of several members with one name counts, so the search goes on.
      if isName(name, at: index) { found = index + 1 }
      compared += 1
      index = Int(tape.entries[index + 1].next)
    }
    return (found, compared)
  }

  /// Whether the string or name at that entry is this one, without making it where it has no escapes.
  private func isName(_ name: String, at index: Int) -> Bool {
    let slice = slice(at: index)
    return tape.entries[index].kind == .string
      ? slice.count == name.utf8.count && text[slice].elementsEqual(name.utf8)
      : string(at: index).hasSameScalars(as: name)
  }

  /// The bytes of an entry; of a string, what stands between its quotes.
  func slice(at index: Int) -> Range<Int> {
    Int(tape.entries[index].start)..<Int(tape.entries[index].end)
  }

  /// The text of a string or name.
  func string(at index: Int) -> String {
    tape.entries[index].kind == .string
      ? String(decoding: text[slice(at: index)], as: UTF8.self)
      : String(decoding: unescapedBytes(at: index), as: UTF8.self)
  }

  /// The UTF-8 of a string or name, without escapes.
  func unescapedBytes(at index: Int) -> [UInt8] {
    let slice = slice(at: index)
    guard tape.entries[index].kind == .escapedString else { return Array(text[slice]) }
    var output: [UInt8] = []
    output.reserveCapacity(slice.count)
    JSONLexer.unescape(slice, of: text.span, to: &output)
    return output
  }

  /// The value of an entry, made now.
  func json(at index: Int) -> JSON {
    switch tape.entries[index].kind {
    case .null: .null
    case .true: .bool(true)
    case .false: .bool(false)
    case .number:
      .number(JSON.Number(checked: String(decoding: text[slice(at: index)], as: UTF8.self)))
    case .string, .escapedString: .string(string(at: index))
    case .array: .array(elements(of: index).map { json(at: $0) })
    case .object:
      .object(JSON.Object(members(of: index).map { (string(at: $0.name), json(at: $0.value)) }))
    }
  }
}
