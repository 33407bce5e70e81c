/// Which operations a fault is about, and at which of them it happens.
package struct FaultCondition: Hashable, Sendable {
  /// At which of all that match it happens.
  package enum Occasion: Hashable, Sendable {
    /// At each.
    case always
    /// At one only, counted from 1.
    case nth(Int)
    /// At each whose number is a multiple.
    case everyNth(Int)
    /// At the first ones.
    case first(Int)
    /// By chance, with this probability from 0 to 1; the same for the same seed and calls.
    case chance(Double)
  }

  /// nil: any.
  package var method: GraphMethod?
  /// nil: any.
  package var path: PathPattern?
  /// The operation's name in its batch; nil: any or none.
  package var name: String?
  /// How long after the sandbox's first call it begins; what comes earlier is not counted.
  package var delay: Duration
  /// At which of all that match.
  package var occasion: Occasion

  /// Makes a condition; without arguments every operation meets it.
  package init(
    method: GraphMethod? = nil,
    path: PathPattern? = nil,
    name: String? = nil,
    delay: Duration = .zero,
    occasion: Occasion = .always
  ) {
    self.method = method
    self.path = path
    self.name = name
    self.delay = delay
    self.occasion = occasion
  }

  /// Whether the condition says something about operations, so that a call needs one to meet it.
  var needsOperation: Bool { method != nil || path != nil || name != nil }

  func matches(_ operation: FaultSubject) -> Bool {
    if let method, method.rawValue != operation.method { return false }
    if let name, name != operation.name { return false }
    return path?.matches(operation.path) ?? true
  }
}
