/// The operations of calls that failed as a whole, which are sent again in smaller calls.
///
/// One operation that Graph cannot process, or too many of them, make the whole call fail.
/// Bisection finds the operation that fails: of each chunk only the first few operations are sent,
/// as a *probe*, in a call of their own. As long as every call fails there is one probe at a time,
/// so that the run does not worsen an outage. As soon as one probe is answered, all chunks
/// continue.
struct FailedBatches: Sendable {
  /// How a call failed for every operation in it.
  enum Collapse: Hashable, Sendable {
    /// It took too long, or its answer was too large: it had too many operations.
    case oversized
    /// Graph, or the network, had a fault.
    case broken
  }

  /// Operations that failed together.
  struct Chunk: Sendable {
    /// The instances, in the order of the file.
    var members: [Int]
    /// The number of operations that are sent at a time.
    let width: Int
    /// How they failed.
    let collapse: Collapse
    /// When a probe may be sent.
    let notBefore: Duration
  }

  /// The operations that were not sent again yet, in the order of the file.
  private var chunks: [Chunk] = []
  /// The last probes, one call each.
  private(set) var probes: [[Int]] = []
  /// Whether the last call failed as a whole.
  private var isCautious = false
  /// A number of operations that is known not to be too large for a call.
  private var provenWidth: Int?
  /// Whether an operation failed alone: then the number of operations was not the cause.
  private var isIsolated = false

  var isEmpty: Bool { chunks.isEmpty }

  /// When the next probe is ready.
  var nextTime: Duration? { isCautious ? chunks.first?.notBefore : chunks.map(\.notBefore).min() }

  mutating func add(_ chunk: Chunk) {
    let index = chunks.firstIndex { ($0.members.first ?? 0) > (chunk.members.first ?? 0) }
    chunks.insert(chunk, at: index ?? chunks.endIndex)
  }

  /// Records the result of a call with `count` operations: how it failed as a whole, if it did.
  mutating func recordCall(_ collapse: Collapse?, ofCallWith count: Int, isProbe: Bool) {
    isCautious = collapse != nil
    if isCautious {
      if isProbe, count == 1 { (isIsolated, provenWidth) = (true, nil) }
    } else if isProbe, !isIsolated {
      provenWidth = min(provenWidth ?? count, count)
    }
  }

  /// Records a call that was never sent.
  mutating func recordUnsentCall() { isCautious = true }

  /// Chooses the next probes among the operations that still wait for their turn.
  mutating func chooseProbes(at now: Duration, among isolated: Set<Int>) -> [Int] {
    for index in chunks.indices { chunks[index].members.removeAll { !isolated.contains($0) } }
    chunks.removeAll(where: \.members.isEmpty)
    if chunks.isEmpty { (provenWidth, isIsolated) = (nil, false) }
    probes = []
    for index in chunks.indices.prefix(isCautious ? 1 : chunks.count)
    where chunks[index].notBefore <= now {
      var width = chunks[index].width
      if chunks[index].collapse == .oversized { width = min(width, provenWidth ?? width) }
      probes.append(Array(chunks[index].members.prefix(width)))
      chunks[index].members.removeFirst(min(width, chunks[index].members.count))
    }
    chunks.removeAll(where: \.members.isEmpty)
    return probes.flatMap(\.self)
  }

  /// The number of operations that are sent at a time after `count` operations failed together.
  ///
  /// It is a half if there were too many operations. Otherwise it is so small that each operation
  /// is alone in its last attempt: none fails for good because of another one.
  ///
  /// `attempts` is the number that each of them has left, at least 1; nil if a failure of the whole
  /// call does not count as an attempt.
  static func width(after count: Int, attemptsLeft attempts: Int?) -> Int {
    guard let attempts else { return max((count + 1) / 2, 1) }
    // The smallest number of parts that reaches single operations with these attempts.
    var parts = 2
    while !reaches(count, dividingBy: parts, times: attempts) { parts += 1 }
    return max((count + parts - 1) / parts, 1)
  }

  private static func reaches(_ count: Int, dividingBy parts: Int, times: Int) -> Bool {
    var reached = 1
    for _ in 0..<max(times, 1) {
      reached *= parts
      if reached >= count { return true }
    }
    return false
  }
}
