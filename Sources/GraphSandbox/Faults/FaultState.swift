/// The state of a sandbox's faults, which is part of the world.
struct FaultState: Sendable {
  /// A number of reads that still see earlier objects.
  struct Lag: Sendable {
    var reads: Int
    let objects: ObjectTable
  }

  var injector = FaultInjector(FaultPlan(), seed: 0)
  var lag: Lag?

  /// The objects that a read sees while a write lags; it counts as one of the reads.
  mutating func laggingObjects() -> ObjectTable? {
    guard let seen = lag, seen.reads > 0 else {
      lag = nil
      return nil
    }
    lag?.reads -= 1
    return seen.objects
  }
}
