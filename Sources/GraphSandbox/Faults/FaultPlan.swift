/// The faults of a sandbox: rules, of which the first that applies decides.
package struct FaultPlan: Hashable, Sendable {
  /// In order; every rule counts what it matches, also where an earlier one decides.
  package var rules: [FaultRule]
  /// Decides what happens by chance; nil: the sandbox's seed.
  package var seed: UInt64?

  /// Makes a plan; without rules nothing goes wrong.
  package init(_ rules: [FaultRule] = [], seed: UInt64? = nil) {
    self.rules = rules
    self.seed = seed
  }
}
