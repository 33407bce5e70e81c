/// Reading a document by the indices of its entries; the whole value is entry 0.
///
/// Nothing is collected and nothing made: for a reader that goes by once and knows what it wants.
extension JSON.Document {
  /// Visits the members of an object as they are written, names that repeat included.
  ///
  /// - Returns: whether the entry is an object.
  @discardableResult
  @inline(__always)
  package func forEachMember(of object: Int, _ visit: (_ name: Int, _ value: Int) -> Void) -> Bool {
    guard tape.entries[object].kind == .object else { return false }
    let end = Int(tape.entries[object].next)
    var name = object + 1
    while name < end {
      visit(name, name + 1)
      name = Int(tape.entries[name + 1].next)
    }
    return true
  }

  /// The entries of an array's elements, or nil if it is not one.
  package func arrayElements(at index: Int) -> [Int]? {
    tape.entries[index].kind == .array ? elements(of: index) : nil
  }

  /// Where an entry that is no member's name stands in the document; a string with its quotes.
  package func range(at index: Int) -> Range<Int> {
    let quote = isString(index) ? 1 : 0
    let contents = slice(at: index)
    return contents.lowerBound - quote..<contents.upperBound + quote
  }

  /// The text of a string, or nil if it is not one.
  package func text(at index: Int) -> String? { isString(index) ? string(at: index) : nil }

  /// Where the text of a string stands in the document, or nil if it is not one or has escapes.
  package func plainText(at index: Int) -> Range<Int>? {
    tape.entries[index].kind == .string ? slice(at: index) : nil
  }

  /// The value of an entry, made now.
  package func value(at index: Int) -> JSON { json(at: index) }
}
