import GraphAPI

/// How a plan speaks of requests, calls and reasons, in every format.
struct PlanWords {
  private let summary: PlanSummary
  private let isAlone: [Bool]

  init(of summary: PlanSummary) {
    self.summary = summary
    isAlone = summary.workflow.requests.map(\.isSentAlone)
  }

  private var workflow: Workflow { summary.workflow }

  /// What is planned, and what it comes to.
  var title: String {
    "\(workflow.name): \(counted(summary.operationCount, "operation")), "
      + "\(counted(summary.calls, "call")), \(counted(summary.rounds, "round"))"
  }

  /// What no packing can undercut.
  var lowerBound: String {
    "\(counted(summary.lowerBound.calls, "call")), \(counted(summary.lowerBound.rounds, "round"))"
  }

  /// A request's name.
  func name(of request: Int) -> String { workflow.requests[request].displayName }

  /// The names of requests, in the order given.
  func names(of requests: [Int]) -> String {
    requests.map(name(of:)).joined(separator: ", ")
  }

  /// The method of a request.
  func method(of request: Int) -> String { workflow.requests[request].method.rawValue }

  /// What is asked of Graph: the method and the path as written.
  func target(of request: Int) -> String {
    let request = workflow.requests[request]
    return "\(request.method.rawValue) \(request.path.text)"
  }

  /// A row's name, with the number of its items: `publish.post × 50`.
  func name(of row: PlanOutline.Row) -> String {
    row.items.count < 2 ? name(of: row.request) : "\(name(of: row.request)) × \(row.items.count)"
  }

  /// The items of a row; nil outside groups.
  func items(of row: PlanOutline.Row) -> String? {
    guard let group = workflow.requests[row.request].group else { return nil }
    switch summary.items[group] {
    case .unknown: return "for each item, as many as there will be"
    case .known(let keys) where row.items.count == 1:
      let key = row.items.numbers.first.map { keys[$0] } ?? ""
      return "item \(key)"
    case .known, .counted:
      return row.items.text(of: "item")
    }
  }

  /// Why a call holds no more than it does.
  func text(of end: Plan.End, alone request: Int?) -> String {
    switch end {
    case .alone:
      let looksLikeReference = request.map { !workflow.requests[$0].isAlone } ?? false
      return looksLikeReference
        ? "travels alone (Graph would take its text for a reference)" : "travels alone"
    case .full: return "full (\(counted(summary.limits.width, "operation")))"
    case .unsafeWrites:
      return "full (\(counted(summary.limits.unsafeWrites, "write")) that nobody could confirm)"
    case .nothingLeft: return "nothing left"
    case .waits(let waits): return text(of: waits)
    case .window: return "more items are read when some of these are over"
    case .apart: return "what comes next stays together in another call"
    }
  }

  /// Who waits for whose answer, and why they cannot share a batch.
  private func text(of waits: [Plan.Wait]) -> String {
    var told: [(names: [String], reason: String)] = []
    for wait in waits {
      let reason = "the answer of '\(name(of: wait.predecessor))' (\(reason(for: wait)))"
      let name = "'\(name(of: wait.request))'"
      if let last = told.last, last.reason == reason {
        told[told.count - 1].names.append(name)
      } else {
        told.append(([name], reason))
      }
    }
    return told.map { names, reason in
      "\(names.joined(separator: ", ")) \(names.count == 1 ? "waits" : "wait") for \(reason)"
    }
    .joined(separator: "; ")
  }

  private func reason(for wait: Plan.Wait) -> String {
    let obstacles = workflow.dependencies(of: wait.request, isAlone: isAlone)
      .filter { $0.predecessor == wait.predecessor }
      .reduce(into: BatchObstacles()) { $0.formUnion($1.obstacles) }
    return obstacles.members.first?.brief(name(of: wait.request))
      ?? "a batch takes one `depends_on` of a request"
  }
}

/// A number with its noun: `1 call`, `2 calls`.
func counted(_ number: Int, _ noun: String) -> String {
  number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
}
