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
  /// How many bytes shorter a string is without its escapes, if the parser has unescaped it.
  var escapes: UInt16 = 0
  /// The position of the first byte; for a string, the byte after its opening quote.
  var start: UInt32
  /// The position after the last byte; for a string, the position of its closing quote.
  var end: UInt32
  /// The index of the entry after this whole value; while a container is open, that of its own
  /// container, plus one.
  var next: UInt32
}

/// Parses a text from left to right and writes the entries of its values.
///
/// The open containers are linked in the tape, so no nesting can exhaust the thread's stack.
struct JSONTapeBuilder {
  private let maximumDepth: Int
  /// The depth up to which containers keep the entries of their contents, which are only checked
  /// below.
  private let recordedDepth: Int
  private var position = 0
  /// The number of entries.
  private var count = 0
  /// The innermost open container, plus one; 0 if there is none.
  private var container = 0
  private var depth = 0
  /// The deepest nesting so far.
  private(set) var deepest = 0
  /// Whether no blanks are between its tokens.
  private var isCompact = true
  private var isInObject = false
  /// The last container whose contents were only checked.
  private var checked = 0..<0
  /// The unescaped strings among the values at the recorded depth, each at the position that it has
  /// in the text; empty if they are not unescaped.
  private var unescaped: [UInt8] = []

  /// Parses a text into a tape; only containers up to a depth have entries for their contents.
  static func tape(
    of bytes: Span<UInt8>, maximumDepth: Int, recordedDepth: Int = .max, expectedCount: Int = 64,
    isUnescaping: Bool = false
  ) throws(JSON.SyntaxError) -> (
    entries: [TapeEntry], depth: Int, isCompact: Bool, unescaped: [UInt8]
  ) {
    var builder = JSONTapeBuilder(maximumDepth: maximumDepth, recordedDepth: recordedDepth)
    builder.skipByteOrderMark(in: bytes)
    if isUnescaping {
      builder.unescaped = [UInt8](unsafeUninitializedCapacity: bytes.count) { $1 = bytes.count }
    }
    var entries = unsetEntries(max(expectedCount, 2))
    while true {
      var tape = entries.mutableSpan
      if try builder.fill(&tape, from: bytes) { break }
      entries += unsetEntries(entries.count)
    }
    entries.removeLast(entries.count - builder.count)
    return (entries, builder.deepest, builder.isCompact, builder.unescaped)
  }

  /// Entries that are written before they are read.
  private static func unsetEntries(_ count: Int) -> [TapeEntry] {
    [TapeEntry](unsafeUninitializedCapacity: count) { $1 = count }
  }

  private init(maximumDepth: Int, recordedDepth: Int) {
    self.maximumDepth = min(maximumDepth, JSON.depthLimit)
    self.recordedDepth = recordedDepth
  }

  private mutating func skipByteOrderMark(in bytes: Span<UInt8>) {
    if bytes.count >= 3, bytes[0] == 0xef, bytes[1] == 0xbb, bytes[2] == 0xbf { position = 3 }
    skipWhitespace(in: bytes)
  }

  /// Writes entries up to the end of the text; false if the tape has to be longer.
  private mutating func fill(
    _ tape: inout MutableSpan<TapeEntry>, from bytes: Span<UInt8>
  ) throws(JSON.SyntaxError) -> Bool {
    while count &+ 2 <= tape.count {
      if isInObject { try readName(into: &tape, from: bytes) }
      guard try readValue(into: &tape, from: bytes) else { continue }
      guard try closeContainers(in: &tape, from: bytes) else { continue }
      guard position == bytes.count else {
        throw JSON.SyntaxError("unexpected text after the value", at: position, in: bytes)
      }
      return true
    }
    return false
  }

  /// Reads a scalar or an empty container; false if it has opened a container with contents.
  @inline(__always)
  private mutating func readValue(
    into tape: inout MutableSpan<TapeEntry>, from bytes: Span<UInt8>
  ) throws(JSON.SyntaxError) -> Bool {
    guard position < bytes.count else { throw unexpectedEnd(in: bytes) }
    switch bytes[position] {
    case UInt8(ascii: "\""):
      if depth == recordedDepth, !unescaped.isEmpty {
        try readUnescaped(into: &tape, from: bytes)
      } else {
        try readString(into: &tape, from: bytes)
      }
    case UInt8(ascii: "{"): return try openContainer(.object, "}", in: &tape, from: bytes)
    case UInt8(ascii: "["): return try openContainer(.array, "]", in: &tape, from: bytes)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      guard let end = JSONLexer.numberEnd(in: bytes, from: position) else {
        throw JSON.SyntaxError("not a JSON number", at: position, in: bytes)
      }
      append(.number, upTo: end, to: &tape)
    case UInt8(ascii: "t"):
      append(.true, upTo: try JSONLexer.wordEnd("true", in: bytes, from: position), to: &tape)
    case UInt8(ascii: "f"):
      append(.false, upTo: try JSONLexer.wordEnd("false", in: bytes, from: position), to: &tape)
    case UInt8(ascii: "n"):
      append(.null, upTo: try JSONLexer.wordEnd("null", in: bytes, from: position), to: &tape)
    default:
      throw JSON.SyntaxError("expected a value", at: position, in: bytes)
    }
    return true
  }

  /// Opens an array or object; returns whether it is empty, and so ends here.
  @inline(__always)
  private mutating func openContainer(
    _ kind: TapeEntry.Kind, _ bracket: Unicode.Scalar, in tape: inout MutableSpan<TapeEntry>,
    from bytes: Span<UInt8>
  ) throws(JSON.SyntaxError) -> Bool {
    guard depth < maximumDepth else {
      let message = "nested deeper than \(maximumDepth) levels"
      throw JSON.SyntaxError(message, at: position, in: bytes, isTooDeep: true)
    }
    if depth == recordedDepth, let end = repeatedEnd(in: bytes) {
      append(kind, upTo: end, to: &tape)
      // The earlier bytes, so that a comparison of both ends at once.
      tape[count &- 1].start = UInt32(truncatingIfNeeded: checked.lowerBound)
      tape[count &- 1].end = UInt32(truncatingIfNeeded: checked.upperBound)
      return true
    }
    append(kind, upTo: position &+ 1, to: &tape)
    tape[count &- 1].next = UInt32(truncatingIfNeeded: container)
    container = count
    depth &+= 1
    deepest = max(deepest, depth)
    isInObject = kind == .object
    skipWhitespace(in: bytes)
    return position < bytes.count && bytes[position] == UInt8(ascii: bracket)
  }

  /// The end of a container with the same bytes as the last one that was only checked.
  ///
  /// The items of an answer repeat the same headers.
  private func repeatedEnd(in bytes: Span<UInt8>) -> Int? {
    let end = position &+ checked.count
    guard !checked.isEmpty, end <= bytes.count,
      bytes.extracting(position..<end).hasSameBytes(as: bytes.extracting(checked))
    else { return nil }
    return end
  }

  /// Closes every container that ends here; false if another value or member follows.
  @inline(__always)
  private mutating func closeContainers(
    in tape: inout MutableSpan<TapeEntry>, from bytes: Span<UInt8>
  ) throws(JSON.SyntaxError) -> Bool {
    while true {
      skipWhitespace(in: bytes)
      if container == 0 { return true }
      guard position < bytes.count else { throw unexpectedEnd(in: bytes) }
      if depth > recordedDepth { count = container }
      switch bytes[position] {
      case UInt8(ascii: ","):
        position &+= 1
        skipWhitespace(in: bytes)
        return false
      case UInt8(ascii: "}") where isInObject, UInt8(ascii: "]") where !isInObject:
        position &+= 1
        closeContainer(in: &tape)
      default:
        throw JSON.SyntaxError(
          isInObject ? "expected ',' or '}'" : "expected ',' or ']'", at: position, in: bytes)
      }
    }
  }

  @inline(__always)
  private mutating func closeContainer(in tape: inout MutableSpan<TapeEntry>) {
    let closed = container &- 1
    container = Int(tape[closed].next)
    tape[closed].end = UInt32(truncatingIfNeeded: position)
    tape[closed].next = UInt32(truncatingIfNeeded: count)
    depth &-= 1
    if depth == recordedDepth { checked = Int(tape[closed].start)..<position }
    isInObject = container > 0 && tape[container &- 1].kind == .object
  }

  /// Reads a member's name and colon.
  @inline(__always)
  private mutating func readName(
    into tape: inout MutableSpan<TapeEntry>, from bytes: Span<UInt8>
  ) throws(JSON.SyntaxError) {
    guard position < bytes.count else { throw unexpectedEnd(in: bytes) }
    guard bytes[position] == UInt8(ascii: "\"") else {
      throw JSON.SyntaxError("expected a member name in quotes", at: position, in: bytes)
    }
    try readString(into: &tape, from: bytes)
    skipWhitespace(in: bytes)
    guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else {
      throw JSON.SyntaxError("expected ':'", at: position, in: bytes)
    }
    position &+= 1
    skipWhitespace(in: bytes)
  }

  @inline(__always)
  private mutating func readString(
    into tape: inout MutableSpan<TapeEntry>, from bytes: Span<UInt8>
  ) throws(JSON.SyntaxError) {
    position &+= 1
    let content = try JSONLexer.stringContent(in: bytes, from: position)
    append(content.isEscaped ? .escapedString : .string, upTo: content.end, to: &tape)
    position &+= 1
  }

  /// Reads a string and unescapes it.
  private mutating func readUnescaped(
    into tape: inout MutableSpan<TapeEntry>, from bytes: Span<UInt8>
  ) throws(JSON.SyntaxError) {
    position &+= 1
    let start = position
    var output = unescaped.mutableSpan
    let (end, outputEnd) = try JSONLexer.unescape(in: bytes, from: start, into: &output)
    append(outputEnd < end ? .escapedString : .string, upTo: end, to: &tape)
    tape[count &- 1].escapes = UInt16(clamping: end &- outputEnd)
    position &+= 1
  }

  @inline(__always)
  private mutating func append(
    _ kind: TapeEntry.Kind, upTo end: Int, to tape: inout MutableSpan<TapeEntry>
  ) {
    tape[count] = TapeEntry(
      kind: kind, start: UInt32(truncatingIfNeeded: position),
      end: UInt32(truncatingIfNeeded: end), next: UInt32(truncatingIfNeeded: count &+ 1))
    count &+= 1
    position = end
  }

  @inline(__always)
  private mutating func skipWhitespace(in bytes: Span<UInt8>) {
    let end = JSONLexer.skippingWhitespace(in: bytes, from: position)
    if end > position { isCompact = false }
    position = end
  }

  private func unexpectedEnd(in bytes: Span<UInt8>) -> JSON.SyntaxError {
    JSON.SyntaxError(
      container == 0 ? "expected a value" : "unexpected end of the text", at: position, in: bytes)
  }
}
