import GraphFlow

extension Story {
  /// What a run takes over from an earlier one.
  struct Inheritance: Sendable {
    /// The part of the workflow that is sent, and what it depends on.
    let workflow: Workflow
    let origin: EarlierOutcomes
    let ends: [RequestEnd]
  }

  /// Begins a run at a request or group, as `run --from` does, with the results of the last one.
  ///
  /// - Returns: false if the last run has not what it needs; then the product refuses, too.
  mutating func begin(_ rerun: World.Rerun) -> Bool {
    // The read of all pages is not in the file.
    let names = world.sketch.outerNames
    let name = names[rerun.place % names.count]
    guard let next = checker.checker(ofRunFrom: name), let part = reading(.from([name])),
      let events = try? store.events(), case .runStarted(let start)? = events.first
    else { return false }
    let places = Dictionary(
      part.requests.enumerated().map { ($1.displayName, $0) },
      uniquingKeysWith: { first, _ in first })
    let ends = events.compactMap { event -> RequestEnd? in
      guard case .requestEnded(var end) = event,
        let place = places[start.requests[end.request].name],
        part.conduct.given.contains(place)
      else { return nil }
      end.request = place
      return end
    }
    inheritance = Inheritance(
      workflow: part, origin: EarlierOutcomes(names: [name], run: start.id), ends: ends)
    begin(checkedBy: next, after: .seconds(3 * 3600), stream: 16)
    reach([.rerunStarted])
    return true
  }

  /// Begins another run after a time, with a journal of its own; the stream is that of its disk.
  mutating func begin(checkedBy next: Checker, after pause: Duration, stream: UInt64) {
    approval = .sent
    earlierUsefulness = usefulness
    checker = next
    time += pause
    store = Store(SeededGenerator(world.seed, stream: stream), machine: Machine(at: time))
    server.beginRun()
    isHealed = false
  }
}
