/// Which part of a job performs each request of a workflow.
package struct JobParts: Sendable {
  /// For each request, the phase of the job in which it is sent.
  package let phases: [JobPhase]
  /// Whether the epilogue needs the results of groups.
  package let epilogueNeedsItems: Bool
  /// Whether the epilogue has requests or outputs.
  package let hasEpilogue: Bool
  /// Why the workflow cannot be divided, in a sentence; nil if it can.
  package let obstacle: String?

  package init(of workflow: Workflow) { self.init(of: workflow, DependencyGraph(of: workflow)) }

  init(of workflow: Workflow, _ graph: DependencyGraph) {
    let requests = workflow.requests
    var phases = requests.map { $0.group == nil ? JobPhase.epilogue : .items }
    /// What a group waits for, and what its rows refer to.
    var needed = requests.indices.filter { requests[$0].group != nil }.flatMap { member in
      graph.predecessors(of: member).map { (by: requests[member], request: $0.request) }
    }
    for output in workflow.outputs {
      guard let member = output.each else { continue }
      needed += output.placeholders.compactMap(\.reference?.request).map {
        (requests[member], $0)
      }
    }
    var obstacle = workflow.groups.isEmpty ? "it has no group, so there is nothing to divide" : nil
    for group in workflow.groups {
      obstacle = obstacle ?? JobParts.obstacle(in: group)
      // Each part would see what the others have read meanwhile, and have a manifest of its own.
      if group.source.keptWindows != nil {
        obstacle = obstacle ?? "the windows of the group '\(group.name)' have a `state`"
      }
    }
    while let (follower, request) = needed.popLast() {
      guard requests[request].group == nil else {
        if requests[request].group == follower.group { continue }
        obstacle = obstacle ?? JobParts.obstacle(for: follower, after: requests[request])
        continue
      }
      guard phases[request] == .epilogue else { continue }
      phases[request] = .prologue
      needed += graph.predecessors(of: request).map { (requests[request], $0.request) }
    }
    let values = workflow.outputs.filter { $0.each == nil }
    let last = requests.indices.filter { phases[$0] == .epilogue }
    let sources =
      last.flatMap { graph.predecessors(of: $0).map(\.request) }
      + values.flatMap { $0.value.placeholders.compactMap(\.reference?.request) }
    epilogueNeedsItems = sources.contains { requests[$0].group != nil }
    hasEpilogue = !last.isEmpty || !values.isEmpty
    self.phases = phases
    self.obstacle = obstacle
  }

  /// Whether a part of the job has to run before the groups.
  package var hasPrologue: Bool { phases.contains(.prologue) }

  /// Why the items of a group would not be divided in the same way by all runs.
  static func obstacle(in group: Workflow.Group) -> String? {
    guard let key = group.key else {
      guard group.source.reference != nil else { return nil }
      return "the group '\(group.name)' takes its items from an answer and has no `key`, so its "
        + "items cannot be divided"
    }
    let ofRun = key.placeholders.contains { $0.kind == .runID || $0.kind == .runStartedAt }
    return ofRun ? "the `key` of the group '\(group.name)' is another one in each run" : nil
  }

  private static func obstacle(
    for follower: Workflow.Request, after member: Workflow.Request
  ) -> String {
    "'\(follower.displayName)', which a group needs, waits for all items of '\(member.displayName)'"
  }
}
