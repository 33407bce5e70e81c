import GraphAPI
import JSONPath

/// What does not change during a run.
///
/// A class, because every part of the state refers to it.
final class RunFacts: Sendable {
  let workflow: Workflow
  let inputs: InputValues
  let options: RunOptions
  let context: RunContext
  let identity: (id: RunID, startedAt: Timestamp)
  /// The constraints between requests, and the numbering of instances.
  let graph: InstanceGraph
  /// Whether any write of the workflow can be confirmed.
  let canConfirm: Bool
  /// For each request, whether an output refers to its body.
  let isInOutput: [Bool]
  /// The profile of each request.
  private let profiles: [String?]

  init(
    _ workflow: Workflow, _ inputs: InputValues, _ options: RunOptions, _ context: RunContext,
    _ identity: (id: RunID, startedAt: Timestamp)
  ) {
    self.workflow = workflow
    self.inputs = inputs
    self.options = options
    self.context = context
    self.identity = identity
    graph = InstanceGraph(DependencyGraph(of: workflow), of: workflow)
    canConfirm = workflow.requests.contains { $0.confirmation != nil }
    let shown = Set(workflow.outputs.flatMap(\.value.placeholders).compactMap(\.reference?.request))
    isInOutput = workflow.requests.indices.map(shown.contains)
    profiles = workflow.requests.map { request in
      guard case .profile(let profile) = request.token else { return nil }
      return profile == workflow.token ? context.profile ?? profile : profile
    }
  }

  /// The wall clock at a time of the run.
  func wallClock(at now: Duration) -> Timestamp { identity.startedAt.advanced(by: now) }

  func request(of instance: Int) -> Workflow.Request {
    workflow.requests[graph.request(of: instance)]
  }

  /// The profile whose token an instance uses; `nil` if it comes from a reference.
  func profile(of instance: Int) -> String? { profiles[graph.request(of: instance)] }

  /// The profiles whose tokens instances use, without consecutive repetitions.
  func profiles(of instances: some Sequence<Int>) -> [String] {
    var profiles: [String] = []
    for instance in instances {
      guard let profile = profile(of: instance), profile != profiles.last else { continue }
      profiles.append(profile)
    }
    return profiles
  }

  /// The facts for the first event, with secrets.
  var start: RunStart {
    RunStart(
      id: identity.id, workflow: workflow.name, file: workflow.source.path,
      fileDigest: workflow.source.digest, startedAt: identity.startedAt,
      graphVersion: (workflow.version ?? context.version).description,
      graphURL: context.graphURL.description, profile: context.profile ?? workflow.token,
      isSandboxRun: context.isSandboxRun, inputs: inputs.forReport,
      requests: workflow.requests.enumerated().map { index, request in
        RequestFacts(
          name: request.displayName, method: request.method, path: request.path.text,
          line: request.location.line,
          dependsOn: graph.requests.predecessors(of: index).map {
            workflow.requests[$0.request].displayName
          }, isIdempotent: request.isIdempotent, isRepeated: request.group != nil)
      }, itemFiles: context.itemFiles, folder: context.workingFolder, options: options,
      key: context.runKey, total: context.total)
  }
}
