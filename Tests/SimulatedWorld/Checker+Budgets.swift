/// I7: what a process may spend on trying again.
extension Checker {
  /// Checks the attempts of one process, and its calls for nothing but further attempts.
  mutating func checkBudgets(_ journal: [JournalRow], from first: Int) {
    let collapses = collapses(in: journal, from: first)
    checkRetryCalls(journal, from: first)
    var attempts: [String: Attempts] = [:]
    for entry in journal.dropFirst(first) {
      guard case .attempt(let mark, _, _, let reason, let call) = entry, reason != "throttled"
      else { continue }
      let limit = request(mark)?.request.retry == "false" ? 1 : world.sketch.maxAttempts
      let isRead = request(mark)?.request.isWrite == false
      attempts[mark, default: Attempts()].add(isRead ? collapses[call] : nil, limit: limit)
    }
    for (mark, made) in attempts.sorted(by: { $0.key < $1.key }) {
      let limit = request(mark)?.request.retry == "false" ? 1 : world.sketch.maxAttempts
      // The end of what another process had begun is told by this one.
      let allowed = limit + (isInherited(mark, journal, from: first) ? 1 : 0)
      if made.counted > allowed {
        blame("I7: \(mark) was tried \(made.counted) times, and may be \(limit) times")
      }
      // Halving 50 comes to one after six times.
      if made.shared > 6 * limit {
        blame("I7: \(mark) shared \(made.shared) calls that failed as a whole")
      }
    }
  }

  /// How a call failed for everything in it.
  private enum Collapse {
    /// It took too long: there was too much in it.
    case oversized
    case broken
  }

  /// The attempts of one request.
  ///
  /// What took too long for what shared it takes none of a read's.
  private struct Attempts {
    var counted = 0
    /// How many of them were in calls that failed as a whole.
    var shared = 0

    mutating func add(_ collapse: Collapse?, limit: Int) {
      if collapse != nil { shared += 1 }
      switch collapse {
      case .oversized where limit > 1: break
      default: counted += 1
      }
    }
  }

  /// The calls of several operations in which nothing was answered, by their numbers.
  private func collapses(in journal: [JournalRow], from first: Int) -> [Int: Collapse] {
    var sent: [Int: Set<String>] = [:]
    var reasons: [Int: [String: String]] = [:]
    for entry in journal.dropFirst(first) {
      switch entry {
      case .call(let number, _, let operations): sent[number] = Set(operations.map(\.mark))
      case .attempt(let mark, _, let outcome, let reason, let call):
        reasons[call, default: [:]][mark] = outcome == "succeeded" ? "" : reason ?? ""
      default: break
      }
    }
    var collapses: [Int: Collapse] = [:]
    for (call, reasons) in reasons {
      // What did not end was not run, if it follows another.
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

  /// Whether a request waits for one of these.
  private func isFollower(_ mark: String, among marks: Set<String>) -> Bool {
    guard let (request, item) = request(mark) else { return false }
    let others = request.hard + request.soft + [request.condition].compactMap(\.self)
    return others.contains { other in
      let other = world.sketch.requests[other]
      return marks.contains(
        world.sketch.reference(of: other, item: other.group == nil ? nil : item)
      )
    }
  }

  /// Checks calls for nothing but further attempts.
  ///
  /// Such a call that is answered was not in vain: parts of a call that failed as a whole are not
  /// counted then.
  private mutating func checkRetryCalls(_ journal: [JournalRow], from first: Int) {
    var lastFailures: [String: String] = [:]
    var sent: Set<String> = []
    var retries = 0
    var others = 0
    var retriedIn: [String: Int] = [:]
    var answered: Set<Int> = []
    for entry in journal.dropFirst(first) {
      switch entry {
      case .call(let number, let kind, let operations) where kind == "batch" || kind == "single":
        let isRetry = operations.allSatisfy {
          lastFailures[$0.mark] != nil && !isAskedOften($0.mark)
        }
        if isRetry { retries += 1 } else { others += 1 }
        for operation in operations { retriedIn[operation.mark] = isRetry ? number : nil }
        sent.formUnion(operations.map(\.mark))
      case .attempt(let mark, _, let outcome, let reason, _):
        // What another process has sent is sent by this one for the first time.
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
      blame("I7: \(retries) calls for retries beside \(others) others")
    }
  }

  /// Pages and askings that are repeated use up no budget.
  private func isAskedOften(_ mark: String) -> Bool {
    switch request(mark)?.request.action {
    case .list, .poll: true
    default: false
    }
  }

  /// Whether a process tells the end of an attempt that another one made.
  private func isInherited(_ mark: String, _ journal: [JournalRow], from first: Int) -> Bool {
    for entry in journal.dropFirst(first) {
      switch entry {
      case .call(_, _, let operations) where operations.contains { $0.mark == mark }: return false
      case .attempt(mark, _, _, _, _): return true
      default: break
      }
    }
    return false
  }
}
