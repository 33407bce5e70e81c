/// The calls of a journal whose ends have not been read yet.
struct OpenCalls {
  private var open: [Int: (start: CallStart, attempts: [AttemptID])] = [:]
  private var ended: Set<Int> = []
  private var latest: [Try: Int] = [:]

  /// One try, wherever its item stands by now.
  private struct Try: Hashable {
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
      // An attempt that is made again was none the last time.
      if let earlier = latest.updateValue(call.number, forKey: Try(attempt)) {
        recordAttemptEnd(attempt, ofCall: earlier)
      }
    }
  }

  mutating func recordCallEnd(_ number: Int) {
    if open[number] != nil { ended.insert(number) }
  }

  mutating func recordAttemptEnd(_ attempt: AttemptID, ofCall number: Int) {
    let over = Try(attempt)
    if latest[over] == number { latest[over] = nil }
    open[number]?.attempts.removeAll { Try($0) == over }
    if open[number]?.attempts.isEmpty == true {
      open[number] = nil
      ended.remove(number)
    }
  }

  /// Operations of answered calls that Graph did not run, and pages and askings that were not the
  /// last.
  func notRun() -> [AttemptID] {
    open.filter { ended.contains($0.key) }.sorted { $0.key < $1.key }.flatMap(\.value.attempts)
  }

  /// Operations of calls that were never answered, with the call.
  func interrupted() -> [(attempt: AttemptID, call: CallStart)] {
    open.filter { !ended.contains($0.key) }.sorted { $0.key < $1.key }.flatMap { _, call in
      call.attempts.map { ($0, call.start) }
    }
  }
}
