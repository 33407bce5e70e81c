/// What the faults of a sandbox have come to: part of the world.
struct FaultState: Sendable {
  /// Reads that still see an earlier world.
  struct Lag: Sendable {
    var reads: Int
    let objects: ObjectTable
  }

  var course = FaultCourse(FaultPlan(), seed: 0)
  var lag: Lag?
}
