extension Workflow {
  /// How to find out whether a write happened whose answer never came: `confirm`.
  public struct Confirmation: Hashable, Sendable {
    /// The path that is looked at, with a GET.
    public let path: Template
    /// Its parameters, in the order in which they are written.
    public let params: [Parameter]
    /// Selects the nodes that the write has made: exactly one means that it happened.
    public let match: NodeSelection
    /// Selects what becomes the request's body; nil for the matching node itself.
    public let result: NodeSelection?
    /// How long reads may lag behind writes: until then, finding nothing proves nothing.
    public let within: Duration
    /// Where `confirm` stands.
    public let location: SourceLocation

    /// Every placeholder in it, in the order in which it is written.
    public var placeholders: [Placeholder] {
      path.placeholders + params.flatMap(\.value.placeholders) + match.expression.placeholders
        + (result?.expression.placeholders ?? [])
    }
  }
}
