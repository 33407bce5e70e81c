extension JSON {
  /// A parsed text whose values are created on demand.
  ///
  /// The whole text has been validated, so reading values from it cannot fail. Parsing costs a
  /// fraction of creating all values; queries walk the document directly.
  package struct Document: Sendable {
    /// The bytes that were parsed.
    package let text: [UInt8]
    let entries: [TapeEntry]
    /// How deep the text is nested.
    package let depth: Int
    /// Whether it is one line, without blanks between its tokens.
    package let isCompact: Bool

    /// Validates the text (RFC 8259, UTF-8, nesting) and records the positions of its values.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8, with or without a byte order mark; at most 4 GiB.
    ///   - maximumDepth: The deepest nesting to accept, at most `JSON.depthLimit`.
    ///   - recordedDepth: The depth below which arrays and objects seem to be empty: only their
    ///     ranges are recorded.
    /// - Throws: The first syntax error.
    package init(
      parsing bytes: [UInt8], maximumDepth: Int = JSON.depthLimit, recordedDepth: Int = .max
    ) throws(SyntaxError) {
      var unescaped: [UInt8] = []
      try self.init(bytes, maximumDepth, recordedDepth, isUnescaping: false, &unescaped)
    }

    /// Also unescapes the strings at the recorded depth, each to the position that it has in the text.
    init(
      _ bytes: [UInt8], _ maximumDepth: Int, _ recordedDepth: Int, isUnescaping: Bool,
      _ unescaped: inout [UInt8]
    ) throws(SyntaxError) {
      text = bytes
      guard bytes.count <= UInt32.max else {
        throw JSON.SyntaxError("a text is limited to 4 GiB", at: 0, in: bytes.span)
      }
      // Graph's answers have about one value per 12 bytes; a wrong guess only costs a copy.
      (entries, depth, isCompact, unescaped) = try JSONTapeBuilder.tape(
        of: bytes.span, maximumDepth: maximumDepth, recordedDepth: recordedDepth,
        expectedCount: recordedDepth == .max ? bytes.count / 12 : bytes.count / 128,
        isUnescaping: isUnescaping)
    }

    /// The whole value.
    package var root: JSON { value.json }
    /// The whole value, not yet created.
    package var value: Value { Value(document: self, index: 0) }
  }
}

extension JSON.Document {
  /// One value of a document, not yet created; a property is nil if the value has another type.
  ///
  /// If a member name repeats, the last value counts, at the position of the first, as in
  /// `JSON.Object`.
  package struct Value: Sendable {
    package let document: JSON.Document
    let index: Int

    /// Creates the value.
    package var json: JSON { document.json(at: index) }

    /// The byte range in the document's text; a string's range includes its quotes.
    package var range: Range<Int> { document.range(at: index) }

    /// The value as it is written in the text.
    package var bytes: ArraySlice<UInt8> { document.text[range] }

    private var kind: TapeEntry.Kind { document.entries[index].kind }
    private var isString: Bool { document.isString(at: index) }
    package var isNull: Bool { kind == .null }

    package var elements: [Value]? {
      guard kind == .array else { return nil }
      return document.elements(of: index).map { Value(document: document, index: $0) }
    }

    package var members: [(name: String, value: Value)]? {
      guard kind == .object else { return nil }
      return document.members(of: index).map { name, value in
        (document.string(at: name), Value(document: document, index: value))
      }
    }

    package subscript(_ name: String) -> Value? {
      document.search(for: name, in: index).found.map { Value(document: document, index: $0) }
    }

    /// Nil, too, if the number is not whole or does not fit.
    package var integer: Int? { kind == .number ? json.integer : nil }
    package var string: String? { isString ? document.string(at: index) : nil }

    /// The unescaped UTF-8 of a string, which may contain JSON.
    package var unescaped: [UInt8]? { isString ? document.unescapedBytes(at: index) : nil }
  }

  /// The unescaped UTF-8 of a string with its quotes, which a parser has accepted.
  package static func unescaped(_ string: ArraySlice<UInt8>) -> [UInt8] {
    JSONLexer.unescaped(1..<string.count - 1, of: string.span)
  }
}

/// Reading the tape: entries are addressed by index, and strings are compared in place.
extension JSON.Document {
  /// The entries of an array's elements; empty if the entry is not an array.
  func elements(of array: Int) -> [Int] {
    let entry = entries[array]
    guard entry.kind == .array else { return [] }
    var elements: [Int] = []
    var index = array + 1
    while index < entry.next {
      elements.append(index)
      index = Int(entries[index].next)
    }
    return elements
  }

  /// The entries of an object's names and values, each name once; empty if it is not an object.
  func members(of object: Int) -> [(name: Int, value: Int)] {
    var members: [(name: Int, value: Int)] = []
    forEachMember(of: object) { members.append(($0, $1)) }
    return hasRepeatedNames(members) ? withoutRepeatedNames(members) : members
  }

  /// Visits the members of an object in text order, including repeated names.
  @inline(__always)
  private func forEachMember(of object: Int, _ visit: (_ name: Int, _ value: Int) -> Void) {
    guard entries[object].kind == .object else { return }
    let end = Int(entries[object].next)
    var name = object + 1
    while name < end {
      visit(name, name + 1)
      name = Int(entries[name + 1].next)
    }
  }

  /// Whether a name may repeat; exact unless there are many members or escaped names.
  private func hasRepeatedNames(_ members: [(name: Int, value: Int)]) -> Bool {
    guard members.count <= Self.comparedCount else { return true }
    for (position, member) in members.enumerated() {
      let slice = slice(at: member.name)
      guard entries[member.name].kind == .string else { return true }
      for earlier in members[..<position] {
        let other = self.slice(at: earlier.name)
        guard slice.count == other.count else { continue }
        if text[slice].elementsEqual(text[other]) { return true }
      }
    }
    return false
  }

  /// Up to this count, comparing each member with all others is faster than a table of their names.
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

  /// Searches an object for the member with that name, and counts the names compared; finds nothing if
  /// this is not an object.
  func search(for name: String, in object: Int) -> (found: Int?, compared: Int) {
    var name = name
    return name.withUTF8 { name in
      var found: Int?
      var compared = 0
      forEachMember(of: object) { index, value in
        // If the name repeats, the last member counts, so the search continues.
        if isName(name.span, at: index) { found = value }
        compared += 1
      }
      return (found, compared)
    }
  }

  /// Whether the entry is this name; creates a text only if the entry has escapes.
  private func isName(_ name: Span<UInt8>, at index: Int) -> Bool {
    guard entries[index].kind == .string else {
      return unescapedBytes(at: index).span.hasSameBytes(as: name)
    }
    let slice = slice(at: index)
    return slice.count == name.count && text.span.extracting(slice).hasSameBytes(as: name)
  }

  /// Whether the text is an object with a member whose name starts so, as it is written.
  package func hasMember(startingWith prefix: String) -> Bool {
    var prefix = prefix
    return prefix.withUTF8 { prefix in
      var isFound = false
      forEachMember(of: 0) { name, _ in
        let start = text.span.extracting(slice(at: name)).extracting(first: prefix.count)
        isFound = isFound || start.hasSameBytes(as: prefix.span)
      }
      return isFound
    }
  }

  /// The byte range of an entry; a string's range excludes its quotes.
  func slice(at index: Int) -> Range<Int> {
    Int(entries[index].start)..<Int(entries[index].end)
  }

  /// The byte range of an entry; a string's range includes its quotes.
  func range(at index: Int) -> Range<Int> {
    let content = slice(at: index)
    return isString(at: index) ? content.lowerBound - 1..<content.upperBound + 1 : content
  }

  func isString(at index: Int) -> Bool {
    entries[index].kind == .string || entries[index].kind == .escapedString
  }

  func string(at index: Int) -> String {
    entries[index].kind == .string
      ? characters(slice(at: index))
      : String(decoding: unescapedBytes(at: index), as: UTF8.self)
  }

  private func characters(_ slice: Range<Int>) -> String {
    text.span.extracting(slice).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  /// The UTF-8 of a string or name, without escapes.
  func unescapedBytes(at index: Int) -> [UInt8] {
    let slice = slice(at: index)
    guard entries[index].kind == .escapedString else { return Array(text[slice]) }
    return JSONLexer.unescaped(slice, of: text.span)
  }

  /// Creates the value of an entry.
  func json(at index: Int) -> JSON {
    let entry = entries[index]
    switch entry.kind {
    case .null: return .null
    case .true: return .bool(true)
    case .false: return .bool(false)
    case .number: return .number(JSON.Number(checked: characters(slice(at: index))))
    case .string, .escapedString: return .string(string(at: index))
    case .array: return .array(elements(of: index).map { json(at: $0) })
    case .object:
      return .object(
        JSON.Object(distinct: members(of: index).map { (string(at: $0.name), json(at: $0.value)) }))
    }
  }
}
