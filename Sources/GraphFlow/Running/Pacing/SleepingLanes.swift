/// The packed requests that wait because of the limits of their lanes alone.
///
/// They are packed again when their lanes may send, so the requests of other lanes do not wait.
struct SleepingLanes: Sendable {
  private struct Sleeper: Sendable {
    let hold: Pace.Hold
    /// In the order in which they are sent.
    var instances: ArraySlice<Int>
  }

  private var sleepers: [Sleeper] = []

  var isEmpty: Bool { sleepers.isEmpty }
  var count: Int { sleepers.reduce(0) { $0 + $1.instances.count } }
  var instances: [Int] { sleepers.flatMap(\.instances) }
  /// Why each of the lanes waits.
  var holds: some Sequence<Pace.Hold> { sleepers.lazy.map(\.hold) }

  /// Adds an instance of the only lane of a hold.
  mutating func add(_ instance: Int, _ hold: Pace.Hold) {
    let index = sleepers.firstIndex {
      $0.hold.lanes == hold.lanes && $0.hold.isCleanUp == hold.isCleanUp
    }
    if let index {
      sleepers[index].instances.append(instance)
    } else {
      sleepers.append(Sleeper(hold: hold, instances: [instance]))
    }
  }

  /// Removes and returns the instances for which the function returns true.
  mutating func removeAll(where isRemoved: (Int) -> Bool) -> [Int] {
    let removed = sleepers.flatMap { $0.instances.filter(isRemoved) }
    for index in sleepers.indices { sleepers[index].instances.removeAll(where: isRemoved) }
    sleepers.removeAll(where: \.instances.isEmpty)
    return removed
  }

  /// Removes and returns the instances that may be sent, as many of each lane as the function says.
  mutating func wake(_ count: (inout Pace.Hold) -> Int) -> [Int] {
    var awake: [Int] = []
    sleepers = sleepers.compactMap { sleeper in
      var hold = sleeper.hold
      let woken = sleeper.instances.prefix(count(&hold))
      awake += woken
      let rest = sleeper.instances.dropFirst(woken.count)
      return rest.isEmpty ? nil : Sleeper(hold: hold, instances: rest)
    }
    return awake
  }
}
