/// The value of `fields`: `id,posts.limit(5).as(recent){message,from{name}}`
/// (docs/internals/graph-api.md, Reading).
struct FieldSelection: Sendable {
  struct Field: Sendable {
    let name: String
    /// The types that have a field of this name.
    let holders: [NodeType]
    let edge: Edge?
    /// Modifiers such as `.limit(5)`, as parameters.
    let modifiers: Parameters
    let selection: FieldSelection?
    /// The name in the answer.
    let outputName: String

    init(name: String, modifiers: Parameters = Parameters(), selection: FieldSelection? = nil) {
      self.name = name
      self.modifiers = modifiers
      self.selection = selection
      holders = NodeType.holders[name] ?? []
      edge = Edge.named[name]
      outputName = modifiers["as"] ?? name
    }
  }

  let fields: [Field]
  /// As written; `paging` repeats it.
  let text: String

  /// How deep braces may nest.
  static let depthLimit = 16

  /// Reads the value of `fields`; nil if it is absent or empty.
  static func reading(_ text: String?) throws(GraphFault) -> FieldSelection? {
    guard let text, !text.isEmpty else { return nil }
    var parser = FieldSelectionParser(text)
    return try parser.selection()
  }
}
