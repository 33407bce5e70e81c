public import JSONPath

/// One hole in a template or operand of an expression: `{result=…}`, `{input=…}` and their like.
public struct Placeholder: Hashable, Sendable {
  /// What fills it.
  public enum Kind: Hashable, Sendable {
    /// Part of another request's body.
    case result(Reference)
    /// An input's value.
    case input(InputName)
    /// Part of the current item of a `for_each`; `$` for the whole item.
    case item(Query)
    /// The position of the current item, from 0.
    case index
    /// The run's id.
    case runID
    /// When the run started: RFC 3339, UTC.
    case runStartedAt
  }

  /// What fills it.
  public let kind: Kind
  /// What is taken where the query selects nothing: `| DEFAULT`.
  public let defaultValue: JSON?
  /// The placeholder as written, with its braces.
  public let text: String
  /// Where it stands.
  public let location: SourceLocation

  /// The reference, if another request's body fills it.
  public var reference: Reference? {
    guard case .result(let reference) = kind else { return nil }
    return reference
  }

  /// Whether at most one value can fill it: everything but a query that is not singular
  /// (RFC 9535 §2.3.5.1).
  public var isSingular: Bool {
    switch kind {
    case .result(let reference): reference.query.isSingular
    case .item(let query): query.isSingular
    case .input, .index, .runID, .runStartedAt: true
    }
  }
}
