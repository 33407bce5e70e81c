/// The structure of a JSON text: one entry for each value and each member's name, in text order.
///
/// Nothing is copied out of the text. An entry holds the position of its bytes and the index of the
/// entry after the whole value, so that a traversal can skip values.
struct JSONTape: Sendable {
  /// The kind of an entry.
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

  /// A value or a member's name.
  struct Entry: Sendable {
    var kind: Kind
    /// The position of the first byte; for a string, the byte after its opening quote.
    var start: UInt32
    /// The position after the last byte; for a string, the position of its closing quote.
    var end: UInt32
    /// The index of the entry after this whole value.
    var next: UInt32
  }

  /// The length in bytes of the longest text whose positions fit into an entry.
  static let textLimit = Int(UInt32.max)

  private(set) var entries: [Entry] = []

  /// Checks a whole text without storing entries; needs memory for one entry per level only.
  static func check(_ bytes: Span<UInt8>) throws(JSON.SyntaxError) {
    var entries: [Entry] = []
    var builder = JSONTapeBuilder(maximumDepth: JSON.depthLimit, isChecking: true)
    try builder.build(&entries, from: bytes)
  }

  /// Parses and checks a whole text.
  init(parsing bytes: Span<UInt8>, maximumDepth: Int) throws(JSON.SyntaxError) {
    guard bytes.count <= Self.textLimit else {
      throw JSON.SyntaxError("a text is limited to 4 GiB", at: 0, in: bytes)
    }
    // Graph's answers have about one value per 12 bytes; a wrong guess only costs a copy.
    entries.reserveCapacity(bytes.count / 12)
    var builder = JSONTapeBuilder(maximumDepth: maximumDepth)
    try builder.build(&entries, from: bytes)
  }
}
