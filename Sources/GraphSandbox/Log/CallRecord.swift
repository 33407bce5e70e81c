/// A call as the log keeps it: its operations are put into words where somebody looks.
struct CallRecord: Sendable {
  /// The call; of a batch that has not been told, without its operations.
  var call: SandboxCall
  /// What the batch was read from.
  private var source: BatchCall.Source?
  /// The batch itself, until the record is kept.
  private var items: [BatchItem]?
  private var results: [OperationResult] = []
  /// Whether nothing was asked for but reads.
  private(set) var onlyReads = true

  /// A batch with longer texts is told at once, so that the log does not hold on to them.
  private static let keptTexts = 64 << 10

  init(number: Int, _ call: GraphCall, at time: Int) {
    self.call = SandboxCall(number: number, path: call.path, isBatch: call.isBatch)
    self.call.time = time
    self.call.method = call.method.excerpt
  }

  var operationCount: Int { max(call.operations.count, results.count) }

  /// About how much memory it takes, in bytes.
  var size: Int {
    256 + (source?.text.count ?? 0) + results.count * MemoryLayout<OperationResult>.stride
      + call.operations.reduce(0) { $0 + 256 + $1.relativeURL.utf8.count * 2 }
  }

  /// Notes a single call's operation.
  mutating func note(_ request: GraphRequest, code: Int?, _ execution: World.Execution? = nil) {
    onlyReads = request.method == .get
    call.operations = [.init(request, code: code, execution)]
  }

  /// Notes what the operations of a batch came to; without results none of them was run.
  mutating func note(_ batch: BatchCall, _ results: [OperationResult]? = nil) {
    source = batch.source
    items = batch.items
    self.results = results ?? Array(repeating: OperationResult(), count: batch.items.count)
    onlyReads = batch.items.allSatisfy { $0.method == .get }
    guard batch.source.text.count > Self.keptTexts else { return }
    call = told
    (source, items, self.results) = (nil, nil, [])
  }

  /// The record without what can be read again from the batch's text, which takes much less memory.
  var compact: CallRecord {
    var record = self
    record.items = nil
    return record
  }

  /// The call with its operations.
  var told: SandboxCall {
    guard let source, let items = items ?? (try? BatchCall(source).items) else { return call }
    var call = call
    call.operations = zip(items, results).map { SandboxCall.Operation($0, $1) }
    return call
  }
}
