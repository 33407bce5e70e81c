import GraphAPI
import GraphFlow
import JSONPath
import Testing

/// One or many concurrent runs in virtual time, against one ``RollingGraph``.
struct PacedRuns {
  /// One run and its calls under way.
  struct Run {
    var state: RunState
    var now: Duration
    let start: Duration
    var underWay: [(call: Int, at: Duration, result: CallResult)] = []
    var end: RunEnd?
    var events: [RunEvent] = []
    var pauses: [QuotaPause] {
      events.compactMap { if case .paused(let pause) = $0 { pause } else { nil } }
    }
  }

  var graph: RollingGraph
  var runs: [Run] = []
  /// How long a call takes that is sent at a time.
  var latency: (_ now: Duration) -> Duration = { _ in .milliseconds(200) }
  /// The answer to a call of a run instead of the graph's.
  var refusal: (_ run: Run) -> CallResult? = { _ in nil }
  /// The quota snapshot that the runs share, if any.
  var snapshot: QuotaSnapshot?
  /// The send times of all operations and their runs, in order.
  private(set) var sendings: [(at: Duration, operations: Int, run: Int)] = []

  init(_ graph: RollingGraph) { self.graph = graph }

  static let timestamp = Timestamp(milliseconds: 1_763_629_200_000)

  /// A workflow that reads each of a number of items.
  static func reads(patience: String = "48h", extra: String = "") throws -> Workflow {
    try workflow(
      """
      graphflow: 1
      defaults: {retry: {max_elapsed: \(patience)\(extra)}}
      inputs:
        rows: {type: list, default: []}
      requests:
        read:
          for_each: "{input=rows}"
          requests:
            one: {get: "{item=$}"}
      """)
  }

  /// Adds a run that starts at a time.
  mutating func add(
    _ count: Int, of workflow: Workflow, options: RunOptions = RunOptions(),
    token: String = "token", replaying events: [RunEvent] = [], at start: Duration = .zero,
    seed: UInt64 = 1
  ) throws {
    let rows = (0..<count).map { #""x\#($0)""# }.joined(separator: ",")
    let (values, _) = InputValues.resolving(
      workflow, flags: [("rows", "[\(rows)]")], file: nil, environment: [:])
    var generator = SplitMix64(seed: seed)
    let startedAt = Self.timestamp.advanced(by: events.isEmpty ? start : .zero)
    var state = RunState(
      workflow: workflow, inputs: try #require(values), options: options,
      context: RunContext(
        graphURL: .standard, version: .current,
        token: { _ throws(TokenUnavailable) in throw TokenUnavailable(message: "", hint: "") },
        readFile: { _ in [] }), id: RunID(startedAt: startedAt, using: &generator),
      startedAt: startedAt, seed: seed)
    if !events.isEmpty { state.replay(events, at: start) }
    runs.append(Run(state: state, now: start, start: events.isEmpty ? start : .zero))
    let last = runs.count - 1
    runs[last].state.handleToken(.success(try #require(AccessToken(token))), forProfile: "default")
  }

  /// Runs all to their ends, or until a time, always the one with the earliest time.
  mutating func play(until limit: Duration = .seconds(1_000_000_000)) {
    while let next = runs.indices.filter({ runs[$0].end == nil }).min(by: {
      runs[$0].now < runs[$1].now
    }), runs[next].now < limit { step(next) }
  }

  private mutating func step(_ index: Int) {
    let elapsed = runs[index].now - runs[index].start
    if var snapshot, let changes = runs[index].state.quotaChanges(at: elapsed) {
      let timestamp = runs[index].state.graphTime(at: elapsed)
      snapshot.merge(changes, at: timestamp)
      runs[index].state.mergeQuota(snapshot, at: elapsed)
      self.snapshot = snapshot
    }
    let action = runs[index].state.next(at: elapsed)
    runs[index].events += runs[index].state.takeEvents()
    switch action {
    case .send(let call):
      sendings.append((runs[index].now, call.operations.count, index))
      let result = refusal(runs[index]) ?? graph.answer(call, at: runs[index].now)
      runs[index].underWay.append((call.number, runs[index].now + latency(runs[index].now), result))
    case .awaitResult:
      let calls = runs[index].underWay
      let next = calls.indices.min { calls[$0].at < calls[$1].at } ?? 0
      let first = runs[index].underWay.remove(at: next)
      runs[index].now = max(runs[index].now, first.at)
      runs[index].state.handleCallResult(
        first.result, forCall: first.call, at: runs[index].now - runs[index].start)
    case .wait(let until): runs[index].now = runs[index].start + until
    case .finish(let end): runs[index].end = end
    case .obtainToken, .readItems: Issue.record("nothing of this was wanted")
    }
  }

  /// The time that the last run ended.
  var makespan: Duration { runs.map(\.now).max() ?? .zero }
}
