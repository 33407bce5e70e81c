import GraphAPI

extension Explanation {
  /// The explanation for people: lines of text, the last one ended.
  package var text: String {
    var lines = [
      "\(name(of: index)) (line \(request.location.line)): "
        + "\(request.method.rawValue) \(request.path.text)",
      "  \(carriage)",
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
  var carriage: String {
    guard let rounds else { return "not sent: there are no items" }
    let round = rounds.text(of: "round")
    guard calls.count == 1 else { return "carried by calls \(calls.text) in \(round)" }
    let others =
      companions == 0
      ? "with nothing else" : "with \(counted(companions, "other operation"))"
    return "carried by call \(calls.text) in \(round), \(others)"
  }

  private var waitLines: [String] {
    waits.flatMap { wait in
      ["'\(name(of: wait.predecessor))', \(text(of: wait.kind))"]
        + wait.reasons.flatMap { reason in
          ["  \(origin(of: reason))"] + sentences(of: reason).map { "    \($0)" }
        }
    }
  }

  /// How a request waits, in a few words.
  private func text(of kind: DependencyKind) -> String {
    switch kind {
    case .data: "soft: both may travel in one call"
    case .order: "soft: both may travel in one call, in this order"
    case .hard: "hard: its answer has to be here first"
    }
  }

  /// What makes it wait, with its place.
  func origin(of reason: Dependency) -> String {
    switch reason.origin {
    case .order: "`depends_on`"
    case .reference(let placeholder): "\(placeholder.text) (line \(placeholder.location.line))"
    case .source(let placeholder): "`for_each: \(placeholder.text)`"
    }
  }

  /// Why it waits in the way it does, in sentences.
  func sentences(of reason: Dependency) -> [String] {
    guard reason.obstacles.isEmpty else {
      return reason.obstacles.members.map {
        $0.reason(name(of: index), name(of: reason.predecessor))
      }
    }
    switch (reason.kind, reason.origin) {
    case (.data, _): return ["Graph fills it in inside the call"]
    case (_, .reference): return ["it is compared here once both answers are known"]
    default: return ["Graph keeps the order inside the call"]
    }
  }

  /// What it waits for beside other requests.
  var otherWaits: [String] {
    var lines: [String] = []
    if !request.permissions.isEmpty {
      let list = request.permissions.joined(separator: ", ")
      lines.append("the permissions of its token, which are looked up once: \(list)")
    }
    if request.when != nil { lines.append("its `when`, which is judged before it is sent") }
    if let group = request.group {
      lines.append("its item of '\(summary.workflow.groups[group].name)': \(itemText(of: group))")
    }
    return lines
  }

  private func itemText(of group: Int) -> String {
    switch summary.items[group] {
    case .unknown: "as many as an answer, or an input that was not given, will hold"
    case .known, .counted: "once for each of \(counted(summary.items[group].count, "item"))"
    }
  }

  /// What would have to change for an earlier round.
  var earlier: [String] {
    guard let rounds else { return ["nothing can: there are no items"] }
    if rounds.lowerBound == 1 { return ["nothing has to change: it is sent in the first round"] }
    let decisive = decisive
    if rounds.lowerBound > earliestRound {
      return [
        "it could be sent in round \(earliestRound), and waits for a call that is needed anyway; "
          + "try --strategy fastest"
      ]
    }
    let hard = decisive.filter { $0.kind == .hard }
    guard !hard.isEmpty else {
      let names = decisive.map { "'\(name(of: $0.predecessor))'" }.joined(separator: ", ")
      return ["it travels with \(names) already; what those wait for decides"]
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
