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
  ///
  /// Of several members with one name the last value counts, at the first one's place.
  func members(of object: Int) -> [(name: Int, value: Int)] {
    var members: [(name: Int, value: Int)] = []
    forEachMember(of: object) { members.append(($0, $1)) }
    return hasRepeatedNames(members) ? withoutRepeatedNames(members) : members
  }

  /// Visits the members of an object as they are written, names that repeat included.
  @inline(__always)
  private func forEachMember(of object: Int, _ visit: (_ name: Int, _ value: Int) -> Void) {
    guard tape.entries[object].kind == .object else { return }
    let end = Int(tape.entries[object].next)
    var name = object + 1
    while name < end {
      visit(name, name + 1)
      name = Int(tape.entries[name + 1].next)
    }
  }

  /// Whether two of these members may have one name; certain unless there are many or escapes.
  private func hasRepeatedNames(_ members: [(name: Int, value: Int)]) -> Bool {
    guard members.count <= Self.comparedCount else { return true }
    for (position, member) in members.enumerated() {
      let slice = slice(at: member.name)
      guard tape.entries[member.name].kind == .string else { return true }
      for earlier in members[..<position] {
        let other = self.slice(at: earlier.name)
        guard slice.count == other.count else { continue }
        if text[slice].elementsEqual(text[other]) { return true }
      }
    }
    return false
  }

  /// Up to so many members, comparing each with all others is faster than a table of their names.
  private static var comparedCount: Int { 16 }

  private func withoutRepeatedNames(
    _ members: [(name: Int, value: Int)]
  ) -> [(name: Int, value: Int)] {
    var distinct: [(name: Int, value: Int)] = []
    var positions: [ScalarString: Int] = [:]
    for member in members {
      let name = ScalarString(string(at: member.name))
      if let position = positions[name] {
        distinct[position].value = member.value
      } else {
        positions[name] = distinct.count
        distinct.append(member)
      }
    }
    return distinct
  }

  /// The entry of the value of that name, or nil if there is none or this is not an object; and how
  /// many names were compared.
  func search(for name: String, in object: Int) -> (found: Int?, compared: Int) {
    var found: Int?
    var compared = 0
    forEachMember(of: object) { index, value in
      // The last of several members with one name counts, so the search goes on.
      if isName(name, at: index) { found = value }
      compared += 1
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

  /// Where an entry that is no member's name stands in the document; a string with its quotes.
  func range(at index: Int) -> Range<Int> {
    let quote = isString(index) ? 1 : 0
    let contents = slice(at: index)
    return contents.lowerBound - quote..<contents.upperBound + quote
  }

  /// The text of a string or name.
  func string(at index: Int) -> String {
    tape.entries[index].kind == .string
      ? characters(slice(at: index))
      : String(decoding: unescapedBytes(at: index), as: UTF8.self)
  }

  private func characters(_ slice: Range<Int>) -> String {
    text.span.extracting(slice).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  /// The UTF-8 of a string or name, without escapes.
  func unescapedBytes(at index: Int) -> [UInt8] {
    let slice = slice(at: index)
    guard tape.entries[index].kind == .escapedString else { return Array(text[slice]) }
    return JSONLexer.unescaped(slice, of: text.span)
  }

  /// The value of an entry, made now.
  func json(at index: Int) -> JSON {
    let entry = tape.entries[index]
    switch entry.kind {
    case .null: return .null
    case .true: return .bool(true)
    case .false: return .bool(false)
    case .number: return .number(JSON.Number(checked: characters(slice(at: index))))
    case .string, .escapedString: return .string(string(at: index))
    case .array: return .array(elements(of: index).map { json(at: $0) })
    case .object:
      return .object(
        JSON.Object(distinct: members(of: index).map { (string(at: $0.name), json(at: $0.value)) })
      )
    }
  }
}
