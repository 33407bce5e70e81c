/// What a process did about the items of groups.
extension Checker {
  /// Checks one process.
  mutating func checkGroups(_ journal: [JournalRow], from first: Int, life: Int) {
    for (group, limit) in world.sketch.failureLimits.enumerated() {
      if let limit { checkFailureLimit(limit, of: group, journal, from: first) }
    }
    noteMoves(journal, from: first, life: life)
  }

  /// I7: once so many items of a group have failed, none of its requests is sent.
  private mutating func checkFailureLimit(
    _ limit: Int,
    of group: Int,
    _ journal: [JournalRow],
    from first: Int
  ) {
    var failed: Set<String> = []
    var isReached = false
    // What comes before the first call is told of the last process.
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
      case .call(_, let kind, let operations) where kind == "batch" || kind == "single":
        hasCalled = true
        guard failed.count >= limit else { break }
        let sent = operations.first { self.request($0.mark)?.request.group == group }
        if let sent {
          blame("I7: \(sent.mark) was sent after \(limit) items of g\(group) had failed")
        }
      default: break
      }
    }
  }

  /// Counts items that moved, and lists that have grown.
  private mutating func noteMoves(_ journal: [JournalRow], from first: Int, life: Int) {
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
