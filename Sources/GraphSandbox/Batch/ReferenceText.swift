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
