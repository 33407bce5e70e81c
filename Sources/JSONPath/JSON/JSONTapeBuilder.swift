/// One value or member's name of a JSON text; a tape has one entry for each, in text order.
///
/// Nothing is copied out of the text. An entry holds the position of its bytes and the index of the
/// entry after the whole value, so that a traversal can skip values.
struct TapeEntry: Sendable {
  enum Kind: UInt8, Sendable {
    case null
    case `true`
    case `false`
    case number
    /// A string or member name without escapes.
    case string
    /// A string or member name with escapes.
    case escapedString
    case array
    case object
  }

  var kind: Kind
  /// The position of the first byte; for a string, the byte after its opening quote.
  var start: UInt32
  /// The position after the last byte; for a string, the position of its closing quote.
  var end: UInt32
  /// The index of the entry after this whole value.
  var next: UInt32
}

/// Parses a text from left to right and appends the entries of its values.
///
/// It keeps its own stack, so no nesting can exhaust the thread's.
struct JSONTapeBuilder {
  private let maximumDepth: Int
  /// Whether the text is only checked: then the entries of closed containers are removed.
  private let isChecking: Bool
  private var position = 0
  /// The entries of the open arrays and objects, outermost first.
  private var open: [Int] = []

  init(maximumDepth: Int, isChecking: Bool = false) {
    self.maximumDepth = min(maximumDepth, JSON.depthLimit)
    self.isChecking = isChecking
  }

  /// Appends the entries of the text's one value.
  mutating func build(
    _ entries: inout [TapeEntry], from bytes: Span<UInt8>
  ) throws(JSON.SyntaxError) {
    if bytes.count >= 3, bytes[0] == 0xef, bytes[1] == 0xbb, bytes[2] == 0xbf { position = 3 }
    skipWhitespace(in: bytes)
    repeat {
      try readValue(into: &entries, from: bytes)
      try closeContainers(in: &entries, from: bytes)
    } while !open.isEmpty
    guard position == bytes.count else {
      throw JSON.SyntaxError("unexpected text after the value", at: position, in: bytes)
    }
  }

  /// Reads a scalar or an empty container, or opens containers down to the first scalar.
  @inline(__always)
  private mutating func readValue(
    into entries: inout [TapeEntry], from bytes: Span<UInt8>
  ) throws(JSON.SyntaxError) {
    while true {
      guard position < bytes.count else { throw unexpectedEnd(in: bytes) }
      switch bytes[position] {
      case UInt8(ascii: "\""):
        return try readString(into: &entries, from: bytes)
      case UInt8(ascii: "{"):
        try openContainer(.object, in: &entries, from: bytes)
        guard try readName(into: &entries, from: bytes, mayClose: true) else { return }
      case UInt8(ascii: "["):
        try openContainer(.array, in: &entries, from: bytes)
        if position < bytes.count, bytes[position] == UInt8(ascii: "]") { return }
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        guard let end = JSONLexer.numberEnd(in: bytes, from: position) else {
          throw JSON.SyntaxError("not a JSON number", at: position, in: bytes)
        }
        return append(.number, upTo: end, to: &entries)
      case UInt8(ascii: "t"):
        return append(
          .true, upTo: try JSONLexer.wordEnd("true", in: bytes, from: position), to: &entries)
      case UInt8(ascii: "f"):
        return append(
          .false, upTo: try JSONLexer.wordEnd("false", in: bytes, from: position), to: &entries)
      case UInt8(ascii: "n"):
        return append(
          .null, upTo: try JSONLexer.wordEnd("null", in: bytes, from: position), to: &entries)
      default:
        throw JSON.SyntaxError("expected a value", at: position, in: bytes)
      }
    }
  }

  /// Closes every array and object that ends here; stops before the next value, if there is one.
  @inline(__always)
  private mutating func closeContainers(
    in entries: inout [TapeEntry], from bytes: Span<UInt8>
  ) throws(JSON.SyntaxError) {
    while true {
      skipWhitespace(in: bytes)
      guard let container = open.last else { return }
      if isChecking { entries.removeLast(entries.count - container - 1) }
      guard position < bytes.count else { throw unexpectedEnd(in: bytes) }
      let isObject = entries[container].kind == .object
      switch bytes[position] {
      case UInt8(ascii: ","):
        position &+= 1
        skipWhitespace(in: bytes)
        if isObject { _ = try readName(into: &entries, from: bytes, mayClose: false) }
        return
      case UInt8(ascii: "}") where isObject, UInt8(ascii: "]") where !isObject:
        position &+= 1
        entries[container].end = UInt32(truncatingIfNeeded: position)
        entries[container].next = UInt32(truncatingIfNeeded: entries.count)
        open.removeLast()
      default:
        throw JSON.SyntaxError(
          isObject ? "expected ',' or '}'" : "expected ',' or ']'", at: position, in: bytes)
      }
    }
  }

  /// Opens an array or object and skips its bracket and the whitespace after it.
  @inline(__always)
  private mutating func openContainer(
    _ kind: TapeEntry.Kind, in entries: inout [TapeEntry], from bytes: Span<UInt8>
  ) throws(JSON.SyntaxError) {
    guard open.count < maximumDepth else {
      let message = "nested deeper than \(maximumDepth) levels"
      throw JSON.SyntaxError(message, at: position, in: bytes, isTooDeep: true)
    }
    open.append(entries.count)
    append(kind, upTo: position &+ 1, to: &entries)
    skipWhitespace(in: bytes)
  }

  /// Reads a member's name and colon; false if the object's closing brace is here instead.
  @inline(__always)
  private mutating func readName(
    into entries: inout [TapeEntry], from bytes: Span<UInt8>, mayClose: Bool
  ) throws(JSON.SyntaxError) -> Bool {
    guard position < bytes.count else { throw unexpectedEnd(in: bytes) }
    if mayClose, bytes[position] == UInt8(ascii: "}") { return false }
    guard bytes[position] == UInt8(ascii: "\"") else {
      throw JSON.SyntaxError("expected a member name in quotes", at: position, in: bytes)
    }
    try readString(into: &entries, from: bytes)
    skipWhitespace(in: bytes)
    guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else {
      throw JSON.SyntaxError("expected ':'", at: position, in: bytes)
    }
    position &+= 1
    skipWhitespace(in: bytes)
    return true
  }

  @inline(__always)
  private mutating func readString(
    into entries: inout [TapeEntry], from bytes: Span<UInt8>
  ) throws(JSON.SyntaxError) {
    position &+= 1
    let content = try JSONLexer.stringContent(in: bytes, from: position)
    append(content.isEscaped ? .escapedString : .string, upTo: content.end, to: &entries)
    position &+= 1
  }

  @inline(__always)
  private mutating func append(
    _ kind: TapeEntry.Kind, upTo end: Int, to entries: inout [TapeEntry]
  ) {
    entries.append(
      TapeEntry(
        kind: kind, start: UInt32(truncatingIfNeeded: position),
        end: UInt32(truncatingIfNeeded: end), next: UInt32(truncatingIfNeeded: entries.count &+ 1)))
    position = end
  }

  @inline(__always)
  private mutating func skipWhitespace(in bytes: Span<UInt8>) {
    position = JSONLexer.skippingWhitespace(in: bytes, from: position)
  }

  private func unexpectedEnd(in bytes: Span<UInt8>) -> JSON.SyntaxError {
    JSON.SyntaxError(
      open.isEmpty ? "expected a value" : "unexpected end of the text", at: position, in: bytes)
  }
}
