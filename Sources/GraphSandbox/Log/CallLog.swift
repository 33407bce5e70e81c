/// The answered calls, oldest first, within limits on operations and memory.
struct CallLog: Sendable {
  private(set) var calls: [SandboxCall] = []
  private var operationCount = 0
  private var size = 0
  /// How many operations it holds before it drops the older half; 0: it holds nothing.
  private let limit: Int

  /// About how many bytes it holds before it drops the older half.
  private static let sizeLimit = 32 << 20

  init(limit: Int) { self.limit = limit }

  /// The last calls, newest first.
  func last(_ count: Int) -> [SandboxCall] { calls.suffix(count).reversed() }

  mutating func append(_ call: SandboxCall) {
    guard limit > 0 else { return }
    calls.append(call)
    operationCount += max(1, call.operations.count)
    size += call.size
    guard operationCount > limit || size > Self.sizeLimit else { return }
    calls.removeFirst(max(1, calls.count / 2))
    operationCount = calls.reduce(0) { $0 + max(1, $1.operations.count) }
    size = calls.reduce(0) { $0 + $1.size }
  }
}

extension SandboxCall {
  /// The approximate memory that it takes, in bytes.
  var size: Int {
    // By index, because an element would be copied with all its parts.
    operations.indices.reduce(256) { size, index in
      let addresses =
        operations[index].relativeURL.utf8.count + operations[index].resolvedURL.utf8.count
      let names =
        (operations[index].name?.utf8.count ?? 0) + (operations[index].dependsOn?.utf8.count ?? 0)
        + (operations[index].resolvedBody?.utf8.count ?? 0)
        + (operations[index].written?.utf8.count ?? 0)
      return size + 256 + addresses + names + operations[index].method.utf8.count
    }
  }
}
