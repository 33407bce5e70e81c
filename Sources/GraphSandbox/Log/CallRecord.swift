/// A call as the log keeps it: its operations are put into words where somebody looks.
struct CallRecord: Sendable {
  /// The call; of a batch that has not been told, without its operations.
  var call: SandboxCall
  private var batch: BatchCall?
  private var results: [OperationResult] = []

  /// A batch with longer texts is told at once, so that the log does not hold on to them.
  private static let keptTexts = 64 << 10

  init(number: Int, _ call: GraphCall, at time: Int) {
    self.call = SandboxCall(number: number, path: call.path, isBatch: call.isBatch)
    self.call.time = time
    self.call.method = call.method.excerpt
  }

  var operationCount: Int { max(call.operations.count, results.count) }

  /// Whether nothing was asked for but reads.
  var onlyReads: Bool {
    call.operations.allSatisfy { $0.method == GraphMethod.get.rawValue }
      && batch?.items.allSatisfy { $0.method == .get } ?? true
  }

  /// Notes what the operations of a batch came to; without results none of them was run.
  mutating func note(_ batch: BatchCall, _ results: [OperationResult]? = nil) {
    self.batch = batch
    self.results = results ?? Array(repeating: OperationResult(), count: batch.items.count)
    guard batch.textLength > Self.keptTexts else { return }
    call = told
    self.batch = nil
    self.results = []
  }

  /// The call with its operations.
  var told: SandboxCall {
    guard let batch else { return call }
    var call = call
    call.operations = zip(batch.items, results).map { SandboxCall.Operation($0, $1) }
    return call
  }
}
