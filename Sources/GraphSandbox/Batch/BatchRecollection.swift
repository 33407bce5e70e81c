/// What a whole batch came to, and when that is what it would come to again.
///
/// A batch of nothing but reads, all of which succeed, is a function of the world, the call and the
/// time, but for what its headers tell of usage. So what it came to holds for the very same call
/// (``KnownCalls``), within the same second, as long as nothing in the world has changed that reads
/// depend on, no faults are in force that would count its operations, and usage neither shows
/// another percent nor comes to an end by it. Its operations are charged, its call is numbered,
/// logged and told as any other.
final class BatchRecollection: Sendable {
  /// Kept, so that no other call takes its identity.
  fileprivate let mark: KnownCalls.Mark
  /// The body of the answer.
  fileprivate let items: [UInt8]
  /// What the log says of the operations.
  fileprivate let results: [OperationResult]
  /// What the operations count together.
  fileprivate let usage: UsageMeter.CallUsage

  fileprivate init(
    _ mark: KnownCalls.Mark,
    items: [UInt8],
    results: [OperationResult],
    usage: UsageMeter.CallUsage
  ) {
    self.mark = mark
    self.items = items
    self.results = results
    self.usage = usage
  }

  /// What the batches of one second came to, in a world that has not changed since.
  struct Table: Sendable {
    fileprivate var changeCount: UInt64 = 0
    fileprivate var now = 0
    fileprivate var byteCount = 0
    fileprivate var recollections: [ObjectIdentifier: BatchRecollection] = [:]

    /// How much is kept, in bytes; then all is forgotten.
    fileprivate static let memoryLimit = 12 << 20
  }
}

extension World {
  /// Answers a batch whose answer is known: what is left to do is charging it.
  mutating func retell(_ call: GraphCall) -> (items: [UInt8], results: [OperationResult])? {
    guard let mark = call.mark, batchRecollections.changeCount == changeCount,
      batchRecollections.now == now, faults.course.isEmpty, faults.lag == nil,
      let known = batchRecollections.recollections[ObjectIdentifier(mark)],
      meter.count(known.usage, at: now)
    else { return nil }
    return (known.items, known.results)
  }

  /// Keeps what a batch came to for the next time.
  mutating func remember(
    _ batch: BatchCall,
    of call: GraphCall,
    items: [UInt8],
    _ results: [OperationResult]
  ) {
    guard let mark = call.mark, faults.course.isEmpty, faults.lag == nil,
      batch.items.allSatisfy({ $0.request?.isRead ?? false }),
      results.allSatisfy({ $0.isApplied && $0.details == nil }),
      let usage = meter.callUsage(at: now)
    else { return }
    let size = items.count + results.count * MemoryLayout<OperationResult>.stride
    let isStale = batchRecollections.changeCount != changeCount || batchRecollections.now != now
    if isStale || batchRecollections.byteCount + size > BatchRecollection.Table.memoryLimit {
      batchRecollections.recollections.removeAll(keepingCapacity: true)
      batchRecollections.byteCount = 0
      batchRecollections.changeCount = changeCount
      batchRecollections.now = now
    }
    batchRecollections.byteCount += size
    batchRecollections.recollections[ObjectIdentifier(mark)] = BatchRecollection(
      mark,
      items: items,
      results: results,
      usage: usage
    )
  }
}
