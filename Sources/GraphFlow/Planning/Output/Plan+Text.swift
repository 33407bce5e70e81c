package import GraphAPI

extension Plan {
  /// The plan as text: rounds, calls, their operations and why they hold no more.
  ///
  /// - Parameter defaultVersion: the Graph version of a workflow that has none.
  /// - Returns: the text; every line ends in a line break.
  package func text(defaultVersion: GraphVersion = .current) -> String {
    var text = PlanText(of: summary, defaultVersion: defaultVersion)
    return text.heading + callsByRound.reduce(into: "") { $0 += text.add($1) } + text.finish()
  }
}

/// Writes a plan as text, round by round.
package struct PlanText {
  private let summary: PlanSummary
  private let version: GraphVersion
  private let labels: PlanLabels
  private var outline: PlanOutline

  /// Starts a text.
  ///
  /// - Parameters:
  ///   - summary: the figures of the plan.
  ///   - defaultVersion: the Graph version of a workflow that has none.
  package init(of summary: PlanSummary, defaultVersion: GraphVersion = .current) {
    self.summary = summary
    version = summary.workflow.version ?? defaultVersion
    labels = PlanLabels(of: summary)
    outline = PlanOutline(of: summary.workflow)
  }

  /// The lines above the rounds.
  package var heading: String {
    let lines = [
      "\(labels.title) (Graph API \(version), \(summary.limits.strategy.rawValue))",
      "lower bound: \(labels.lowerBound)",
      "cost: \(cost)",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private var cost: String {
    let operations = OperationMethod.allCases.compactMap { method -> String? in
      let checks = method == .get ? summary.checkOperations : 0
      let count = summary.operations[method, default: 0] + checks
      return count > 0 ? "\(count) \(method.rawValue)" : nil
    }
    let unknown = summary.unknownGroups.map { "'\($0.name)'" }
    let more =
      unknown.isEmpty ? "" : ", and more with the items of \(unknown.joined(separator: ", "))"
    return [
      counted(summary.calls + summary.checkCalls, "HTTP call") + checks,
      operations.isEmpty
        ? "nothing counts against the rate limit"
        : "\(operations.joined(separator: ", ")) against the rate limit",
      roundTrips + more,
    ]
    .joined(separator: "; ")
  }

  /// `, 1 of them for 2 confirmation checks`.
  private var checks: String {
    guard summary.checkCalls > 0 else { return "" }
    let number = counted(summary.checkOperations, "confirmation check")
    return ", \(summary.checkCalls) of them for \(number) before the first sends"
  }

  /// `1 round trip`; also the limits, if they make calls of a round wait for each other.
  private var roundTrips: String {
    let number = counted(summary.roundTrips, "round trip")
    guard summary.roundTripsOfRounds > summary.rounds else { return number }
    return "at least \(number): \(BatchLimits.standardConcurrency) calls at a time, and "
      + counted(summary.limits.unsafeWrites, "write") + " that cannot be confirmed"
  }

  /// Adds the next round; returns the text of the rounds that are complete.
  package mutating func add(_ round: Plan.Round) -> String {
    outline.add(round).map(text(of:)) ?? ""
  }

  /// The rest of the text.
  package mutating func finish() -> String { outline.finish().map(text(of:)) ?? "" }

  private func text(of band: PlanOutline.Band) -> String {
    var lines = ["", band.rounds.text(of: "round")]
    for card in band.cards {
      lines.append("  " + card.calls.text(of: "call") + ": " + description(of: card))
      let width = card.rows.map { labels.name(of: $0).count }.max() ?? 0
      lines += card.rows.map { "    " + description(of: $0, nameWidth: width) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func description(of card: PlanOutline.Card) -> String {
    let reason = labels.text(of: card.closeReason, alone: card.rows.first?.request)
    let number = counted(card.operationCount, "operation")
    let isEven = card.largest * card.calls.count == card.operationCount
    let share = isEven ? "\(card.largest) each" : "at most \(card.largest) each"
    let content =
      switch (card.isSingle, card.calls.count) {
      case (true, 1): "one operation, \(reason)"
      case (true, _): "\(number), each \(reason)"
      case (false, 1): "\(number), ends: \(reason)"
      case (false, _): "\(number), \(share), ends: \(reason)"
      }
    return card.after.isEmpty ? content : content + ", after \(card.after.text(of: "call"))"
  }

  private func description(of row: PlanOutline.Row, nameWidth: Int) -> String {
    let name = labels.name(of: row)
    let padding = String(repeating: " ", count: nameWidth - name.count)
    var text = "\(name)\(padding)  \(labels.target(of: row.request))"
    if let items = labels.items(of: row) { text += "  (\(items))" }
    if !row.references.isEmpty { text += "  (Graph fills in \(labels.names(of: row.references)))" }
    if !row.dependsOn.isEmpty { text += "  (after \(labels.names(of: row.dependsOn)))" }
    return text
  }
}
