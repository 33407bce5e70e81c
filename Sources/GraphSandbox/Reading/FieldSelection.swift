/// What `fields` asks for: `id,posts.limit(5).as(recent){message,from{name}}` (docs/graph-api.md,
/// Reading).
struct FieldSelection: Sendable {
  struct Field: Sendable {
    let name: String
    /// The edge of that name, if there is one.
    let edge: Edge?
    /// `.limit(5)` and the like, as parameters.
    var modifiers = Parameters()
    var selection: FieldSelection?

    init(name: String) {
      self.name = name
      edge = Edge(rawValue: name)
    }

    /// The name in the answer.
    var outputName: String { modifiers["as"] ?? name }
  }

  let fields: [Field]
  /// As written; `paging` repeats it.
  let text: String

  /// How deep braces may nest.
  static let depthLimit = 16

  /// Reads the value of `fields`; nil where it is absent or empty.
  static func reading(_ text: String?) throws(GraphFault) -> FieldSelection? {
    guard let text, !text.isEmpty else { return nil }
    var parser = FieldSelectionParser(text)
    return try parser.selection()
  }
}
