import GraphAPI

extension Explanation {
  /// The explanation as text; every line ends in a line break.
  package var text: String {
    var lines = [
      "\(name(of: index)) (\(plan.workflow.source.lineText(of: request.location))): "
        + "\(request.verb) \(request.path.text)",
      "  \(callText)",
      "",
      "waits for",
    ]
    lines += (waitLines + otherWaits).map { "  " + $0 }
    if waitLines.isEmpty && otherWaits.isEmpty { lines.append("  nothing") }
    lines += ["", "to run earlier"] + earlier.map { "  " + $0 }
    lines += ["", "what follows"]
    for outcome in outcomes {
      lines.append("  \(outcome.name):")
      lines += outcome.lines.map { "    " + $0 }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Which calls and rounds carry the request.
  private var callText: String {
    guard let rounds else { return "not sent: there are no items" }
    let round = rounds.text(of: "round")
    guard calls.count == 1 else { return "sent in calls \(calls.text) in \(round)" }
    let others =
      otherOperations == 0
      ? "with nothing else" : "with \(counted(otherOperations, "other operation"))"
    return "sent in call \(calls.text) in \(round), \(others)"
  }

  private var waitLines: [String] {
    waits.flatMap { wait in
      ["'\(name(of: wait.predecessor))', \(description(of: wait.kind))"]
        + wait.reasons.flatMap { reason in
          ["  \(origin(of: reason))"] + sentences(of: reason).map { "    \($0)" }
        }
    }
  }

  /// A kind of dependency in a few words.
  private func description(of kind: DependencyKind) -> String {
    switch kind {
    case .data: "soft: both may be in one call"
    case .order: "soft: both may be in one call, in this order"
    case .hard: "hard: its answer must arrive first"
    }
  }

  /// Where a dependency comes from, with its location.
  func origin(of reason: Dependency) -> String {
    switch reason.origin {
    case .order: "`depends_on`"
    case .reference(let placeholder):
      "\(placeholder.text) (\(plan.workflow.source.lineText(of: placeholder.location)))"
    case .source(let placeholder): "`for_each: \(placeholder.text)`"
    }
  }

  /// Why a dependency is hard or soft, in sentences.
  func sentences(of reason: Dependency) -> [String] {
    guard reason.obstacles.isEmpty else {
      return reason.obstacles.members.map {
        $0.reason(name(of: index), name(of: reason.predecessor))
      }
    }
    switch (reason.kind, reason.origin) {
    case (.data, _): return ["Graph fills it in within the call"]
    case (_, .reference): return ["graphflow compares it when both answers are known"]
    default: return ["Graph keeps the order within the call"]
    }
  }

  /// What it waits for besides other requests.
  var otherWaits: [String] {
    var lines: [String] = []
    if !request.permissions.isEmpty {
      let list = request.permissions.joined(separator: ", ")
      lines.append("the permissions of its token, which are looked up once: \(list)")
    }
    if request.when != nil { lines.append("its `when`, which is evaluated before it is sent") }
    if let group = request.group {
      lines.append("its item of '\(plan.workflow.groups[group].name)': \(itemText(of: group))")
    }
    return lines
  }

  private func itemText(of group: Int) -> String {
    switch plan.items[group] {
    case .unknown: "the number of items is known only when the run has an answer or an input"
    case .known, .counted: "once for each of \(counted(plan.items[group].count, "item"))"
    }
  }

  /// The changes that would move it to an earlier round.
  var earlier: [String] {
    guard let rounds else { return ["not possible: there are no items"] }
    if rounds.lowerBound == 1 { return ["nothing has to change: it is sent in the first round"] }
    let decidingWaits = decidingWaits
    if rounds.lowerBound > earliestRound {
      return [
        "it could be sent in round \(earliestRound), but waits for a call that is needed anyway; "
          + "try --strategy fastest"
      ]
    }
    let hard = decidingWaits.filter { $0.kind == .hard }
    guard !hard.isEmpty else {
      let names = decidingWaits.map { "'\(name(of: $0.predecessor))'" }.joined(separator: ", ")
      return ["it is already in one call with \(names), whose dependencies decide"]
    }
    return hard.flatMap { wait in edits(for: wait) }
  }

  private func edits(for wait: Waiting) -> [String] {
    let (own, other) = (name(of: index), name(of: wait.predecessor))
    let edits = wait.obstacles.members.map { obstacle in
      obstacle.edit(own, other) ?? "no edit helps: \(obstacle.reason(own, other))"
    }
    let lead = edits.count == 1 ? "" : "all of: "
    return ["'\(other)': \(lead)\(edits.joined(separator: "; "))"]
  }
}
