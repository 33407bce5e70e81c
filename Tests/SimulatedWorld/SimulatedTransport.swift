import GraphAPI
import GraphFlow
import Synchronization

/// The network between a process and the model of Graph: calls are delayed and lost.
struct SimulatedTransport: Transport {
  let machine: Machine
  let server: ModelServer
  let store: Store
  /// The signal that is given at a call.
  let stop: (signal: StopSignal, atCall: Int, isKilledBySecond: Bool)?

  func send(
    _ request: WireRequest, timeout: Duration
  ) async throws(TransportFailure) -> WireResponse {
    guard machine.step(at: .beforeSend) else { throw .cancelled }
    let (number, fate) = server.draw(at: machine.now)
    if let stop, number == stop.atCall {
      server.record(.signal)
      stop.signal.give(exitCode: 143)
      if stop.isKilledBySecond {
        server.record(.secondSignal)
        machine.kill()
      }
    }
    let body = request.body
    let authorization = request.headers.first { $0.name.lowercased() == "authorization" }?.value
    let call = Operation.reading(
      method: request.method, url: request.url, body: body, authorization: authorization)
    guard let call else { throw .unknownCall }
    let sent = server.recordSend(of: call, at: machine.now)
    do {
      try await machine.sleep(until: machine.now + .milliseconds(fate.uplink))
    } catch {
      return try orphan(call, fate)
    }
    guard machine.step(at: .afterSend) else { return try orphan(call, fate) }
    let arrival = machine.now
    let reply = server.reply(to: call, fate, rows: store.count, early: sent.early, at: machine.now)
    guard machine.step(at: .afterEffect) else { throw .cancelled }
    do {
      var wait = Duration.milliseconds(fate.downlink)
      if case .overdue = reply { wait = timeout }
      try await machine.sleep(until: machine.now + wait)
    } catch {
      server.record(.gracePeriodExpired)
      throw .cancelled
    }
    if !machine.isDead { server.recordReply(reply, to: sent.health, at: machine.now) }
    var response = try reply.response
    if let date = server.date(
      arrivedAt: arrival, leftAt: machine.now - .milliseconds(fate.downlink)),
      let field = HeaderField("Date", date)
    {
      response.headers.append(field)
    }
    return response
  }

  /// Handles a call whose sender died or gave up before it arrived: it may still arrive.
  private func orphan(
    _ call: (operations: [Operation], token: String, isBatch: Bool), _ fate: CallFate
  ) throws(TransportFailure) -> WireResponse {
    if !machine.isDead { server.record(.gracePeriodExpired) }
    server.deliverOrphan(call, fate, rows: store.count, at: machine.now)
    throw .cancelled
  }
}

/// The way to the network of a process that may be stopped before each call.
struct GatedTransport: Transport {
  let transport: LockedTransport<SimulatedTransport>
  let machine: Machine
  let server: ModelServer

  init(_ transport: SimulatedTransport) {
    let (machine, server) = (transport.machine, transport.server)
    self.transport = LockedTransport(transport) {
      if machine.hasLostLease { server.record(.sendRefused) }
      return !machine.hasLostLease
    }
    (self.machine, self.server) = (machine, server)
  }

  func send(
    _ request: WireRequest, timeout: Duration
  ) async throws(TransportFailure) -> WireResponse {
    await machine.gate()
    return try await transport.send(request, timeout: timeout)
  }
}

/// The model of Graph outside every process.
final class ModelServer: Sendable {
  private struct State {
    var graph: ModelGraph
    var generator: SeededGenerator
    var calls = 0
    /// The number of operations that this process has sent.
    var operations = 0
    var pauses = Pauses()
    var health = Health()
    var violations: [String] = []
    /// Other states that this process reached.
    var notes: Set<RareState> = []
    /// The answers that were made, and the answers that were read.
    var answers = (made: 0, read: 0)
  }

  private let state: Mutex<State>

  init(world: World) {
    state = Mutex(
      State(graph: ModelGraph(world: world), generator: SeededGenerator(world.seed, stream: 3)))
  }

  var ledger: Ledger { state.withLock { $0.graph.ledger } }

  /// The number of calls that this process has made.
  var calls: Int { state.withLock { $0.calls } }

  /// The number of operations that this process has sent.
  var sentOperations: Int { state.withLock { $0.operations } }

  /// The highest percent of a limit that this process reached.
  var peak: Double { state.withLock { $0.graph.limits.peak } }

  /// The number of calls that Graph has processed and counted without their sender knowing.
  var lostAnswers: Int { state.withLock { $0.answers.made - $0.answers.read } }

  /// The violations in the calls of this process.
  var violations: [String] { state.withLock { $0.violations } }

  func record(_ reached: RareState) {
    state.withLock { state in
      state.graph.reached.append(reached)
      state.notes.insert(reached)
    }
  }

  /// Whether this process has given up calls that were under way.
  var hasGivenUpCalls: Bool { state.withLock { $0.notes.contains(.gracePeriodExpired) } }

  /// Whether this process received a signal to stop.
  var hasSignalled: Bool { state.withLock { $0.notes.contains(.signal) } }

  func takeReached() -> [RareState] {
    state.withLock { state in
      defer { state.graph.reached = [] }
      return state.graph.reached
    }
  }

  func begin(process: Int) {
    state.withLock { state in
      state.calls = 0
      state.operations = 0
      state.health = Health()
      state.violations = []
      state.notes = []
      let world = state.graph.world
      state.pauses.begin(knowingApp: world.knowsApp)
      // A process whose clock is or may be wrong knows stored pauses only after its first answer.
      let trustsClock =
        !world.clockIsWrong(inProcess: process) && !world.clockIsDoubtful(inProcess: process)
      if world.exchangeTrouble > 0 || !trustsClock { state.pauses = Pauses() }
      state.graph.begin(process: process)
    }
  }

  /// Begins another run, for which the effects so far are posts of others.
  func beginRun() {
    state.withLock { $0.graph.beginRun() }
  }

  /// Ends all faults.
  func heal() { state.withLock { $0.graph.isHealed = true } }

  func draw(at now: Duration) -> (number: Int, fate: CallFate) {
    state.withLock { state in
      state.calls += 1
      let rate = state.graph.isHealed ? 0 : state.graph.world.callTrouble
      var fate = CallFate(&state.generator, rate: rate)
      if state.graph.world.isSlow, !state.graph.isHealed, state.generator.happens(150) {
        fate.uplink += state.generator.below(10_000)
        fate.downlink += state.generator.below(20_000)
      }
      if !state.graph.isHealed, state.graph.world.outage?.contains(now) == true {
        fate.trouble = state.generator.happens(500) ? .refusedConnection : .lostBefore
      }
      return (state.calls, fate)
    }
  }

  /// The `Date` of an answer, if it has one.
  func date(arrivedAt arrival: Duration, leftAt departure: Duration) -> String? {
    state.withLock { state in
      let time: Duration? =
        switch state.graph.world.dates {
        case .always: arrival
        case .late: max(arrival, departure)
        case .sometimes: state.generator.happens(500) ? arrival : nil
        case .never: nil
        }
      return time.map { Node.httpDate(state.graph.serverTime(at: $0)) }
    }
  }

  /// The state at the time when a call was sent.
  struct Sent: Sendable {
    /// The tokens that were paused.
    let early: Set<String>
    let health: Health.Sent
  }

  /// Records that a call is sent.
  func recordSend(
    of call: (operations: [Operation], token: String, isBatch: Bool), at now: Duration
  ) -> Sent {
    state.withLock { state in
      state.operations += call.operations.count
      state.graph.recordSending(call.operations, at: now)
      let health = state.health.recordSend(of: call, at: now)
      // While the intent of a call is stored far away, another call's answer may ask for a pause.
      let isPunctual = state.graph.world.hosts == nil
      if isPunctual, let violation = health.violation, state.violations.count < 5 {
        state.violations.append(violation)
      }
      let guarded = state.graph.world.guardedMethods
      for operation in call.operations
      where guarded.contains(operation.method) && operation.path.contains("{result=") {
        state.violations.append("Graph fills in \(operation.path), which the guard has to read")
      }
      if health.isProbe { state.graph.reached.append(.probed) }
      let early = call.operations.filter { isPunctual && state.pauses.forbids($0, at: now) }
      return Sent(early: Set(early.map(\.lane)), health: health)
    }
  }

  /// Records that the answer to a call was read, or that there is none.
  func recordReply(_ reply: ModelGraph.Reply, to call: Health.Sent, at now: Duration) {
    state.withLock { state in
      var isAnswered = false
      if case .answer(_, _, _, let announcements) = reply {
        isAnswered = true
        state.answers.read += 1
        state.pauses.record(announcements, at: now)
      }
      if state.health.completeCall(call, isAnswered: isAnswered, at: now) {
        state.graph.reached.append(.outage)
      }
    }
  }

  /// Records that the process has stored its pauses for later processes.
  func share(at now: Duration) {
    state.withLock { state in
      // Times by a wrong clock are useless to other processes.
      let world = state.graph.world
      let knowsTime = world.dates.isReliable && !world.isSlow
      guard knowsTime || !world.clockIsWrong(inProcess: state.graph.process) else { return }
      state.pauses.share(at: now)
    }
  }

  func reply(
    to call: (operations: [Operation], token: String, isBatch: Bool), _ fate: CallFate, rows: Int,
    early: Set<String>, at now: Duration
  ) -> ModelGraph.Reply {
    state.withLock { state in
      let count = state.graph.ledger.arrivals.count
      let reply = state.graph.reply(to: call, fate, rows: rows, early: early, at: now)
      if state.graph.ledger.arrivals.count > count { state.answers.made += 1 }
      return reply
    }
  }

  func deliverOrphan(
    _ call: (operations: [Operation], token: String, isBatch: Bool), _ fate: CallFate, rows: Int,
    at now: Duration
  ) {
    state.withLock { state in
      guard state.generator.happens(500) else { return }
      let effects = state.graph.ledger.effects.count
      state.answers.made += 1
      _ = state.graph.reply(to: call, fate, rows: rows, at: now)
      if state.graph.ledger.effects.count > effects {
        state.graph.reached.append(.appliedAlthoughDead)
      }
    }
  }
}

extension ModelGraph.Reply {
  fileprivate var response: WireResponse {
    get throws(TransportFailure) {
      switch self {
      case .answer(let status, let headers, let body, _):
        WireResponse(
          status: status, headers: headers.compactMap { HeaderField($0.0, $0.1) }, body: body)
      case .noAnswer: throw TransportFailure(kind: .connectionLost, message: "connection lost")
      case .noConnection: throw TransportFailure(kind: .notSent, message: "connection refused")
      case .overdue: throw TransportFailure(kind: .timedOut, message: "timed out")
      }
    }
  }
}

extension TransportFailure {
  fileprivate static let cancelled = TransportFailure(kind: .cancelled, message: "cancelled")
  fileprivate static let unknownCall = TransportFailure(
    kind: .malformedAnswer, message: "the model cannot read this call")
}
