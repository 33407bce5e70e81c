/// The calls of a journal that were started, and whose results have not been replayed yet.
struct OpenCalls {
  private var open: [Int: (start: CallStart, attempts: [AttemptID])] = [:]
  private var ended: Set<Int> = []
  private var latest: [AttemptKey: Int] = [:]

  /// An attempt, whatever the current position of its item.
  private struct AttemptKey: Hashable {
    let id: InstanceID
    let number: Int

    init(_ attempt: AttemptID) {
      id = InstanceID(attempt)
      number = attempt.number
    }
  }

  mutating func recordStart(of call: CallStart) {
    guard !call.operations.isEmpty else { return }
    open[call.number] = (call, call.operations)
    for attempt in call.operations {
      // An attempt number is used again if Graph did not run the earlier attempt.
      if let earlier = latest.updateValue(call.number, forKey: AttemptKey(attempt)) {
        recordAttemptEnd(attempt, ofCall: earlier)
      }
    }
  }

  mutating func recordCallEnd(_ number: Int) { if open[number] != nil { ended.insert(number) } }

  mutating func recordAttemptEnd(_ attempt: AttemptID, ofCall number: Int) {
    let key = AttemptKey(attempt)
    if latest[key] == number { latest[key] = nil }
    open[number]?.attempts.removeAll { AttemptKey($0) == key }
    if open[number]?.attempts.isEmpty == true {
      open[number] = nil
      ended.remove(number)
    }
  }

  /// Operations of answered calls that do not count as attempts.
  ///
  /// Graph did not run them, or their answer was a page or a poll before the last.
  func notRun() -> [AttemptID] {
    open.filter { ended.contains($0.key) }.sorted { $0.key < $1.key }.flatMap(\.value.attempts)
  }

  /// Operations of calls that were never answered, each with its call.
  func interrupted() -> [(attempt: AttemptID, call: CallStart)] {
    open.filter { !ended.contains($0.key) }.sorted { $0.key < $1.key }.flatMap { _, call in
      call.attempts.map { ($0, call.start) }
    }
  }
}
