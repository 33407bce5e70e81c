/// Whose limit a throttle is about.
///
/// Source: Graph API, "Rate Limits".
package enum ThrottleScope: Hashable, Sendable {
  /// Everything that the app asks for.
  case app
  /// What is asked for with one token.
  case token
  /// What is asked for about one business object or ad account.
  case business

  /// The scope of an error's code; that of a token where the code says nothing.
  package init(code: Int?) {
    switch code {
    case 4, 341: self = .app
    case .some(80_000...80_014): self = .business
    default: self = .token
    }
  }
}
