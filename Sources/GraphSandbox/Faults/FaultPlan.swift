/// The faults of a sandbox: rules, of which the first that applies decides.
public struct FaultPlan: Hashable, Sendable {
  /// In order; every rule counts what it matches, also where an earlier one decides.
  public var rules: [FaultRule]
  /// Decides what happens by chance; nil: the sandbox's seed.
  public var seed: UInt64?

  /// Makes a plan; without rules nothing goes wrong.
  public init(_ rules: [FaultRule] = [], seed: UInt64? = nil) {
    self.rules = rules
    self.seed = seed
  }
}
