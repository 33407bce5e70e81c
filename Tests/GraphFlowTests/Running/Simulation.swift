import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// A run in virtual time: ``RunState`` against a ``SimulatedGraph``, without a task or a thread.
struct Simulation {
  let workflow: Workflow
  var state: RunState
  var graph = SimulatedGraph()
  /// The result of a call as a whole; calls are numbered from 1.
  var callFault: (_ call: Call) -> CallResult? = { _ in nil }
  /// The answer to a call at a time, in place of the graph's.
  var server: (_ call: Call, _ now: Duration) -> CallResult? = { _, _ in nil }
  /// Whether a call is lost, before or after Graph has run it.
  var loss: (_ call: Call) -> Loss? = { _ in nil }
  /// The token in a profile's source; the reads of that source are numbered from 0.
  var source: (_ profile: String, _ reading: Int) -> Result<AccessToken, TokenUnavailable> = {
    profile,
    _ in
    AccessToken("token-of-\(profile)").map(Result.success)
      ?? .failure(TokenUnavailable(message: "no token", hint: ""))
  }
  private var readingCounts: [String: Int] = [:]
  private var itemCounts: [Int: Int] = [:]
  /// The items of each group's file.
  var items: [Int: [JSON]] = [:]
  private(set) var now: Duration
  /// The operations and the send time of every call, in order.
  private(set) var calls: [(operations: [BatchOperation], isSingle: Bool, at: Duration)] = []
  private(set) var events: [RunEvent] = []
  /// What the runner takes for the files of outputs, in its order.
  private(set) var parts: [OutputPart] = []
  /// The rows of outputs with one file.
  var rows: [(output: Int, value: JSON)] { parts.rows }
  private var steps = 0
  /// The result of reading a baseline, which is answered at once.
  ///
  /// Such calls are not in ``calls`` and not counted in the numbers of the others.
  var checkFault: (_ check: Call, _ graph: SimulatedGraph) -> CallResult? = { _, _ in nil }
  /// The operations of the baselines that were read before writes were sent.
  private(set) var checks: [[BatchOperation]] = []
  /// Whether answers have a `Date`.
  var tellsTime = true
  /// Chooses which of the calls under way is answered next, by its position in the order of sending.
  var arrivals: (_ underWay: [Call]) -> Int = { _ in 0 }

  /// How long a call takes.
  var latency = Duration.milliseconds(10)
  /// The signal that comes just before a call is answered.
  var signal: (call: Int, exitCode: Int)?

  /// Where a call is lost.
  enum Loss {
    case beforeItIsApplied
    case afterItIsApplied
  }

  init(
    _ workflow: Workflow, inputs: [(name: String, value: String)] = [],
    options: RunOptions = RunOptions(), replaying recorded: [RunEvent] = [],
    decisions: [DoubtDecision] = [], at now: Duration = .zero, seed: UInt64 = 1,
    app: (secret: AppSecret?, token: AccessToken?) = (nil, nil), files: [String: [UInt8]] = [:],
    bookmarks: [Bookmark] = []
  ) throws {
    self.workflow = workflow
    self.now = max(.zero, now)
    let (values, problems) = InputValues.resolving(
      workflow, flags: inputs, file: nil, environment: [:])
    let startedAt = Simulation.startedAt
    var generator = SplitMix64(seed: 7)
    var context = RunContext(
      graphURL: .standard, version: .current, appSecret: app.secret, appToken: app.token,
      token: { _ throws(TokenUnavailable) in
        throw TokenUnavailable(message: "not asked for here", hint: "")
      },
      readFile: { path in
        guard let contents = files[path] else { throw MissingFile() }
        return contents
      })
    context.bookmarks = [0: Bookmarks(bookmarks)]
    state = RunState(
      workflow: workflow, inputs: try #require(values, "\(problems)"), options: options,
      context: context, id: RunID(startedAt: startedAt, using: &generator), startedAt: startedAt,
      seed: seed)
    if !recorded.isEmpty { state.replay(recorded, decisions: decisions, at: now) }
  }

  /// The wall clock at the run's start.
  static let startedAt = Timestamp(milliseconds: 1_763_629_200_000)

  private struct MissingFile: Error {}

  /// Runs to the end.
  ///
  /// - Parameters:
  ///   - limit: stops, as `kill -9` would, before the call with this number is answered.
  ///   - lastStep: stops, as `kill -9` would, when the events of this step are journaled.
  ///   - isApplied: whether Graph still runs the calls under way if the run is killed.
  /// - Returns: the end of the run; `nil` if it was killed.
  /// - Throws: the errors of `#require`.
  mutating func run(
    killedAtCall limit: Int = .max, killedAtStep lastStep: Int = .max,
    applying isApplied: Bool = false
  ) throws -> RunEnd? {
    var underWay: [Call] = []
    while true {
      var action = state.next(at: now)
      let taken = state.takeEvents()
      events += taken
      parts += state.takeRows()
      graph.now = Simulation.startedAt.advanced(by: now)
      if case .send(let call) = action {
        if taken.contains(where: { $0.readsChecks(call.number) }) {
          checks.append(call.operations)
          state.handleCallResult(answer(toCheck: call), forCall: call.number, at: now)
          continue
        }
        numbers[call.number - checks.count] = call.number
        action = .send(call.renumbered(call.number - checks.count))
      }
      steps += 1
      if case .finish(let end) = action {
        #expect(underWay.isEmpty)
        return end
      }
      if steps >= lastStep {
        if case .send(let call) = action { underWay.append(call) }
        for call in underWay where isApplied { _ = graph.answer(call) }
        return nil
      }
      switch action {
      case .obtainToken(let profile):
        let reading = readingCounts[profile, default: 0]
        readingCounts[profile] = reading + 1
        state.handleToken(source(profile, reading), forProfile: profile)
      case .readItems(let group, _, let count):
        state.handleItems(.success(nextItems(of: group, atMost: count)), forGroup: group)
      case .send(let call):
        calls.append((call.operations, call.isSingle, now))
        underWay.append(call)
      case .awaitResult:
        let call = underWay.remove(at: arrivals(underWay))
        if call.number >= limit { return nil }
        now += latency
        if let signal, call.number == signal.call { state.cancel(exitCode: signal.exitCode) }
        graph.now = Simulation.startedAt.advanced(by: now)
        let number = numbers[call.number] ?? call.number
        state.handleCallResult(result(of: call), forCall: number, at: now)
      case .wait(let until):
        #expect(underWay.isEmpty && until > now)
        now = until
      case .finish: break
      }
    }
  }

  private mutating func nextItems(of group: Int, atMost count: Int) -> [PreparedItem] {
    let preparation = state.progress.items.preparation(ofGroup: group)
    // A chunk of a shard may have none of its items, which is not the end.
    while let rest = items[group], !rest.isEmpty {
      let first = itemCounts[group, default: 0]
      let read = rest.prefix(count)
      items[group]?.removeFirst(read.count)
      itemCounts[group] = first + read.count
      let prepared = read.enumerated().compactMap { preparation.item($1, at: first + $0) }
      if !prepared.isEmpty { return prepared }
    }
    return []
  }

  private mutating func result(of call: Call) -> CallResult {
    if let result = callFault(call) ?? server(call, now) { return result }
    if let loss = loss(call) {
      if loss == .afterItIsApplied { _ = graph.answer(call) }
      return .failed(TransportFailure(kind: .connectionLost, message: "connection lost"))
    }
    return .answered(graph.answer(call), facts)
  }

  private func answer(toCheck call: Call) -> CallResult {
    if let result = checkFault(call, graph) { return result }
    var graph = graph
    graph.fault = { _, _ in nil }
    return .answered(graph.answer(call), facts)
  }

  /// Arrivals in a random order.
  static func inRandomOrder(seed: UInt64) -> ([Call]) -> Int {
    var generator = SplitMix64(seed: seed)
    return { Int.random(in: $0.indices, using: &generator) }
  }

  /// The metadata of an answer that is made now.
  var facts: CallFacts {
    CallFacts(status: 200, bytesSent: 1, bytesReceived: 1, date: tellsTime ? graph.date : nil)
  }

  /// The numbers of calls in the run, by their numbers without baselines.
  private(set) var numbers: [Int: Int] = [:]

  /// The final outcome of every request by name; the last end of an instance counts.
  var outcomes: [String: RequestEnd] {
    let names = workflow.requests.map(\.displayName)
    return events.reduce(into: [:]) { outcomes, event in
      guard case .requestEnded(let end) = event else { return }
      outcomes[names[end.request] + (end.item.map { "[\($0.key)]" } ?? "")] = end
    }
  }

  var statuses: [String: RequestStatus] { outcomes.mapValues(\.status) }
}

extension RunEvent {
  /// Whether the event starts a call that reads baselines.
  fileprivate func readsChecks(_ number: Int) -> Bool {
    guard case .callStarted(let start) = self else { return false }
    return start.number == number && start.kind == .confirm && start.operations.isEmpty
  }
}

extension Call {
  fileprivate func renumbered(_ number: Int) -> Call {
    Call(number: number, content: content, timeout: timeout)
  }

  var operations: [BatchOperation] {
    switch content {
    case .batch(let batch): batch.operations
    case .single(let single): [single.operation]
    }
  }

  var isSingle: Bool { if case .single = content { true } else { false } }
}
