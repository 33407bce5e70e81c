package import JSONPath

/// One hole in a template or operand of an expression: `{result=…}`, `{input=…}` and their like.
package struct Placeholder: Hashable, Sendable {
  /// What fills it.
  package enum Kind: Hashable, Sendable {
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

  /// Behind one reference: every value that is filled in takes the placeholder out of its template.
  private indirect enum Facts: Hashable, Sendable {
    case all(Kind, defaultValue: JSON?, text: String, SourceLocation)
  }

  private let facts: Facts

  init(kind: Kind, defaultValue: JSON?, text: String, location: SourceLocation) {
    facts = .all(kind, defaultValue: defaultValue, text: text, location)
  }

  /// What fills it.
  package var kind: Kind {
    switch facts {
    case .all(let kind, _, _, _): kind
    }
  }

  /// What is taken where the query selects nothing: `| DEFAULT`.
  package var defaultValue: JSON? {
    switch facts {
    case .all(_, let value, _, _): value
    }
  }

  /// The placeholder as written, with its braces.
  package var text: String {
    switch facts {
    case .all(_, _, let text, _): text
    }
  }

  /// Where it stands.
  package var location: SourceLocation {
    switch facts {
    case .all(_, _, _, let location): location
    }
  }

  /// The reference, if another request's body fills it.
  package var reference: Reference? {
    guard case .result(let reference) = kind else { return nil }
    return reference
  }

  /// What selects its value in a body or item.
  private var query: Query? {
    switch kind {
    case .result(let reference): reference.query
    case .item(let query): query
    case .input, .index, .runID, .runStartedAt: nil
    }
  }

  /// Whether at most one value can fill it: everything but a query that is not singular
  /// (RFC 9535 §2.3.5.1).
  package var isSingular: Bool { query?.isSingular ?? true }

  /// Whether its query is written to select several nodes.
  var selectsSeveral: Bool { query?.selectsSeveral ?? false }
}
