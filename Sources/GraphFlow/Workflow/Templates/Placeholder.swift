internal import GraphAPI
package import JSONPath

/// A placeholder in a template or expression: `{result=…}`, `{input=…}` and so on.
///
/// It is boxed, because it is copied out of its template for every value.
package typealias Placeholder = Box<PlaceholderFacts>

/// What a placeholder stands for, and how and where it is written.
package struct PlaceholderFacts: Hashable, Sendable {
  /// The source of its value.
  package enum Kind: Hashable, Sendable {
    case result(Reference)
    case input(InputName)
    /// Part of the current item of a `for_each`; `$` for the whole item.
    case item(Query)
    case index
    /// Part of the current row of an output with `rows`; `$` for the whole row.
    case row(Query)
    case runID
    /// When the run started: RFC 3339, UTC.
    case runStartedAt
    /// A date or time, counted from the run's start.
    case date(DateExpression)
  }

  package let kind: Kind
  /// The references in the filters of its query, which make it a look-up; the ids of the query's
  /// operands are indices into this list.
  package let operands: [Placeholder]
  /// The value if the query selects nothing: `| DEFAULT`.
  package let defaultValue: JSON?
  /// The placeholder as written, with its braces.
  package let text: String
  package let location: SourceLocation
  /// The name of the item's member that it stands for; nil if its query has another form, or may
  /// select a secret.
  let itemMember: String?

  init(
    kind: Kind, operands: [Placeholder], defaultValue: JSON?, text: String,
    location: SourceLocation
  ) {
    self.kind = kind
    self.operands = operands
    self.defaultValue = defaultValue
    self.text = text
    self.location = location
    if case .item(let query) = kind, let names = query.names, names.count == 1,
      !Redaction.isSecretName(names[0])
    {
      itemMember = names[0]
    } else {
      itemMember = nil
    }
  }

  package var reference: Reference? {
    guard case .result(let reference) = kind else { return nil }
    return reference
  }

  var query: Query? {
    switch kind {
    case .result(let reference): reference.query
    case .item(let query), .row(let query): query
    case .input, .index, .runID, .runStartedAt, .date: nil
    }
  }

  /// Whether it has at most one value: its query, if any, is a look-up or singular (RFC 9535
  /// §2.3.5.1).
  package var isSingular: Bool { isLookup || query?.isSingular ?? true }
  /// Whether its query finds a value by that of another reference.
  package var isLookup: Bool { !operands.isEmpty }
  /// Whether its query is written to select several nodes.
  var selectsSeveral: Bool { query?.selectsSeveral ?? false }
}

/// The target of `{result=NAME:QUERY}`: part of another request's body.
package struct Reference: Hashable, Sendable {
  /// The index of the request among the workflow's requests.
  package let request: Int
  package let name: String
  /// The query of its body; `$` for the form without a query.
  package let query: Query
}

/// The name of an input: a letter or `_`, then up to 63 letters, digits, `_` or `-`.
package struct InputName: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let text: String

  package init?(_ text: String) {
    guard WorkflowName.isWellFormed(text) else { return nil }
    self.text = text
  }

  package var description: String { text }

  /// The environment variable that may hold its value: `page-id` is `GRAPHFLOW_INPUT_PAGE_ID`.
  package var environmentVariable: String {
    "GRAPHFLOW_INPUT_" + String(text.uppercased().map { $0 == "-" ? "_" : $0 })
  }

  package static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}
