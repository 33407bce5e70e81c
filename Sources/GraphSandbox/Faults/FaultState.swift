/// The state of a sandbox's faults, which is part of the world.
struct FaultState: Sendable {
  /// A number of reads that still see earlier objects.
  struct Lag: Sendable {
    var reads: Int
    let objects: ObjectTable
  }

  var injector = FaultInjector(FaultPlan(), seed: 0)
  var lag: Lag?
}
