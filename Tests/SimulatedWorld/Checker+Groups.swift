/// The items of groups: failure limits and moved items.
extension Checker {
  /// Checks one process.
  mutating func checkGroups(_ journal: [JournalRow], from first: Int, process: Int) {
    for (group, limit) in world.sketch.failureLimits.enumerated() {
      if let limit { checkFailureLimit(limit, of: group, journal, from: first) }
    }
    countMovedItems(journal, from: first, process: process)
  }

  /// I7: none of a group's requests is sent after `limit` of its items have failed.
  private mutating func checkFailureLimit(
    _ limit: Int, of group: Int, _ journal: [JournalRow], from first: Int
  ) {
    var failed: Set<String> = []
    var isReached = false
    // Events before the first call are about the last process.
    var hasCalled = false
    for entry in journal.dropFirst(first) {
      switch entry {
      case .request(let mark, let status, _):
        guard let (request, item) = request(mark), request.group == group, let item else { break }
        let counts = status == "failed" && request.onError != "ignore" || status == "in_doubt"
        if counts, hasCalled { failed.insert(item) }
        if isReached, status == "skipped" {
          reach(.failureLimit)
          isReached = false
        }
        if failed.count == limit { isReached = true }
      case .call(_, let kind, let operations, _, _) where kind == "batch" || kind == "single":
        hasCalled = true
        guard failed.count >= limit else { break }
        let sent = operations.first { self.request($0.mark)?.request.group == group }
        if let sent {
          addViolation("I7: \(sent.mark) was sent after \(limit) items of g\(group) had failed")
        }
      default: break
      }
    }
  }

  /// Counts moved items and grown lists.
  private mutating func countMovedItems(_ journal: [JournalRow], from first: Int, process: Int) {
    var before: Set<String> = []
    var after: Set<String> = []
    for (row, entry) in journal.enumerated() {
      guard case .request(let mark, _, _) = entry, request(mark)?.item != nil else { continue }
      if row < first { before.insert(mark) } else { after.insert(mark) }
    }
    guard !before.isEmpty, !after.isEmpty else { return }
    if world.rowTurn > 0 { reach(.rowsMoved) }
    let isFed = { (mark: String) in request(mark)?.request.group == 1 }
    guard world.sketch.feeder != nil, before.contains(where: isFed) else { return }
    if !Set(after.filter(isFed)).isSubset(of: before) { reach(.listGrown) }
  }
}
