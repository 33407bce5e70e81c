/// A list of objects, such as Graph's answer to a batch.
///
/// The strings among the members are unescaped while the text is checked. What is nested deeper
/// than the members is only checked.
package final class JSONItems: Sendable {
  private let document: JSON.Document
  /// The strings without escapes, each at the position that it has in the text.
  private let unescaped: [UInt8]
  /// The entries of the items.
  private let entries: [Int]

  /// The longest text whose strings are unescaped while it is checked, in bytes.
  private static let unescapedLimit = 1 << 24

  /// Validates the text as `JSON.Document` does; there are no items if it is no list.
  package init(parsing bytes: [UInt8]) throws(JSON.SyntaxError) {
    var unescaped: [UInt8] = []
    document = try JSON.Document(
      bytes, JSON.depthLimit, 2, isUnescaping: bytes.count <= Self.unescapedLimit, &unescaped)
    self.unescaped = unescaped
    entries = document.elements(of: 0)
  }

  /// The number of items.
  package var count: Int { entries.count }

  /// The member of an item with that name; nil if there is none, or if the item is no object.
  package func member(_ name: String, of item: Int) -> Int? {
    document.search(for: name, in: entries[item]).found
  }

  /// A member's value as it is written in the text.
  package func text(of member: Int) -> ArraySlice<UInt8> {
    document.text[document.range(at: member)]
  }

  /// The unescaped UTF-8 of a member; nil if it is no string.
  package func string(of member: Int) -> [UInt8]? {
    guard document.isString(at: member) else { return nil }
    let (escapes, content) = (document.entries[member].escapes, document.slice(at: member))
    guard !unescaped.isEmpty, escapes < .max else { return document.unescapedBytes(at: member) }
    return Array(unescaped[content.lowerBound..<content.upperBound - Int(escapes)])
  }
}
