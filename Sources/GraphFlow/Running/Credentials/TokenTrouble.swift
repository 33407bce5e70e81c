import GraphAPI

/// What an error says of the token that was sent.
enum TokenTrouble: Hashable, Sendable {
  /// Graph takes the token no more; a new one may do.
  case refused
  /// Graph takes the token no more until a person has signed in and mended the account.
  case blocked
  /// The token is good, but not for this: another one may do.
  case insufficient

  /// Reads an error; nil if it says nothing of the token.
  ///
  /// A 190 that only says that the edge wants another kind of token is no word on this one: what
  /// else is sent with it may succeed.
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

  /// The person is held up at a checkpoint, is unconfirmed, or has to sign in with more.
  ///
  /// Source: Graph API, "Handle Errors"; 490 is in users' reports only.
  private static let accountSubcodes: Set<Int> = [459, 464, 490]
}
