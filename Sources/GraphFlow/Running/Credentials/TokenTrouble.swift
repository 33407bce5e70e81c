import GraphAPI

/// What an error means for the token that was sent.
enum TokenTrouble: Hashable, Sendable {
  /// Graph no longer accepts the token; a new one may work.
  case refused
  /// Graph does not accept the token until a person has signed in and fixed the account.
  case blocked
  /// The token is valid, but not for this request; another one may work.
  case insufficient

  /// Classifies an error; nil if it is not about the token.
  ///
  /// A 190 that only says that the edge needs another kind of token does not make this one invalid:
  /// other requests may succeed with it.
  init?(_ failure: Failure) {
    switch (failure.category, failure.reason) {
    case (.recoverable, .token):
      self = failure.error.message.contains("must be called with") ? .insufficient : .refused
    case (.recoverable, _): self = .insufficient
    case (.other, .token) where Self.accountSubcodes.contains(failure.error.subcode ?? 0):
      self = .blocked
    default: return nil
    }
  }

  /// The subcodes for a checkpoint, an unconfirmed account, and a login that needs a further step.
  ///
  /// Source: Graph API, "Handle Errors"; 490 is in users' reports only.
  private static let accountSubcodes: Set<Int> = [459, 464, 490]
}
