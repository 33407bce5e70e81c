/// The calls that were answered, oldest first: a limited number of operations, in limited memory.
struct CallLog: Sendable {
  private var records: [CallRecord] = []
  private var operationCount = 0
  private var size = 0
  /// How many operations it holds before it forgets the older half; 0: it holds nothing.
  private let limit: Int

  /// About how many bytes it holds before it forgets the older half.
  private static let sizeLimit = 32 << 20

  init(limit: Int) { self.limit = limit }

  /// How many calls it holds.
  var count: Int { records.count }

  var calls: [SandboxCall] { records.map(\.told) }

  /// The last calls, newest first.
  func last(_ count: Int) -> [SandboxCall] { records.suffix(count).reversed().map(\.told) }

  mutating func append(_ record: CallRecord) {
    guard limit > 0 else { return }
    records.append(record.compact)
    operationCount += max(1, record.operationCount)
    size += record.size
    guard operationCount > limit || size > Self.sizeLimit else { return }
    records.removeFirst(max(1, records.count / 2))
    operationCount = records.reduce(0) { $0 + max(1, $1.operationCount) }
    size = records.reduce(0) { $0 + $1.size }
  }
}
