extension Workflow {
  /// The check whether a write took effect whose answer was lost: `confirm`.
  package struct Confirmation: Hashable, Sendable {
    /// The path of the GET that checks.
    package let path: Template
    /// Its parameters, in the order written.
    package let params: [Parameter]
    /// Selects the node that the write created: exactly one match means that it took effect.
    package let match: NodeSelection
    /// Selects what becomes the request's body; nil for the matching node itself.
    package let result: NodeSelection?
    /// How long reads may lag behind writes: until then, finding nothing proves nothing.
    package let within: Duration
    /// The place of `confirm`.
    package let location: SourceLocation

    /// Its placeholders, in the order written.
    package var placeholders: [Placeholder] {
      path.placeholders + params.flatMap(\.value.placeholders) + match.expression.placeholders
        + (result?.expression.placeholders ?? [])
    }
  }
}
