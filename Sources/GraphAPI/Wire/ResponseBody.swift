public import JSONPath

/// The text of a body, kept as it was received until something asks for it.
///
/// In a batch's answer a body is a JSON text inside a JSON string: it stays a slice of that answer,
/// escapes and all. No textual form shows what is in it.
public struct ResponseBody: Sendable {
  private enum Source {
    case absent
    /// A text of its own, which is handed out without a copy.
    case whole([UInt8])
    case plain(ArraySlice<UInt8>)
    /// A JSON string of the answer: its inside, still escaped, and the value that unescapes it.
    case string(inside: ArraySlice<UInt8>, JSON.Document.Value)
  }

  private let source: Source

  /// A body of this text.
  public init(_ text: [UInt8]) {
    source = .whole(text)
  }

  /// No body at all.
  public static let absent = ResponseBody(source: .absent)

  /// A part of an answer that is the body as it stands.
  static func plain(_ text: ArraySlice<UInt8>) -> ResponseBody {
    ResponseBody(source: .plain(text))
  }

  /// A string of an answer, whose inside is at hand.
  static func string(inside: ArraySlice<UInt8>, _ value: JSON.Document.Value) -> ResponseBody {
    ResponseBody(source: .string(inside: inside, value))
  }

  private init(source: Source) {
    self.source = source
  }

  /// Whether there was none, as in a 304; an empty text is not absent.
  public var isAbsent: Bool {
    if case .absent = source { return true }
    return false
  }

  /// The text, unescaped; empty if absent.
  ///
  /// Each use of an escaped body unescapes anew.
  public var text: [UInt8] {
    switch source {
    case .absent: []
    case .whole(let text): text
    case .plain(let text): Array(text)
    case .string(_, let value): value.unescaped ?? []
    }
  }

  /// How many bytes the body takes in the answer, escapes included.
  public var sizeAsReceived: Int { received.count }

  private var received: ArraySlice<UInt8> {
    switch source {
    case .absent: []
    case .whole(let text): text[...]
    case .plain(let text): text
    case .string(let inside, _): inside
    }
  }

  /// The body as a value.
  public func json() throws(JSON.SyntaxError) -> JSON {
    try JSON(parsing: text)
  }

  /// The body in the form that queries read best.
  public func document() throws(JSON.SyntaxError) -> JSON.Document {
    try JSON.Document(parsing: text)
  }

  /// Whether a member whose name begins with `error` can be in the text; no such member if false.
  ///
  /// This looks at bytes only, so that good answers are not parsed.
  var mayHoldError: Bool { ByteSearch.errorName.isFound(in: received) }
}

extension ResponseBody: Hashable {
  /// Compares the texts after unescaping.
  public static func == (left: ResponseBody, right: ResponseBody) -> Bool {
    left.isAbsent == right.isAbsent && left.text == right.text
  }

  /// Hashes the text after unescaping.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(text)
  }
}

extension ResponseBody: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The size, never the text.
  public var description: String { isAbsent ? "no body" : "\(sizeAsReceived) bytes" }

  /// The size, never the text.
  public var debugDescription: String { description }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
