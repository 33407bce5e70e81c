/// The operations that a fault matches, and the matches at which it happens.
package struct FaultCondition: Hashable, Sendable {
  /// The matches at which a fault happens.
  package enum Occasion: Hashable, Sendable {
    case always
    /// Only the match with this number, counted from 1.
    case nth(Int)
    /// Every match with a number that is a multiple.
    case everyNth(Int)
    case first(Int)
    /// At random, with this probability from 0 to 1; the same for the same seed and calls.
    case chance(Double)
  }

  /// nil: any.
  package var method: GraphMethod?
  package var path: PathPattern?
  /// The operation's name in its batch; nil: any or none.
  package var name: String?
  /// The time from the sandbox's first call until matches count.
  package var delay: Duration
  package var occasion: Occasion

  /// Makes a condition; without arguments it matches every operation.
  package init(
    method: GraphMethod? = nil, path: PathPattern? = nil, name: String? = nil,
    delay: Duration = .zero, occasion: Occasion = .always
  ) {
    self.method = method
    self.path = path
    self.name = name
    self.delay = delay
    self.occasion = occasion
  }

  /// Whether the condition restricts operations, so that a call without operations never matches.
  var needsOperation: Bool { method != nil || path != nil || name != nil }

  func matches(_ operation: FaultSubject) -> Bool {
    if let method, method.rawValue != operation.method { return false }
    if let name, name != operation.name { return false }
    return path?.matches(operation.path) ?? true
  }
}
