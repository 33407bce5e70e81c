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
  let identity: RunIdentity
  /// The constraints between requests, and the numbering of instances.
  let graph: InstanceGraph
  /// Whether any write of the workflow can be confirmed.
  let canConfirm: Bool
  /// The requests that are sent although the run has been stopped.
  let cleanUps: [Int]
  /// For each request, whether another run of the job performs it, or an earlier run has.
  let isElsewhere: [Bool]
  /// What each part of the job performs; nil if the run is not a part of a job.
  private let parts: JobParts?
  /// For each request, whether an output refers to its body, or the bookmarks of what is new.
  let isInOutput: [Bool]
  /// The profile of each request.
  private let profiles: [String?]

  init(
    _ workflow: Workflow, _ inputs: InputValues, _ options: RunOptions, _ context: RunContext,
    _ identity: RunIdentity
  ) {
    self.workflow = workflow
    self.inputs = inputs
    self.options = options
    self.context = context
    self.identity = identity
    graph = InstanceGraph(DependencyGraph(of: workflow), of: workflow)
    let dependencies = graph.requests
    let parts = options.shard.map { _ in JobParts(of: workflow, dependencies) }
    self.parts = parts
    isElsewhere = workflow.requests.indices.map { request in
      parts.map { options.shard?.performs($0.phases[request]) == false }
        ?? workflow.conduct.given.contains(request)
    }
    canConfirm = workflow.requests.contains { $0.confirmation != nil }
    cleanUps = workflow.requests.indices.filter { workflow.requests[$0].isCleanUp }
    let outputs = workflow.outputs.filter { options.shard?.shows($0) ?? true }
    let shown = Set(outputs.flatMap(\.placeholders).compactMap(\.reference?.request))
      .union(workflow.listsOfNews)
    isInOutput = workflow.requests.indices.map(shown.contains)
    profiles = workflow.requests.map { request in
      guard case .profile(let profile) = request.token else { return nil }
      return profile == workflow.token ? context.profile ?? profile : profile
    }
  }

  /// Whether items of a group are opened: they are the run's own, or the epilogue needs their results.
  func opensItems(of group: Int) -> Bool {
    guard let parts, let first = workflow.groups[group].members.first else { return true }
    return !isElsewhere[first] || options.shard?.part == .epilogue && parts.epilogueNeedsItems
  }

  /// Whether the run may send a request; it reads again what the journals of other runs do not hold.
  func mayEvaluate(_ request: Int) -> Bool {
    switch options.shard?.part {
    case nil, .epilogue: true
    case .prologue: !isElsewhere[request]
    case .items: parts?.phases[request] != .epilogue
    }
  }

  /// Whether an output is the run's own.
  func shows(_ output: Workflow.Output) -> Bool { options.shard?.shows(output) ?? true }

  /// The items of a group; of windows that are kept, those that the run has to read.
  ///
  /// A run that begins at a request reads all windows of the range, whatever was read before.
  func items(of group: Int, with bindings: Bindings) throws(Failure) -> ItemKeys.Items {
    let source = workflow.groups[group].source
    guard let windows = source.keptWindows else { return try bindings.items(of: source) }
    return .values(
      try windows.items(with: bindings, options.windows, after: known(of: group) ?? Bookmarks()))
  }

  private func known(of group: Int) -> Bookmarks? {
    options.from == nil ? context.bookmarks[group] : nil
  }

  /// The ids that the last read of an item's element listed, by request; none unless the item is
  /// what is new.
  func listed(before item: Item?) -> [String: [String]] {
    guard let item, workflow.groups[item.group].source.listsNews else { return [:] }
    let element = item.value["id"]?.idText ?? ""
    return known(of: item.group)?.lastRead(of: element, options.windows)?.listed ?? [:]
  }

  /// The pages of an instance before the first one was read.
  func pages(
    _ pagination: Workflow.Pagination, of instance: Int, _ item: Item?
  ) -> PageCollection {
    let request = request(of: instance)
    return PageCollection(
      pagination, without: listed(before: item)[request.name] ?? [],
      isNewestFirst: request.params["order"] == .literal("reverse_chronological"))
  }

  /// The version of requests without a version of their own.
  var version: GraphVersion { workflow.version ?? context.version }

  /// The wall clock at a time of the run.
  func wallClock(at now: Duration) -> Timestamp { identity.startedAt.advanced(by: now) }

  func request(of instance: Int) -> Workflow.Request {
    workflow.requests[graph.request(of: instance)]
  }

  /// For each request, whether it is a write or waits for one.
  var isAfterWrite: [Bool] { graph.requests.isAfterWrite }

  /// Whether an instance is only shown: it is a write or waits for one, and the run is a preview.
  func isShown(_ instance: Int) -> Bool {
    options.writes == .shown && isAfterWrite[graph.request(of: instance)]
  }

  /// Whether placeholders need the result of something that is only shown.
  func areUnknown(_ placeholders: [Placeholder]) -> Bool {
    options.writes == .shown
      && placeholders.contains { $0.reference.map { isAfterWrite[$0.request] } ?? false }
  }

  /// The ids of the nodes that a write created, if the workflow has confirmation checks.
  func madeIDs(by request: Workflow.Request, _ response: OperationResponse) -> [String] {
    guard canConfirm, request.isWrite, let body = try? response.body.json() else { return [] }
    return body.madeIDs
  }

  /// Refuses a request that the machine's guard does not allow.
  func check(_ bound: BoundRequest) throws(Failure) {
    guard let refusal = workflow.conduct.requestGuard.refusal(of: bound.operation) else { return }
    throw .notAllowed(refusal)
  }

  /// Whether all of some instances clean up.
  func areCleanUp(_ instances: [Int]) -> Bool {
    !cleanUps.isEmpty && instances.allSatisfy { request(of: $0).isCleanUp }
  }

  /// The longest time that a request may wait.
  var patience: Duration {
    let standard = RetryPolicy.standard.maxElapsed
    return workflow.requests.map { $0.retry?.maxElapsed ?? standard }.max() ?? standard
  }

  /// How long after its start a session begins no call any more; nil for no limit.
  var deadline: Duration? { options.deadline ?? workflow.conduct.deadline }

  /// How many writes the run may send besides those that clean up, which always have room.
  var maxWrites: Int? {
    guard let limit = options.maxWrites ?? workflow.conduct.maxWrites else { return nil }
    let reserved = cleanUps.count { request in
      workflow.requests[request].isWrite && !workflow.conduct.given.contains(request)
    }
    return max(0, options.share(of: limit) - reserved)
  }

  /// Whether a profile's token is obtained again after a recoverable error.
  var recovers: Bool { options.recovers && workflow.conduct.recovers }

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
      datesFrom: identity.datesFrom == identity.startedAt ? nil : identity.datesFrom,
      graphVersion: version.description,
      graphURL: context.graphURL.description, profile: context.profile ?? workflow.token,
      isSandboxRun: context.isSandboxRun, inputs: inputs.forReport,
      requests: workflow.requests.enumerated().map { index, request in
        let place = workflow.source.place(of: request.location)
        return RequestFacts(
          name: request.displayName, method: request.method, path: request.path.text,
          line: place.line,
          dependsOn: graph.requests.predecessors(of: index).map {
            workflow.requests[$0.request].displayName
          }, isIdempotent: request.isIdempotent, isRepeated: request.group != nil,
          part: parts?.phases[index] ?? (isElsewhere[index] ? .earlier : nil),
          definition: workflow.definition(of: index),
          file: place.path == workflow.source.path ? nil : place.path)
      }, itemFiles: context.itemFiles, folder: context.noted.workingFolder, options: options,
      key: context.noted.runKey, job: context.noted.job, total: context.noted.total)
  }
}

extension Shard {
  /// Whether an output is one of its own: rows belong to the items, and everything else is known at
  /// the end.
  fileprivate func shows(_ output: Workflow.Output) -> Bool {
    performs(output.each == nil ? .epilogue : .items)
  }
}
