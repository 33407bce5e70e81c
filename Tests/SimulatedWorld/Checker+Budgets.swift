/// I7: the retry budget of a process.
extension Checker {
  /// Checks the attempts of one process, and its calls that hold only retries.
  mutating func checkBudgets(_ journal: [JournalRow], from first: Int) {
    let collapses = collapses(in: journal, from: first)
    checkRetryCalls(journal, from: first)
    var attempts: [String: Attempts] = [:]
    for entry in journal.dropFirst(first) {
      guard case .attempt(let mark, _, _, let reason, let call) = entry, reason != "throttled"
      else { continue }
      let limit = request(mark)?.request.retry == "false" ? 1 : world.sketch.maxAttempts
      // What is not in the sketch is the product's own read of pages.
      let isRead = request(mark)?.request.isWrite != true
      attempts[mark, default: Attempts()].add(isRead ? collapses[call] : nil, limit: limit)
    }
    for (mark, made) in attempts.sorted(by: { $0.key < $1.key }) {
      let limit = request(mark)?.request.retry == "false" ? 1 : world.sketch.maxAttempts
      // This process may journal the end of an attempt that an earlier process began.
      let allowed = limit + (isInherited(mark, journal, from: first) ? 1 : 0)
      if made.counted > allowed {
        addViolation("I7: \(mark) was tried \(made.counted) times, and may be \(limit) times")
      }
      // Halving 50 six times gives one.
      if made.shared > 6 * limit {
        addViolation("I7: \(mark) shared \(made.shared) calls that failed as a whole")
      }
    }
  }

  /// How a call failed as a whole.
  private enum Collapse {
    /// It timed out because it held too many operations.
    case oversized
    case broken
  }

  /// The attempts of one request.
  ///
  /// A timeout of a call with several operations does not count for a read.
  private struct Attempts {
    var counted = 0
    /// The number of attempts in calls that failed as a whole.
    var shared = 0

    mutating func add(_ collapse: Collapse?, limit: Int) {
      if collapse != nil { shared += 1 }
      switch collapse {
      case .oversized where limit > 1: break
      default: counted += 1
      }
    }
  }

  /// The calls with several operations that failed as a whole, by their numbers.
  private func collapses(in journal: [JournalRow], from first: Int) -> [Int: Collapse] {
    var sent: [Int: Set<String>] = [:]
    var reasons: [Int: [String: String]] = [:]
    for entry in journal.dropFirst(first) {
      switch entry {
      case .call(let number, _, let operations, _, _): sent[number] = Set(operations.map(\.mark))
      case .attempt(let mark, _, let outcome, let reason, let call):
        reasons[call, default: [:]][mark] = outcome == "succeeded" ? "" : reason ?? ""
      default: break
      }
    }
    var collapses: [Int: Collapse] = [:]
    for (call, reasons) in reasons {
      // An operation that depends on another one of the call may have no end: it was not run.
      let isWhole = sent[call].map { marks in
        marks.count > 1
          && marks.subtracting(reasons.keys).allSatisfy { isFollower($0, among: marks) }
      }
      let areFaults = reasons.values.allSatisfy { ["server", "network", "timeout"].contains($0) }
      guard isWhole == true, areFaults else { continue }
      collapses[call] = reasons.values.allSatisfy { $0 == "timeout" } ? .oversized : .broken
    }
    return collapses
  }

  /// Whether a request depends on one of these.
  private func isFollower(_ mark: String, among marks: Set<String>) -> Bool {
    guard let (request, item) = request(mark) else { return false }
    let others = request.hard + request.soft + [request.condition].compactMap(\.self)
    return others.contains { other in
      let other = world.sketch.requests[other]
      return marks.contains(
        world.sketch.reference(of: other, item: other.group == nil ? nil : item))
    }
  }

  /// Checks the calls that hold only retries.
  ///
  /// An answered one does not count: it may be a part of a call that failed as a whole.
  private mutating func checkRetryCalls(_ journal: [JournalRow], from first: Int) {
    var lastFailures: [String: String] = [:]
    var sent: Set<String> = []
    var retries = 0
    var others = 0
    var retriedIn: [String: Int] = [:]
    var answered: Set<Int> = []
    for entry in journal.dropFirst(first) {
      switch entry {
      case .call(let number, let kind, let operations, _, _)
      where kind == "batch" || kind == "single":
        let isRetry = operations.allSatisfy {
          lastFailures[$0.mark] != nil && !isPolledOrPaged($0.mark)
        }
        if isRetry { retries += 1 } else { others += 1 }
        for operation in operations { retriedIn[operation.mark] = isRetry ? number : nil }
        sent.formUnion(operations.map(\.mark))
      case .attempt(let mark, _, let outcome, let reason, _):
        // A request that only an earlier process has sent is not a retry of this one.
        let isOwn = sent.contains(mark)
        let isAnswered =
          outcome == "succeeded" || !["server", "network", "timeout"].contains(reason)
        if isAnswered, let call = retriedIn[mark], answered.insert(call).inserted {
          retries -= 1
          others += 1
        }
        lastFailures[mark] =
          outcome == "succeeded" || reason == "throttled" || !isOwn ? nil : reason
      default: break
      }
    }
    if retries > others / 10 + 10 {
      addViolation("I7: \(retries) calls for retries beside \(others) others")
    }
  }

  /// Whether a request is sent repeatedly on purpose, which uses up no budget.
  private func isPolledOrPaged(_ mark: String) -> Bool {
    switch request(mark)?.request.action {
    case .directory, .list, .poll: true
    default: false
    }
  }

  /// Whether a process journals the end of an attempt that an earlier one made.
  private func isInherited(_ mark: String, _ journal: [JournalRow], from first: Int) -> Bool {
    for entry in journal.dropFirst(first) {
      switch entry {
      case .call(_, _, let operations, _, _) where operations.contains { $0.mark == mark }:
        return false
      case .attempt(mark, _, _, _, _): return true
      default: break
      }
    }
    return false
  }
}
