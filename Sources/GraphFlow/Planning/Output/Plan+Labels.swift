import GraphAPI

/// The texts for requests, calls and reasons that all formats of a plan share.
extension Plan {
  /// The workflow's name with the main figures.
  var title: String {
    "\(workflow.name): \(counted(operationCount, "operation")), "
      + "\(counted(callCount, "call")), \(counted(rounds, "round"))"
  }

  func name(of request: Int) -> String { workflow.requests[request].displayName }

  func names(of requests: [Int]) -> String { requests.map(name(of:)).joined(separator: ", ") }

  func target(of request: Int) -> String {
    let request = workflow.requests[request]
    return "\(request.verb) \(request.path.text)"
  }

  /// A row's name, with the number of its items: `publish.post × 50`.
  func name(of row: PlanOutline.Row) -> String {
    row.items.count < 2 ? name(of: row.request) : "\(name(of: row.request)) × \(row.items.count)"
  }

  /// The items of a row; nil outside groups.
  func items(of row: PlanOutline.Row) -> String? {
    guard let group = workflow.requests[row.request].group else { return nil }
    switch items[group] {
    case .unknown: return "for each item; their number is not known yet"
    case .known(let keys) where row.items.count == 1:
      return "item \(row.items.numbers.first.map { keys[$0] } ?? "")"
    case .known, .counted: return row.items.text(of: "item")
    }
  }

  /// Why a call holds no more operations, given one of its requests.
  func text(of reason: CloseReason, alone request: Int?) -> String {
    switch reason {
    case .alone:
      let looksLikeReference = request.map { !workflow.requests[$0].isAlone } ?? false
      return looksLikeReference
        ? "travels alone (Graph would take its text for a reference)" : "travels alone"
    case .full: return "full (\(counted(limits.width, "operation")))"
    case .unsafeWrites:
      return "full (\(counted(limits.unsafeWrites, "write")) that cannot be confirmed)"
    case .nothingLeft: return "nothing left"
    case .waits(let waits): return text(of: waits)
    case .window: return "more items are read when some of these have finished"
    case .apart: return "the next requests stay together in another call"
    }
  }

  /// Which requests wait for which answers, and why they cannot share a batch.
  private func text(of waits: [CloseReason.Wait]) -> String {
    var sentences: [(names: [String], reason: String)] = []
    for wait in waits {
      let reason = "the answer of '\(name(of: wait.predecessor))' (\(reason(for: wait)))"
      let name = "'\(name(of: wait.request))'"
      if let last = sentences.last, last.reason == reason {
        sentences[sentences.count - 1].names.append(name)
      } else {
        sentences.append(([name], reason))
      }
    }
    return sentences.map { names, reason in
      "\(names.joined(separator: ", ")) \(names.count == 1 ? "waits" : "wait") for \(reason)"
    }
    .joined(separator: "; ")
  }

  private func reason(for wait: CloseReason.Wait) -> String {
    let obstacles = workflow.dependencies(of: wait.request, isAlone: course.graph.isAlone)
      .filter { $0.predecessor == wait.predecessor }
      .reduce(into: BatchObstacles()) { $0.formUnion($1.obstacles) }
    return obstacles.members.first?.shortReason(name(of: wait.request))
      ?? "Graph accepts one `depends_on` for each request"
  }
}

/// A number with its noun: `1 call`, `2 calls`.
func counted(_ number: Int, _ noun: String) -> String {
  number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
}
