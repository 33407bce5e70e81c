import GraphAPI
import GraphFlow
import JSONPath

/// Shows what a run would do, and sends nothing.
enum DryRun {
  /// Prints inputs, permissions and plan.
  static func show(_ job: RunJob, limits: BatchLimits, on graph: GraphOptions) throws {
    let workflow = job.workflow
    var lines: [String] = []
    for (name, value) in job.inputs.forReport {
      lines.append("input \(name) = \(value.serialized())")
    }
    var permissions: [String] = []
    for permission in workflow.requests.flatMap(\.permissions)
    where !permissions.contains(permission) { permissions.append(permission) }
    if !permissions.isEmpty {
      lines.append("permissions to check: " + permissions.joined(separator: ", "))
    }
    if !graph.sandbox {
      let settings = try Settings(graph)
      lines.append("profile \(settings.profile ?? workflow.token), \(settings.graphURL)")
    }
    let (items, _) = try ItemCheck.items(of: workflow, inputs: job.inputs)
    let plan = Pipeline.plan(workflow, items: items, limits: limits)
    let version = try Configuration.load().version ?? .current
    let head = lines.map { $0 + "\n" }.joined()
    try Terminal.printText(head)
    try PlanPrinting(plan: plan, inputs: job.inputs, version: version).print(as: .text)
  }
}
