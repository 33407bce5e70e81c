/// A decoded value that may hold references to earlier answers: `{result=name:$.path}`.
///
/// References are searched for in decoded values (docs/internals/graph-api.md, References and
/// decision 15). The inserted text is neither decoded again nor searched for references.
enum ReferenceText: Sendable {
  case plain(String)
  case pieces([Piece])

  enum Piece: Sendable {
    case text(String)
    case reference(name: String, path: GoessnerPath?)
  }

  init(_ text: String) {
    guard text.utf8.contains(UInt8(ascii: "{")) else {
      self = .plain(text)
      return
    }
    self = ReferenceScanner(text).scanned
  }

  var hasReferences: Bool { if case .pieces = self { true } else { false } }

  func replacingReferences(_ text: (_ name: String, _ path: GoessnerPath?) -> String) -> String {
    switch self {
    case .plain(let plain): plain
    case .pieces(let pieces):
      pieces.map { piece in
        switch piece {
        case .text(let literal): literal
        case .reference(let name, let path): text(name, path)
        }
      }.joined()
    }
  }

  var names: [String] {
    guard case .pieces(let pieces) = self else { return [] }
    return pieces.compactMap { piece in
      guard case .reference(let name, _) = piece else { return nil }
      return name
    }
  }
}

/// Finds the references in a text.
struct ReferenceScanner {
  private static let opening = Array("{result=".utf8)
  /// The longest path, in bytes.
  private static let pathLimit = 4_096
  private let text: String
  private let bytes: [UInt8]

  init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8)
  }

  var scanned: ReferenceText {
    var pieces: [ReferenceText.Piece] = []
    var literalStart = 0
    var position = 0
    while let found = bytes.firstRange(of: Self.opening, from: position) {
      position = found.upperBound
      guard let (name, path, end) = reference(at: found.upperBound) else { continue }
      if literalStart < found.lowerBound {
        pieces.append(.text(string(literalStart..<found.lowerBound)))
      }
      pieces.append(.reference(name: name, path: GoessnerPath(path)))
      literalStart = end
      position = end
    }
    guard !pieces.isEmpty else { return .plain(text) }
    if literalStart < bytes.count { pieces.append(.text(string(literalStart..<bytes.count))) }
    return .pieces(pieces)
  }

  /// Reads `name:path}`; nil if it is anything else, which stays unchanged.
  private func reference(at start: Int) -> (name: String, path: String, end: Int)? {
    guard let colon = bytes[start...].firstIndex(where: Self.endsName),
      bytes[colon] == UInt8(ascii: ":"), colon > start,
      let end = pathEnd(from: colon + 1)
    else { return nil }
    return (string(start..<colon), string(colon + 1..<end), end + 1)
  }

  /// The first `}` outside brackets and the quotes inside them.
  private func pathEnd(from start: Int) -> Int? {
    var depth = 0
    var quote: UInt8?
    var index = start
    // Without a limit, many openings without an end would take quadratic time.
    let limit = min(bytes.count, start + Self.pathLimit)
    while index < limit {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "\\") where quote != nil: index += 1
      case _ where byte == quote: quote = nil
      case _ where quote != nil: break
      case UInt8(ascii: "'") where depth > 0, UInt8(ascii: "\"") where depth > 0: quote = byte
      case UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "}") where depth <= 0: return index
      default: break
      }
      index += 1
    }
    return nil
  }

  private func string(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  /// Whether a byte cannot be part of a name (docs/internals/graph-api.md, decision 10).
  static func endsName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ":"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "="): true
    case 32, 9...13: true
    default: false
    }
  }
}
