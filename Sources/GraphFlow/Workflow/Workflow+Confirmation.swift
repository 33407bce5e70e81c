extension Workflow {
  /// How to find out whether a write happened whose answer never came: `confirm`.
  package struct Confirmation: Hashable, Sendable {
    /// The path that is looked at, with a GET.
    package let path: Template
    /// Its parameters, in the order in which they are written.
    package let params: [Parameter]
    /// Selects the nodes that the write has made: exactly one means that it happened.
    package let match: NodeSelection
    /// Selects what becomes the request's body; nil for the matching node itself.
    package let result: NodeSelection?
    /// How long reads may lag behind writes: until then, finding nothing proves nothing.
    package let within: Duration
    /// Where `confirm` stands.
    package let location: SourceLocation

    /// Every placeholder in it, in the order in which it is written.
    package var placeholders: [Placeholder] {
      path.placeholders + params.flatMap(\.value.placeholders) + match.expression.placeholders
        + (result?.expression.placeholders ?? [])
    }
  }
}
