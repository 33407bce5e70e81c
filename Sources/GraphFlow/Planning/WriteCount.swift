extension [Plan.Items] {
  /// How many writes a run of a workflow sends if every request succeeds: those that no `when` can
  /// skip, and all that clean up; the items are those of its groups.
  package func certainWrites(of workflow: Workflow) -> Int {
    let requests = workflow.requests
    let mayBeSkipped = DependencyGraph(of: workflow).waiting(for: requests.map { $0.when != nil })
    return requests.indices.reduce(0) { count, index in
      let request = requests[index]
      guard request.isWrite, !workflow.conduct.given.contains(index),
        !mayBeSkipped[index] || request.isCleanUp
      else { return count }
      guard let group = request.group else { return count + 1 }
      return self[group] == .unknown ? count : count + self[group].count
    }
  }
}
