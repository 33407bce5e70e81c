import GraphAPI

/// What became of the tokens that Graph would not take, and of what was sent with them.
///
/// Each profile's source is asked again once: a token that is refused a second time, or that the
/// source gives again, is dead. What has no source is dead at once.
struct TokenRecovery: Sendable {
  /// A profile whose source has to be asked again.
  struct Due: Sendable {
    let profile: String
    /// The token that is to be replaced.
    let token: AccessToken
    let trouble: TokenTrouble
    let failure: Failure
  }

  /// An instance that waits for another token.
  struct Waiting: Sendable {
    /// The token with which it failed.
    let token: AccessToken
    /// How it ends if there is no other.
    let ending: Ending
    let code: Int?
    /// How long the server wants to be left alone.
    let serverDelay: Duration?
  }

  /// Why Graph refused a token, for each that it did.
  private(set) var refused: [AccessToken: Failure] = [:]
  /// The profiles whose sources are to be asked again, in order.
  private(set) var due: [Due] = []
  /// The instances that wait for that.
  private(set) var waiting: [Int: Waiting] = [:]
  /// The profiles that have their second token.
  private var renewed: Set<String> = []
  /// The profiles whose sources were asked again though their tokens were good.
  private var unchanged: Set<String> = []

  /// Notes that nothing more is to be sent with a token.
  mutating func refuse(_ token: AccessToken, _ failure: Failure) {
    refused[token] = refused[token] ?? failure
  }

  /// Has a profile's source asked again; false if it was, as far as that could help.
  mutating func ask(_ due: Due) -> Bool {
    if let index = self.due.firstIndex(where: { $0.profile == due.profile }) {
      if due.trouble == .refused { self.due[index] = due }
      return true
    }
    guard due.trouble != .blocked, !renewed.contains(due.profile),
      due.trouble == .refused || !unchanged.contains(due.profile)
    else { return false }
    self.due.append(due)
    return true
  }

  /// Whether a profile's source is about to be asked.
  func isDue(_ profile: String) -> Bool {
    due.contains { $0.profile == profile }
  }

  /// Takes out what was asked of a profile's source.
  mutating func takeDue(_ profile: String) -> Due? {
    due.firstIndex { $0.profile == profile }.map { due.remove(at: $0) }
  }

  /// Notes what a profile's source has given.
  mutating func note(_ outcome: TokenReading.Outcome, of profile: String) {
    if outcome == .renewed { renewed.insert(profile) } else { unchanged.insert(profile) }
  }

  mutating func hold(_ instance: Int, _ waiting: Waiting) {
    self.waiting[instance] = waiting
  }

  mutating func release(_ instance: Int) {
    waiting[instance] = nil
  }
}
