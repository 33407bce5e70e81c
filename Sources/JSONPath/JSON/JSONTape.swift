/// The structure of a JSON text: one entry for each value and each member's name, in text order.
///
/// Nothing is copied out of the text. An entry says where its bytes are and which entry follows the
/// whole value, so that a walk may step over what it does not want.
struct JSONTape: Sendable {
  /// What an entry stands for.
  enum Kind: UInt8, Sendable {
    case null
    case `true`
    case `false`
    case number
    /// A string, or a member's name, that can be copied as it is.
    case string
    /// A string, or a member's name, that has escapes.
    case escapedString
    case array
    case object
  }

  /// One value, or one member's name.
  struct Entry: Sendable {
    var kind: Kind
    /// The first byte; of a string, the first behind its quote.
    var start: UInt32
    /// The position behind the last byte; of a string, that of its closing quote.
    var end: UInt32
    /// The entry behind this whole value.
    var next: UInt32
  }

  /// The longest text whose positions fit into an entry.
  static let textLimit = Int(UInt32.max)

  private(set) var entries: [Entry] = []

  /// Checks a whole text and notes nothing: memory for one entry a level is all that it takes.
  static func check(_ bytes: Span<UInt8>) throws(JSON.SyntaxError) {
    var entries: [Entry] = []
    var builder = JSONTapeBuilder(maximumDepth: JSON.depthLimit, isChecking: true)
    try builder.build(&entries, from: bytes)
  }

  /// Reads a whole text and checks all of it.
  init(
    parsing bytes: Span<UInt8>,
    maximumDepth: Int
  ) throws(JSON.SyntaxError) {
    guard bytes.count <= Self.textLimit else {
      throw JSON.SyntaxError("a text is limited to 4 GiB", at: 0, in: bytes)
    }
    // Graph's answers hold about one value in 12 bytes; a wrong guess only costs a copy.
    entries.reserveCapacity(bytes.count / 12)
    var builder = JSONTapeBuilder(maximumDepth: maximumDepth)
    try builder.build(&entries, from: bytes)
  }
}
