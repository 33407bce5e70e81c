import JSONPath

/// A recording that is being replayed: answers calls with what was recorded, operation by operation.
///
/// Operations that were recorded several times are answered in the recorded order; a read that goes
/// on asking gets the last answer again. What was not recorded is an error in the sandbox's words.
struct Replay: Sendable {
  private let recording: Recording
  /// How many answers of an operation, or of a batch as a whole, were given.
  private var given: [OperationKey: Int] = [:]
  private var givenBatches: [[OperationKey]: Int] = [:]
  /// Keys in which secrets were masked, by their outline.
  private let masked: [OperationKey: [OperationKey]]
  private var callCount = 0

  init(_ recording: Recording) {
    self.recording = recording
    masked = Dictionary(grouping: recording.operations.keys.filter(\.isMasked), by: \.outline)
      .mapValues { $0.sorted { $0.description < $1.description } }
  }

  /// Answers a call, and says what to log of it.
  mutating func answer(_ call: GraphCall, at time: Int) -> (HTTPAnswer, SandboxCall) {
    callCount += 1
    var log = SandboxCall(number: callCount, call, at: time)
    let answer =
      switch call.kind {
      case .single(let request): self.answer(request, &log)
      case .batch(let batch): self.answer(batch, &log)
      case .refused(let fault): Self.error(fault.message, status: fault.status)
      }
    log.status = answer.status
    return (answer, log)
  }

  private mutating func answer(_ request: GraphRequest, _ log: inout SandboxCall) -> HTTPAnswer {
    let key = OperationKey(request)
    let answer = next(key)?.answer ?? Self.notRecorded(key)
    log.operations = [.init(request, code: answer.status)]
    return answer
  }

  private mutating func answer(_ batch: BatchCall, _ log: inout SandboxCall) -> HTTPAnswer {
    let openKeys = BatchKeys()
    let key = batch.items.map { openKeys.key(of: $0) }
    if let whole = nextWhole(key)?.answer {
      log.operations = batch.items.map { .init($0) }
      return whole
    }
    var keys = BatchKeys()
    var items: [JSON] = []
    for item in batch.items {
      let key = keys.key(of: item)
      let answer = next(key)?.item ?? Self.notRecorded(key).item
      keys.note(answer, to: item)
      var operation = SandboxCall.Operation(item)
      operation.code = answer["code"]?.integer
      log.operations.append(operation)
      items.append(answer)
    }
    return HTTPAnswer(
      status: 200,
      headers: [("Content-Type", "application/json; charset=UTF-8")],
      body: JSON.array(items).bytes
    )
  }

  /// The next answer to an operation.
  private mutating func next(_ key: OperationKey) -> RecordedAnswer? {
    guard let key = known(key), let entries = recording.operations[key] else { return nil }
    let index = given[key, default: 0]
    given[key] = index + 1
    guard index >= entries.count else { return entries[index].answer }
    return key.method == GraphMethod.get.rawValue ? entries.last?.answer : nil
  }

  /// The answer to a batch as a whole, if that is what was recorded next.
  private mutating func nextWhole(_ key: [OperationKey]) -> RecordedAnswer? {
    guard let entries = recording.batches[key] else { return nil }
    let index = givenBatches[key, default: 0]
    guard index < entries.count else { return nil }
    if let first = key.first.flatMap(known), let others = recording.operations[first],
      let other = others.dropFirst(given[first, default: 0]).first,
      other.exchange < entries[index].exchange
    {
      return nil
    }
    givenBatches[key] = index + 1
    return entries[index].answer
  }

  /// The key under which an operation was recorded.
  private func known(_ key: OperationKey) -> OperationKey? {
    if recording.operations[key] != nil { return key }
    return masked[key.outline]?.first { $0.matches(key) }
  }
}

extension Replay {
  private static func notRecorded(_ key: OperationKey) -> HTTPAnswer {
    error("The recording holds no answer, or no further one, to \(key.description.excerpt)")
  }

  /// An error of the sandbox's own.
  private static func error(_ message: String, status: Int = 404) -> HTTPAnswer {
    let error: JSON = [
      "error": ["message": .string(message), "type": "SandboxException", "code": 100]
    ]
    return HTTPAnswer(
      status: status,
      headers: [
        ("Content-Type", "application/json; charset=UTF-8"), ("X-GraphFlow-Sandbox", "invented"),
      ],
      body: error.bytes
    )
  }
}
