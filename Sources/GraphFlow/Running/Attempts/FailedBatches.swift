/// What was in calls that failed as a whole, on its way to being sent again in smaller ones.
///
/// One operation that Graph cannot bear, or too many at once, spoils everything that shares its
/// call. So it is narrowed down: of each lot only the first few are sent, as a *probe*, and nothing
/// else is in its call. As long as everything fails there is one probe at a time, so that an outage
/// is not made worse; as soon as one is answered all lots go on.
struct FailedBatches: Sendable {
  /// How a call failed for everything in it.
  enum Collapse: Hashable, Sendable {
    /// It took too long, or became too large: there was too much in it.
    case oversized
    /// Graph, or something on the way, had a fault.
    case broken
  }

  /// Operations that failed together.
  struct Chunk: Sendable {
    /// In the order of the file.
    var members: [Int]
    /// How many of them are sent at a time.
    let width: Int
    /// How they failed.
    let collapse: Collapse
    /// When a probe may be sent.
    let notBefore: Duration
  }

  /// Those that were not sent again yet, in the order of the file.
  private var chunks: [Chunk] = []
  /// What is sent in this round, one call each.
  private(set) var probes: [[Int]] = []
  /// Whether the last round's calls all failed as wholes.
  private var isCautious = false
  private var hasFailed = false
  private var hasPassed = false
  /// How many at a time are known not to be too many.
  private var provenWidth: Int?
  /// Whether one failed although it was alone: then it was not for their number.
  private var isIsolated = false

  /// Whether nothing waits for its turn.
  var isEmpty: Bool { chunks.isEmpty }

  /// When the next probe is due.
  var nextTime: Duration? {
    isCautious ? chunks.first?.notBefore : chunks.map(\.notBefore).min()
  }

  /// Puts operations aside that failed together.
  mutating func add(_ chunk: Chunk) {
    let index = chunks.firstIndex { ($0.members.first ?? 0) > (chunk.members.first ?? 0) }
    chunks.insert(chunk, at: index ?? chunks.endIndex)
  }

  /// Notes that a call came back that carried so many operations, and how it failed, if it did.
  mutating func recordCall(_ collapse: Collapse?, ofCallWith count: Int, isProbe: Bool) {
    if collapse != nil {
      hasFailed = true
      if isProbe, count == 1 { (isIsolated, provenWidth) = (true, nil) }
    } else {
      hasPassed = true
      if isProbe, !isIsolated { provenWidth = min(provenWidth ?? count, count) }
    }
  }

  /// Notes that a call never reached anybody.
  mutating func recordUnsentCall() { hasFailed = true }

  /// Chooses what is sent next.
  ///
  /// - Parameters:
  ///   - now: the time since the run's start.
  ///   - aside: the operations that still wait for their turn.
  /// - Returns: the operations that are due now.
  mutating func choose(at now: Duration, among aside: Set<Int>) -> [Int] {
    if hasFailed || hasPassed { isCautious = hasFailed && !hasPassed }
    (hasFailed, hasPassed) = (false, false)
    for index in chunks.indices { chunks[index].members.removeAll { !aside.contains($0) } }
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

  /// How many are sent at a time after so many failed together.
  ///
  /// Halves where there were too many. Else so few that each is alone in its last attempt: nobody
  /// pays for another's fault.
  ///
  /// - Parameters:
  ///   - count: how many failed together.
  ///   - attempts: how many attempts are left to each of them, at least 1; nil if failing together
  ///     uses up none.
  /// - Returns: at least 1.
  static func width(after count: Int, attemptsLeft attempts: Int?) -> Int {
    guard let attempts else { return max((count + 1) / 2, 1) }
    // The smallest number of parts that comes down to one in so many steps.
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
