/// The faults of a sandbox, as rules; the first rule that applies decides.
package struct FaultPlan: Hashable, Sendable {
  /// In order; every rule counts its matches, even if an earlier one decides.
  package var rules: [FaultRule]
  /// The seed for random faults; nil: the sandbox's seed.
  package var seed: UInt64?

  package init(_ rules: [FaultRule] = [], seed: UInt64? = nil) {
    self.rules = rules
    self.seed = seed
  }
}
