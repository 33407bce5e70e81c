/// The scope of a rate limit: the calls that count against it.
///
/// Source: Graph API, "Rate Limits".
package enum ThrottleScope: String, Hashable, Sendable {
  /// All calls of the app.
  case app
  /// The calls with one token.
  case token
  /// The calls for one business object or ad account.
  case business

  /// The scope of an error; `token` for any other code.
  package init(of error: GraphError) {
    switch (error.effectiveCode, error.subcode) {
    case (4, _), (341, _): self = .app
    case (.some(80_000...80_014), _), (_, 2_446_079): self = .business
    default: self = .token
    }
  }
}
