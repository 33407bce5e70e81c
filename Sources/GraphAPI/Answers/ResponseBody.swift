public import JSONPath

/// The body of an answer, kept as received until it is used.
///
/// In a batch's answer a body is a JSON text inside a JSON string: it stays an escaped slice of that
/// answer. No textual form of this type shows the contents.
public struct ResponseBody: Sendable {
  private enum Source {
    case absent
    /// A text of its own, which is returned without a copy.
    case whole([UInt8])
    case plain(ArraySlice<UInt8>)
    /// A JSON string of the answer, with its quotes and escapes.
    case string(ArraySlice<UInt8>)
    /// A text that was parsed and searched for secrets' names.
    case parsed(JSON.Document, mayContainSecret: Bool)
  }

  /// The longest accepted text, in bytes: 64 MiB.
  static let lengthLimit = 64 << 20
  /// The longest text that is kept parsed, in bytes; its tape may take eight times as much memory.
  private static let parsedLengthLimit = 1 << 16

  private let source: Source

  /// Makes a body from a text, usually JSON.
  public init(_ text: [UInt8]) { source = .whole(text) }

  package static let absent = ResponseBody(source: .absent)

  private init(source: Source) { self.source = source }

  /// Whether there is no body, as in a 304; an empty text is not absent.
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
    case .string(let string): JSON.Document.unescaped(string)
    case .parsed(let document, _): document.text
    }
  }

  /// How deep the text is nested if it was parsed as JSON in one line; nil if that is unknown.
  package var depth: Int? {
    if case .parsed(let document, _) = source, document.isCompact { document.depth } else { nil }
  }

  /// The result of ``Redaction/mayContainSecret(_:)``; nil if the text was not searched.
  package var mayContainSecret: Bool? {
    if case .parsed(_, let mayContain) = source { mayContain } else { nil }
  }

  /// The length in bytes, including escapes.
  package var count: Int { received.count }

  /// The stored bytes: of the answer, including escapes, or of the parsed body.
  private var received: ArraySlice<UInt8> {
    switch source {
    case .absent: []
    case .whole(let text): text[...]
    case .plain(let text): text
    case .string(let string): string.dropFirst().dropLast()
    case .parsed(let document, _): document.text[...]
    }
  }

  /// A body, and its problem if there is one.
  typealias Validated = (body: ResponseBody, problem: String?)

  /// Validates the body: it must be JSON, and neither too long nor nested too deeply.
  ///
  /// A short text is parsed here once; a longer one is only checked.
  func validated() -> Validated {
    switch source {
    case .absent: (self, UnusableAnswer.empty)
    // Anything but a string was validated with the whole answer.
    case .plain, .parsed: (self, nil)
    case .whole, .string: validated(text)
    }
  }

  /// Validates the body of an item: usually a JSON text inside a JSON string, absent if it is `null`.
  static func validated(_ member: Int, of items: JSONItems) -> Validated {
    let written = items.text(of: member)
    if let text = items.string(of: member) {
      return ResponseBody(source: .string(written)).validated(text)
    }
    let isNull = written.elementsEqual("null".utf8)
    return ResponseBody(source: isNull ? .absent : .plain(written)).validated()
  }

  private func validated(_ text: [UInt8]) -> Validated {
    guard text.count <= Self.lengthLimit else { return (self, UnusableAnswer.tooLong) }
    do {
      guard text.count <= Self.parsedLengthLimit else {
        try JSON.check(text)
        return (self, nil)
      }
      let document = try JSON.Document(parsing: text)
      let mayContain = Redaction.mayContainSecret(text)
      return (ResponseBody(source: .parsed(document, mayContainSecret: mayContain)), nil)
    } catch {
      let isEmpty = text.allSatisfy(UnusableAnswer.isSpace)
      return (self, isEmpty ? UnusableAnswer.empty : UnusableAnswer.text(for: text, error))
    }
  }

  /// Parses the body as JSON.
  ///
  /// - Throws: The first syntax error; an absent body is an empty text.
  public func json() throws(JSON.SyntaxError) -> JSON { try document().root }

  /// The body as a document, which queries walk without creating all values.
  package func document() throws(JSON.SyntaxError) -> JSON.Document {
    if case .parsed(let document, _) = source { return document }
    return try JSON.Document(parsing: text)
  }

  /// Whether the text may have a member whose name starts with `error`; if false, it has none.
  ///
  /// A long text is searched for the bytes, so that it is not parsed. In an escaped text, the quote
  /// before the name ends in the same byte, or is written as `\u0022`.
  var mayContainError: Bool {
    if case .parsed(let document, _) = source {
      return document.hasMember(startingWith: "error")
    }
    return received.withUnsafeBufferPointer { bytes in
      // Boyer-Moore-Horspool: the last of five bytes determines how far to skip.
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
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension ResponseBody: Confidential {
  /// The size, never the text.
  public var description: String { isAbsent ? "no body" : "\(received.count) bytes" }
}
