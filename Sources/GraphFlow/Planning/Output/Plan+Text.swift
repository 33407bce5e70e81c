package import GraphAPI

extension Plan {
  /// Writes the plan as text, piece by piece: rounds, calls, their operations and why they hold no
  /// more.
  ///
  /// `defaultVersion` is the Graph version of a workflow that has none. Every piece ends in a line
  /// break.
  package func writeText(
    defaultVersion: GraphVersion = .current, to write: (String) throws -> Void
  ) rethrows {
    try write(
      """
      \(title) (Graph API \(workflow.version ?? defaultVersion), \(limits.strategy.rawValue))
      lower bound: \(lowerBound.text)
      cost: \(cost)

      """)
    for band in PlanOutline(of: self) { try write(text(of: band)) }
  }

  private var cost: String {
    let counts = OperationMethod.allCases.compactMap { method -> String? in
      let count = operations[method, default: 0] + (method == .get ? checks.operations : 0)
      return count > 0 ? "\(count) \(method.rawValue)" : nil
    }
    let unknown = workflow.groups.indices.filter { items[$0] == .unknown }
      .map { "'\(workflow.groups[$0].name)'" }
    let more =
      unknown.isEmpty ? "" : ", and more with the items of \(unknown.joined(separator: ", "))"
    return [
      counted(callCount + checks.calls, "HTTP call") + checkText,
      counts.isEmpty
        ? "nothing counts against the rate limit"
        : "\(counts.joined(separator: ", ")) against the rate limit",
      roundTripText + more,
    ]
    .joined(separator: "; ")
  }

  /// `, 1 of them for 2 confirmation checks`.
  private var checkText: String {
    guard checks.calls > 0 else { return "" }
    let number = counted(checks.operations, "confirmation check")
    return ", \(checks.calls) of them for \(number) before the first sends"
  }

  /// `1 round trip`; also the limits, if they make calls of a round wait for each other.
  private var roundTripText: String {
    let number = counted(roundTrips, "round trip")
    guard roundTripsOfRounds > rounds else { return number }
    let range = BatchLimits.concurrency
    return "at least \(number): \(range.lowerBound) to \(range.upperBound) calls at a time, and "
      + counted(limits.unsafeWrites, "write") + " that cannot be confirmed"
  }

  private func text(of band: PlanOutline.Band) -> String {
    var lines = ["", band.rounds.text(of: "round")]
    for card in band.cards {
      lines.append("  " + card.calls.text(of: "call") + ": " + description(of: card))
      let width = card.rows.map { name(of: $0).count }.max() ?? 0
      lines += card.rows.map { "    " + description(of: $0, nameWidth: width) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func description(of card: PlanOutline.Card) -> String {
    let reason = text(of: card.closeReason, alone: card.rows.first?.request)
    let number = counted(card.operationCount, "operation")
    let isEven = card.largest * card.calls.count == card.operationCount
    let share = isEven ? "\(card.largest) each" : "at most \(card.largest) each"
    let content =
      switch (card.closeReason == .alone, card.calls.count) {
      case (true, 1): "one operation, \(reason)"
      case (true, _): "\(number), each \(reason)"
      case (false, 1): "\(number), ends: \(reason)"
      case (false, _): "\(number), \(share), ends: \(reason)"
      }
    return card.after.isEmpty ? content : content + ", after \(card.after.text(of: "call"))"
  }

  private func description(of row: PlanOutline.Row, nameWidth: Int) -> String {
    let name = name(of: row)
    let padding = String(repeating: " ", count: nameWidth - name.count)
    var text = "\(name)\(padding)  \(target(of: row.request))"
    if let items = items(of: row) { text += "  (\(items))" }
    if !row.references.isEmpty { text += "  (Graph fills in \(names(of: row.references)))" }
    if !row.dependsOn.isEmpty { text += "  (after \(names(of: row.dependsOn)))" }
    return text
  }
}

extension LowerBound {
  var text: String { "\(counted(calls, "call")), \(counted(rounds, "round"))" }
}
