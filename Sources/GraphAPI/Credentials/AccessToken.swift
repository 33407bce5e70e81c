/// A token that Graph accepts as proof of who is asking.
///
/// It does not print itself: every textual form and the mirror are `***`, and it is not `Codable`.
public struct AccessToken: Hashable, Sendable {
  private let text: String

  /// Makes a token of its text; nil if that is empty or holds white space or control characters.
  public init?(_ text: String) {
    guard Secret.isPlausible(text) else { return nil }
    self.text = text
  }

  /// The token itself, and the only way to it, so that every use can be found by this name.
  public var exposed: String { text }
}

extension AccessToken: Confidential {
  /// Three stars.
  public var description: String { Secret.mask }
}
