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
    /// A text that was read.
    case read(JSON.Document)
  }

  /// The longest text, in bytes: 64 MiB.
  static let lengthLimit = 64 << 20

  /// The longest text of which is kept where its values are, which may take eight times as much.
  private static let keptLength = 1 << 16

  private let source: Source

  /// A body of this text.
  public init(_ text: [UInt8]) {
    source = .whole(text)
  }

  /// No body at all.
  package static let absent = ResponseBody(source: .absent)

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
  /// Each use of a long escaped body unescapes it again.
  public var text: [UInt8] {
    switch source {
    case .absent: []
    case .whole(let text): text
    case .plain(let text): Array(text)
    case .string(_, let value): value.unescaped ?? []
    case .read(let document): document.text
    }
  }

  /// The bytes that are held: of the answer, escapes included, or of the body once it was read.
  private var received: ArraySlice<UInt8> {
    switch source {
    case .absent: []
    case .whole(let text): text[...]
    case .plain(let text): text
    case .string(let inside, _): inside
    case .read(let document): document.text[...]
    }
  }

  /// The body after it was read, and what keeps it from being used: it is empty, no JSON, too long
  /// or too deep.
  ///
  /// A short text is unescaped and parsed here and never again; of a longer one nothing is kept.
  func reading() -> (body: ResponseBody, problem: String?) {
    switch source {
    case .absent: return (self, UnusableAnswer.empty.rawValue)
    // What is no string in an answer was checked with it.
    case .plain, .read: return (self, nil)
    case .whole, .string: break
    }
    let text = text
    guard text.count <= Self.lengthLimit else { return (self, UnusableAnswer.tooLong.rawValue) }
    do {
      guard text.count <= Self.keptLength else {
        try JSON.check(text)
        return (self, nil)
      }
      return (ResponseBody(source: .read(try JSON.Document(parsing: text))), nil)
    } catch {
      let isEmpty = text.allSatisfy(UnusableAnswer.isSpace)
      return (self, isEmpty ? UnusableAnswer.empty.rawValue : UnusableAnswer.text(for: text, error))
    }
  }

  /// The body as a value.
  public func json() throws(JSON.SyntaxError) -> JSON {
    try document().root
  }

  /// The body in the form that queries read best.
  package func document() throws(JSON.SyntaxError) -> JSON.Document {
    if case .read(let document) = source { return document }
    return try JSON.Document(parsing: text)
  }

  /// Whether a member whose name begins with `error` can be in the text; no such member if false.
  ///
  /// This looks at bytes only, so that good answers are not parsed. In an escaped text the quote
  /// before the name ends in the same byte, or is written as `\u0022`.
  var mayContainError: Bool {
    received.withUnsafeBufferPointer { bytes in
      // Horspool's method: the last byte of five tells how far the word may begin behind it.
      var end = 4
      while end < bytes.count {
        switch bytes[end] {
        case UInt8(ascii: "r"):
          let start = end - 4
          if bytes[start...end].elementsEqual("error".utf8),
            bytes[..<start].last == UInt8(ascii: "\"")
              || bytes[..<start].suffix(5).elementsEqual("u0022".utf8)
          {
            return true
          }
          end += 2
        case UInt8(ascii: "o"): end += 1
        case UInt8(ascii: "e"): end += 4
        default: end += 5
        }
      }
      return false
    }
  }
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

extension ResponseBody: Confidential {
  /// The size, never the text.
  public var description: String { isAbsent ? "no body" : "\(received.count) bytes" }
}
