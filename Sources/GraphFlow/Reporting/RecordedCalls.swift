/// The HTTP calls of a run, and the operations of those that have not ended.
struct RecordedCalls: Sendable {
  /// The calls, in the order in which they started; empty after ``discardCalls()``.
  private(set) var calls: [Report.Call] = []
  /// The number of calls of each kind.
  private(set) var counts: [CallKind: Int] = [:]
  private var indices: [Int: Int] = [:]
  /// The operations of each call that has not ended, by its number.
  private var operationsInFlight: [Int: [AttemptID]] = [:]
  private var keepsCalls = true

  /// Adds a call; returns the requests that it carries.
  mutating func add(_ start: CallStart) -> [AttemptID] {
    if keepsCalls {
      indices[start.number] = calls.count
      calls.append(Report.Call(start: start))
    }
    counts[start.kind, default: 0] += 1
    guard start.kind.carriesOperations else { return [] }
    operationsInFlight[start.number] = start.operations
    return start.operations
  }

  /// Ends a call; returns the requests that it carried.
  mutating func finish(_ end: CallEnd) -> [AttemptID] {
    if let index = indices[end.number] { calls[index].end = end }
    return operationsInFlight.removeValue(forKey: end.number) ?? []
  }

  mutating func discardCalls() {
    keepsCalls = false
    calls = []
    indices = [:]
  }
}
