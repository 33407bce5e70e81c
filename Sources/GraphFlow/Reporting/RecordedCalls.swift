internal import JSONPath

/// The HTTP calls of a run, and the operations of those that have not ended.
struct RecordedCalls: Sendable {
  /// The calls, in the order in which they started; empty after ``discardCalls()``.
  private(set) var calls: [Report.Call] = []
  /// The number of calls of each kind.
  private(set) var counts: [CallKind: Int] = [:]
  /// The first pauses.
  private(set) var pauses: [Report.Pause] = []
  private static let pauseLimit = 1000
  /// The versions in which Graph has answered others, each pair once.
  private(set) var otherVersions: [VersionAnswer] = []
  private var latest = Timestamp(milliseconds: 0)
  private var indices: [Int: Int] = [:]
  /// The operations of each call that has not ended, by its number.
  private var operationsInFlight: [Int: [AttemptID]] = [:]
  private var keepsCalls = true

  /// Adds a call; returns the requests that it carries.
  mutating func add(_ start: CallStart) -> [AttemptID] {
    latest = max(latest, start.startedAt)
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
    for pair in end.otherVersions where !otherVersions.contains(pair) {
      otherVersions.append(pair)
    }
    if let index = indices[end.number] {
      calls[index].end = end
      let time = calls[index].start.startedAt.milliseconds
        .addingReportingOverflow(end.durationMilliseconds)
      if !time.overflow { latest = max(latest, Timestamp(milliseconds: time.partialValue)) }
    }
    return operationsInFlight.removeValue(forKey: end.number) ?? []
  }

  mutating func add(_ pause: QuotaPause) {
    guard pauses.count < RecordedCalls.pauseLimit else { return }
    pauses.append(Report.Pause(from: latest, until: pause.until, cause: pause.cause))
  }

  mutating func discardCalls() {
    keepsCalls = false
    calls = []
    indices = [:]
  }
}

extension JSON {
  /// The largest percentage in the usage that a call reports; times are none.
  var largestUse: Double? {
    switch self {
    case .number(let number): number.double
    case .object(let members):
      members.lazy.filter { !$0.name.hasSuffix("_seconds") }.compactMap(\.value.largestUse).max()
    case .array(let elements): elements.lazy.compactMap(\.largestUse).max()
    case .string, .bool, .null: nil
    }
  }
}
