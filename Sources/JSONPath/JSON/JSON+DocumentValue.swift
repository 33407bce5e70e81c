extension JSON.Document {
  /// One value of a document, not yet made.
  ///
  /// Of several members with one name the last counts and stands at the first one's place, as in
  /// `JSON.Object`.
  package struct Value: Sendable {
    let document: JSON.Document
    let index: Int

    /// The value itself, made now.
    package var json: JSON { document.json(at: index) }

    /// Where it stands in the document's text; of a string, with its quotes.
    package var range: Range<Int> { document.range(at: index) }

    /// Whether it is `null`.
    package var isNull: Bool { document.tape.entries[index].kind == .null }

    /// The elements of an array, or nil if it is not one.
    package var elements: [Value]? {
      guard document.tape.entries[index].kind == .array else { return nil }
      return document.elements(of: index).map { Value(document: document, index: $0) }
    }

    /// The members of an object, or nil if it is not one.
    package var members: [(name: String, value: Value)]? {
      guard document.tape.entries[index].kind == .object else { return nil }
      return document.members(of: index).map { name, value in
        (document.string(at: name), Value(document: document, index: value))
      }
    }

    /// The member of that name, or nil if there is none or it is not an object.
    package subscript(_ name: String) -> Value? {
      document.search(for: name, in: index).found.map { Value(document: document, index: $0) }
    }

    /// The whole number, or nil if it is not one or does not fit.
    package var integer: Int? {
      guard document.tape.entries[index].kind == .number else { return nil }
      return json.integer
    }

    /// The text of a string, or nil if it is not one.
    package var string: String? { document.isString(index) ? document.string(at: index) : nil }

    /// The unescaped UTF-8 of a string, or nil if it is not one.
    ///
    /// A string that holds JSON, such as the body in a batch answer, is parsed from these bytes
    /// without becoming a `String` first.
    package var unescaped: [UInt8]? {
      document.isString(index) ? document.unescapedBytes(at: index) : nil
    }
  }
}
