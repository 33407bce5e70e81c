/// What an early end leaves: the clean-up, and nothing else.
extension Checker {
  /// I6: a run that has ended has cleaned up, if anything was sent.
  mutating func checkCleanUp(_ found: [String: Finding], _ exitCode: Int) {
    guard [0, 1].contains(exitCode), !intents.isEmpty, !hasForgotten else { return }
    for request in world.sketch.requests where request.isCleanUp {
      guard self.request(request.name) != nil else { continue }
      let finding = found[request.name]
      if finding?.status == nil || finding?.status == "cancelled"
        || finding?.skipReason == "stopped"
      {
        addViolation("I6: exit code \(exitCode), but \(request.name) was not sent to clean up")
      }
    }
  }

  /// I7: after a failure with `on_error: stop`, an early end or the deadline, a process begins no
  /// calls but those that clean up.
  mutating func checkEarlyEnd(_ journal: [JournalRow], from first: Int) {
    var isStopped = false
    var isCancelled = false
    // Events before the first call are about the last process.
    var hasCalled = false
    for entry in journal.dropFirst(first) {
      switch entry {
      case .request(let mark, let status, let remark) where hasCalled:
        let isBad = ["failed", "in_doubt"].contains(status)
        if isBad, request(mark)?.request.onError == "stop" { isStopped = true }
        // An item that is no longer in the source ends while the run continues.
        // So does a write beyond the limit of writes.
        let isAlone = remark.contains("put the item back") || remark.contains("--max-writes")
        if status == "cancelled", !isAlone { isCancelled = true }
      case .call(let number, let kind, let operations, _, let at):
        hasCalled = true
        let isLate = deadline.map { .milliseconds(at - World.epoch) >= $0 } ?? false
        let isCleanUp = isCleanUp(operations.map(\.mark))
        if isLate, isCleanUp { reach(.cleanUpAfterDeadline) }
        if isCancelled, isCleanUp { reach(.cleanUpAfterEarlyEnd) }
        if isStopped, isCleanUp { reach(.cleanUpAfterStop) }
        // Checks of writes in doubt continue after a stop; a probe may come before the clean-up.
        let isOfRequests = kind == "batch" || kind == "single"
        let isEarlyEnd = kind != "auth" && (isLate || isCancelled)
        if !isCleanUp, isEarlyEnd || isStopped && isOfRequests {
          addViolation("I7: call \(number) was begun although the run was stopped")
        }
      default: break
      }
    }
  }

  /// Whether all of a call's requests clean up.
  func isCleanUp(_ marks: [String]) -> Bool {
    !marks.isEmpty && marks.allSatisfy { request($0)?.request.isCleanUp == true }
  }

  /// The operations of a process that its budget does not count: those that clean up, and the reads
  /// that find out for them whether Graph is available again.
  func cleanUpOperations(_ journal: [JournalRow], from first: Int) -> Int {
    var (outside, isAtEnd) = (0, world.sketch.requests.contains(where: \.isCleanUp))
    for case .call(_, let kind, let operations, _, _) in journal.dropFirst(first).reversed() {
      if kind == "batch" || kind == "single", isCleanUp(operations.map(\.mark)) {
        outside += operations.count
      } else if kind == "auth", isAtEnd {
        outside += 1
      } else {
        isAtEnd = false
      }
    }
    return outside
  }
}
