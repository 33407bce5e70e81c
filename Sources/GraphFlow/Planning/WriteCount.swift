extension [Plan.Items] {
  /// How many writes a run of a workflow sends if every request succeeds: those that no `when` can
  /// skip, and all that clean up; the items are those of its groups.
  package func certainWrites(of workflow: Workflow) -> Int {
    let requests = workflow.requests
    let graph = DependencyGraph(of: workflow)
    var isCertain = requests.map { $0.when == nil }
    // A request may come before its dependency in the file.
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for index in requests.indices where isCertain[index] {
        guard graph.predecessors(of: index).contains(where: { !isCertain[$0.request] }) else {
          continue
        }
        (isCertain[index], hasChanged) = (false, true)
      }
    }
    return requests.indices.reduce(0) { count, index in
      let request = requests[index]
      guard request.isWrite, !workflow.conduct.given.contains(index),
        isCertain[index] || request.isCleanUp
      else { return count }
      guard let group = request.group else { return count + 1 }
      return self[group] == .unknown ? count : count + self[group].count
    }
  }
}
