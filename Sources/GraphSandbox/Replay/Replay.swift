import JSONPath

/// Answers calls from a recording, operation by operation.
///
/// An operation with several recorded answers receives them in order; after the last one, a read
/// receives it again. The answer to any other operation is the sandbox's own error.
struct Replay: Sendable {
  private let recording: Recording
  /// How many recorded answers of an operation were used.
  private var usedAnswers: [OperationKey: Int] = [:]
  /// How many recorded answers of a whole batch were used.
  private var usedBatchAnswers: [[OperationKey]: Int] = [:]
  /// The keys with masked secrets, by their outline.
  private let masked: [OperationKey: [OperationKey]]
  private var callCount = 0

  init(_ recording: Recording) {
    self.recording = recording
    masked = Dictionary(grouping: recording.operations.keys.filter(\.isMasked), by: \.outline)
      .mapValues { $0.sorted { $0.description < $1.description } }
  }

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
    let answer = nextAnswer(to: key)?.answer ?? Self.notRecorded(key)
    log.operations = [.init(request, code: answer.status)]
    return answer
  }

  private mutating func answer(_ batch: BatchCall, _ log: inout SandboxCall) -> HTTPAnswer {
    let unresolvedKeys = BatchKeys()
    let key = batch.items.map { unresolvedKeys.key(of: $0) }
    if let whole = nextBatchAnswer(to: key)?.answer {
      log.operations = batch.items.map { .init($0) }
      return whole
    }
    var keys = BatchKeys()
    var items: [JSON] = []
    for item in batch.items {
      let key = keys.key(of: item)
      let answer = nextAnswer(to: key)?.item ?? Self.notRecorded(key).item
      keys.recordAnswer(answer, to: item)
      var operation = SandboxCall.Operation(item)
      operation.code = answer["code"]?.integer
      log.operations.append(operation)
      items.append(answer)
    }
    return HTTPAnswer(
      status: 200, headers: [("Content-Type", "application/json; charset=UTF-8")],
      body: JSON.array(items).bytes)
  }

  private mutating func nextAnswer(to key: OperationKey) -> RecordedAnswer? {
    guard let key = recordedKey(for: key), let entries = recording.operations[key] else {
      return nil
    }
    let index = usedAnswers[key, default: 0]
    usedAnswers[key] = index + 1
    guard index >= entries.count else { return entries[index].answer }
    return key.method == GraphMethod.get.rawValue ? entries.last?.answer : nil
  }

  /// The answer to a batch as a whole, if that is what was recorded next.
  private mutating func nextBatchAnswer(to key: [OperationKey]) -> RecordedAnswer? {
    guard let entries = recording.batches[key] else { return nil }
    let index = usedBatchAnswers[key, default: 0]
    guard index < entries.count else { return nil }
    if let first = key.first.flatMap(recordedKey), let others = recording.operations[first],
      let other = others.dropFirst(usedAnswers[first, default: 0]).first,
      other.exchange < entries[index].exchange
    {
      return nil
    }
    usedBatchAnswers[key] = index + 1
    return entries[index].answer
  }

  /// The recorded key that matches an operation.
  private func recordedKey(for key: OperationKey) -> OperationKey? {
    if recording.operations[key] != nil { return key }
    return masked[key.outline]?.first { $0.matches(key) }
  }

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
      ], body: error.bytes)
  }
}
