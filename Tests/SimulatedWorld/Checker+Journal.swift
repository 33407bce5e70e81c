/// The journal of a process, compared with the calls that arrived.
extension Checker {
  /// Checks one process.
  ///
  /// - Parameters:
  ///   - process: the number of the process.
  ///   - journal: the journal after the process.
  ///   - first: the first row of this process.
  ///   - ledger: the ledger of Graph.
  mutating func check(process: Int, _ journal: [JournalRow], from first: Int, _ ledger: Ledger) {
    ended = JournalRow.ended(journal.dropFirst(first))
    for case .endLost in journal.dropFirst(first) { isLossReported = true }
    recordIntents(journal, from: first, process: process)
    let ends = ends(in: journal)
    for arrival in ledger.arrivals where arrival.process == process {
      let mark = arrival.reference
      if arrival.isTooEarly {
        addViolation("I7: \(mark) was sent before the time that Graph named")
      }
      checkRerun(arrival)
      guard let (request, item) = request(mark) else { continue }
      checkApproval(of: request, arrival)
      if !isReadAgain(mark),
        ends[mark]?.contains(where: { $0.row < arrival.rows && $0.status == "succeeded" }) == true
      {
        addViolation("I5: \(mark) had succeeded, and was sent again")
      }
      if let used = arrival.token, used != world.sketch.token(of: request, item: item) {
        addViolation("I4: \(mark) was sent with the token of another profile or page")
      }
      if arrival.isWorkedOn { checkOrder(request, item, arrival, ends) }
    }
    checkResults(journal)
    checkGroups(journal, from: first, process: process)
    checkEarlyEnd(journal, from: first)
    checkBudgets(journal, from: first)
    countDoubts(journal, from: first, ledger)
  }

  private mutating func recordIntents(_ journal: [JournalRow], from first: Int, process: Int) {
    for (row, entry) in journal.enumerated().dropFirst(first) {
      guard case .call(_, let kind, let operations, _, let at) = entry,
        kind == "batch" || kind == "single"
      else { continue }
      let time = world.time(ofClock: at, inProcess: process)
      for operation in operations where intents[operation.mark] == nil {
        intents[operation.mark] = Intent(process: process, row: row, time: time)
      }
    }
  }

  private func ends(in journal: [JournalRow]) -> [String: [(row: Int, status: String)]] {
    var ends: [String: [(row: Int, status: String)]] = [:]
    for (row, entry) in journal.enumerated() {
      guard case .request(let mark, let status, _) = entry else { continue }
      ends[mark, default: []].append((row, status))
    }
    return ends
  }

  /// I4: all dependencies have succeeded, by the journal or earlier in the same call.
  private mutating func checkOrder(
    _ request: Sketch.Request, _ item: String?, _ arrival: Ledger.Arrival,
    _ ends: [String: [(row: Int, status: String)]]
  ) {
    let sketch = world.sketch
    func status(_ mark: String) -> String? {
      (ends[mark]?.last { $0.row < arrival.rows })?.status ?? earlier?[mark]?.status
    }
    for dependency in request.hard + request.soft + [request.condition].compactMap({ $0 }) {
      let other = sketch.requests[dependency]
      let mark = sketch.reference(of: other, item: other.group == nil ? nil : item)
      // What cleans up only waits for an end.
      if request.isCleanUp, status(mark) != nil { continue }
      if status(mark) != "succeeded" && !arrival.predecessors.contains(mark) {
        addViolation(
          "I4: \(arrival.reference) was sent while \(mark) is \(status(mark) ?? "not over")")
      }
    }
    // After an early end, no one knows the items of a group that were not reached.
    for group in sketch.groups(before: request) where !request.isCleanUp {
      let members = sketch.requests.filter { $0.group == group }
      for (member, item) in members.flatMap({ member in
        sketch.groups[group].map { (member, $0) }
      }) {
        let mark = sketch.reference(of: member, item: item)
        if status(mark) == nil {
          addViolation("I4: \(arrival.reference) was sent while \(mark) of g\(group) is not over")
        }
      }
    }
  }

  /// I5 within the journal: a request that has succeeded does not end again.
  private mutating func checkResults(_ journal: [JournalRow]) {
    var succeeded: Set<String> = []
    var numbers: Set<Int> = []
    for entry in journal {
      switch entry {
      case .request(let mark, let status, _):
        if succeeded.contains(mark), !isReadAgain(mark) {
          addViolation("I5: \(mark) had succeeded, and ends again: \(status)")
        }
        if status == "succeeded" { succeeded.insert(mark) }
      case .call(let number, _, _, _, _):
        if !numbers.insert(number).inserted {
          addViolation("I5: two calls have the number \(number)")
        }
      default: break
      }
    }
  }

  /// Counts the outcomes of writes in doubt.
  private mutating func countDoubts(_ journal: [JournalRow], from first: Int, _ ledger: Ledger) {
    var doubtful: Set<String> = []
    var beingChecked: Set<String> = []
    for (row, entry) in journal.enumerated() {
      switch entry {
      case .attempt(let mark, _, let outcome, _, _):
        if outcome == "in_doubt", request(mark)?.request.isConfirmable == true {
          doubtful.insert(mark)
          lost.insert(mark)
          beingChecked.remove(mark)
        }
      case .call(_, "confirm", let operations, _, _): beingChecked.formUnion(operations.map(\.mark))
      case .call(_, let kind, let operations, _, _) where kind == "batch" || kind == "single":
        for operation in operations where doubtful.remove(operation.mark) != nil && row >= first {
          reach(.doubtFoundNothing)
          count(operation.mark, isBeingChecked: beingChecked.contains(operation.mark), nil, ledger)
        }
      case .baseline(let extent) where row >= first:
        reach(extent == "part" ? .checkPart : .checkRead)
      case .request(let mark, let status, let remark):
        if row >= first, remark.contains("could not be read before") { reach(.checkMissing) }
        guard doubtful.remove(mark) != nil, row >= first else { continue }
        if status == "succeeded" { reach(.doubtFoundHappened) }
        if status == "in_doubt" { reach(.doubtLeft) }
        count(mark, isBeingChecked: beingChecked.contains(mark), (status, remark), ledger)
      default: break
      }
    }
  }

  /// Whether a check for a lost write can decide: Graph's answers have a `Date`, reads show the
  /// write, and no one else has posted the same.
  private func canBeFound(_ mark: String, _ ledger: Ledger) -> Bool {
    let hasOtherPosts = content(of: mark).map { ledger.otherPosts[$0] != nil } ?? false
    return world.dates.isReliable && !hasOtherPosts && request(mark)?.request.isTwin == false
      && ledger.effects.allSatisfy { $0.reference != mark || !$0.isHidden }
  }

  /// Counts the lost writes of a completed run.
  mutating func countLost(_ ledger: Ledger) {
    let marks = lost.filter { canBeFound($0, ledger) }
    usefulness.lost = marks.count
    usefulness.leftAtEnd = marks.count { status(of: $0) == "in_doubt" }
  }

  /// Counts the result of a check for a lost write if the check can decide.
  ///
  /// Without an end the write is sent again.
  private mutating func count(
    _ mark: String, isBeingChecked: Bool, _ end: (status: String, remark: String)?, _ ledger: Ledger
  ) {
    guard isBeingChecked, canBeFound(mark, ledger) else { return }
    let effects = ledger.effects.filter { $0.reference == mark }
    let refusals = [
      "confirmation check failed", "could not be read before", "for a repetition, and",
    ]
    let isRefused = end.map { end in refusals.contains { end.remark.contains($0) } }
    switch end?.status {
    case nil: usefulness.sentAgain += 1
    case "in_doubt" where isRefused == true: usefulness.refused += 1
    // A person's decision or a signal came first.
    case "cancelled", "not_applied": break
    // A process that ends before the check has decided leaves the check to the next one.
    case "in_doubt" where end?.remark.contains("confirm") != true: break
    case "in_doubt": if effects.isEmpty { usefulness.kept += 1 } else { usefulness.missed += 1 }
    default: if effects.isEmpty { usefulness.sentAgain += 1 } else { usefulness.found += 1 }
    }
  }
}
