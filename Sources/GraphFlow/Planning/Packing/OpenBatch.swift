/// A batch that is being filled.
struct OpenBatch: Sendable {
  /// Identifies the batch; greater than 0.
  let number: Int32
  private(set) var requests: [Int] = []
  /// For each member, the members that it waits for, directly or not, as bits of their positions.
  private var ancestors: [UInt64] = []
  private var unsafeCount = 0
  var closeReason = CloseReason.nothingLeft

  init(number: Int32) { self.number = number }

  func hasRoom(forUnsafe isUnsafe: Bool, _ limits: BatchLimits) -> Bool {
    requests.count < limits.width && (!isUnsafe || unsafeCount < limits.unsafeWrites)
  }

  func hasRoom(for load: Load, _ limits: BatchLimits) -> Bool {
    requests.count + load.shared <= limits.width && unsafeCount + load.unsafe <= limits.unsafeWrites
  }

  /// Whether a request can be added after the members that it waits for.
  ///
  /// Graph accepts one name in `depends_on`. So at most one order constraint inside the batch may
  /// remain that no other constraint implies.
  func accepts(_ request: Int, _ work: RemainingWork) -> Bool {
    // Its predecessor may be sent again after it has settled; the request itself must not be.
    if work.hasSettled(request) { return false }
    // A free request that was not offered waits for something that the packer does not know.
    if work.isFree(request) { return work.status(of: request) == .ready }
    guard work.canFollow(request, atMost: requests.count) else { return false }
    var implied: UInt64 = 0
    var ordered: UInt64 = 0
    var isAccepted = true
    work.graph.forEachPredecessor(of: request) { predecessor in
      guard !work.hasSettled(predecessor.request) else { return }
      guard let position = work.position(of: predecessor.request, in: self)
      else {
        isAccepted = false
        return
      }
      implied |= ancestors[position]
      if predecessor.kind == .data {
        implied |= 1 << UInt64(position)
      } else {
        ordered |= 1 << UInt64(position)
      }
    }
    return isAccepted && (ordered & ~implied).nonzeroBitCount <= 1
  }

  mutating func add(_ request: Int, isUnsafe: Bool, _ work: inout RemainingWork) {
    var waitsFor: UInt64 = 0
    if !work.isFree(request) {
      work.graph.forEachPredecessor(of: request) { predecessor in
        guard let position = work.position(of: predecessor.request, in: self) else { return }
        waitsFor |= ancestors[position] | 1 << UInt64(position)
      }
    }
    work.place(request, at: requests.count, of: self)
    requests.append(request)
    ancestors.append(waitsFor)
    unsafeCount += isUnsafe ? 1 : 0
  }

  mutating func addAlone(_ request: Int, _ work: inout RemainingWork) {
    add(request, isUnsafe: false, &work)
    closeReason = .alone
  }

  var isAlone: Bool { closeReason == .alone }

  /// Whether there is no room for anything, or no room for more unsafe writes in a batch with some.
  func isFull(_ limits: BatchLimits) -> Bool { !hasRoom(forUnsafe: unsafeCount > 0, limits) }

  /// The members in the order of the file, but each one after the members that it waits for.
  private func inFileOrder() -> [Int] {
    let positions = requests.indices.sorted { requests[$0] < requests[$1] }
    var ordered: [Int] = []
    var isOrdered: UInt64 = 0
    while ordered.count < requests.count {
      for position in positions
      where isOrdered & (1 << UInt64(position)) == 0 && ancestors[position] & ~isOrdered == 0 {
        ordered.append(requests[position])
        isOrdered |= 1 << UInt64(position)
      }
    }
    return ordered
  }

  func members(_ work: RemainingWork) -> [PackedBatch.Member] {
    inFileOrder().map { request in
      guard !work.isFree(request) else {
        return PackedBatch.Member(request: request, references: [], dependsOn: nil)
      }
      var references: [Int] = []
      var implied: UInt64 = 0
      var ordered: [Int] = []
      work.graph.forEachPredecessor(of: request) { predecessor in
        guard let position = work.position(of: predecessor.request, in: self) else { return }
        implied |= ancestors[position]
        if predecessor.kind == .data {
          implied |= 1 << UInt64(position)
          references.append(predecessor.request)
        } else {
          ordered.append(position)
        }
      }
      let explicit = ordered.first { implied & (1 << UInt64($0)) == 0 }
      return PackedBatch.Member(
        request: request, references: references, dependsOn: explicit.map { requests[$0] })
    }
  }
}
