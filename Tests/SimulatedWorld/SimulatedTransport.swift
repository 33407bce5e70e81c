import GraphAPI
import GraphFlow
import Synchronization

/// The way to the model of Graph, where calls take their time and get lost.
struct SimulatedTransport: Transport {
  let machine: Machine
  let site: Site
  let store: Store
  /// When so many calls were made, the person who waits loses patience.
  let stop: (signal: StopSignal, atCall: Int, isKilledBySecond: Bool)?

  func send(
    _ request: WireRequest,
    timeout: Duration
  ) async throws(TransportFailure) -> WireResponse {
    guard machine.lives(at: .beforeSend) else { throw .cancelled }
    let (number, fate) = site.draw(at: machine.now)
    if let stop, number == stop.atCall {
      site.note(.signal)
      stop.signal.give(exitCode: 143)
      if stop.isKilledBySecond {
        site.note(.secondSignal)
        machine.kill()
      }
    }
    let body = request.body
    let authorization = request.headers.first { $0.name.lowercased() == "authorization" }?.value
    let call = Operation.reading(
      method: request.method,
      url: request.url,
      body: body,
      authorization: authorization
    )
    guard let call else { throw .unknownCall }
    let sent = site.send(call, at: machine.now)
    do {
      try await machine.sleep(until: machine.now + .milliseconds(fate.uplink))
    } catch {
      return try orphan(call, fate)
    }
    guard machine.lives(at: .afterSend) else { return try orphan(call, fate) }
    let arrival = machine.now
    let reply = site.reply(to: call, fate, rows: store.count, early: sent.early, at: machine.now)
    guard machine.lives(at: .afterEffect) else { throw .cancelled }
    do {
      var wait = Duration.milliseconds(fate.downlink)
      if case .overdue = reply { wait = timeout }
      try await machine.sleep(until: machine.now + wait)
    } catch {
      site.note(.graceOver)
      throw .cancelled
    }
    if !machine.isDead { site.receive(reply, to: sent.health, at: machine.now) }
    var response = try reply.response
    if let date = site.date(arrivedAt: arrival, leftAt: machine.now - .milliseconds(fate.downlink)),
      let field = HeaderField("Date", date)
    {
      response.headers.append(field)
    }
    return response
  }

  /// What was on its way when its sender died may still arrive.
  private func orphan(
    _ call: (operations: [Operation], token: String, isBatch: Bool),
    _ fate: CallFate
  ) throws(TransportFailure) -> WireResponse {
    if !machine.isDead { site.note(.graceOver) }
    site.receiveOrphan(call, fate, rows: store.count, at: machine.now)
    throw .cancelled
  }
}

/// Where the model of Graph stands: outside every process.
final class Site: Sendable {
  private struct State {
    var graph: ModelGraph
    var chance: Chance
    var calls = 0
    /// How many operations this process has sent.
    var operations = 0
    var pauses = Pauses()
    var health = Health()
    var blames: [String] = []
    /// What else happened to this process.
    var notes: Set<RareState> = []
    /// The answers that were made, and those of them that were read.
    var answers = (made: 0, read: 0)
  }

  private let state: Mutex<State>

  init(world: World) {
    state = Mutex(
      State(graph: ModelGraph(world: world), chance: Chance(world.seed, stream: 3))
    )
  }

  var ledger: Ledger { state.withLock { $0.graph.ledger } }

  /// How many calls this process has made.
  var calls: Int { state.withLock { $0.calls } }

  /// How many operations this process has sent.
  var sentOperations: Int { state.withLock { $0.operations } }

  /// The highest percent of a limit that this process has brought about.
  var peak: Double { state.withLock { $0.graph.limits.peak } }

  /// How many calls Graph has worked on without that their senders know how it counts them.
  var lostAnswers: Int { state.withLock { $0.answers.made - $0.answers.read } }

  /// What was wrong with what this process has sent.
  var blames: [String] { state.withLock { $0.blames } }

  func note(_ reached: RareState) {
    state.withLock { state in
      state.graph.reached.append(reached)
      state.notes.insert(reached)
    }
  }

  /// Whether this process has given up calls that were under way.
  var hasGivenUpCalls: Bool { state.withLock { $0.notes.contains(.graceOver) } }

  /// Whether this process was told to stop.
  var hasSignalled: Bool { state.withLock { $0.notes.contains(.signal) } }

  func takeReached() -> [RareState] {
    state.withLock { state in
      defer { state.graph.reached = [] }
      return state.graph.reached
    }
  }

  func begin(life: Int) {
    state.withLock { state in
      state.calls = 0
      state.operations = 0
      state.health = Health()
      state.blames = []
      state.notes = []
      let world = state.graph.world
      state.pauses.begin(knowingApp: world.knowsApp)
      // Whose clock is wrong, or may be, learns how long a pause lasts by its first answer.
      let trustsClock = !world.clockIsWrong(inLife: life) && !world.clockIsDoubtful(inLife: life)
      if world.exchangeTrouble > 0 || !trustsClock { state.pauses = Pauses() }
      state.graph.begin(life: life)
    }
  }

  /// From now on nothing goes wrong any more.
  func heal() { state.withLock { $0.graph.isHealed = true } }

  func draw(at now: Duration) -> (number: Int, fate: CallFate) {
    state.withLock { state in
      state.calls += 1
      let rate = state.graph.isHealed ? 0 : state.graph.world.callTrouble
      var fate = CallFate(&state.chance, rate: rate)
      if state.graph.world.isSlow, !state.graph.isHealed, state.chance.happens(150) {
        fate.uplink += state.chance.below(10_000)
        fate.downlink += state.chance.below(20_000)
      }
      if !state.graph.isHealed, state.graph.world.outage?.contains(now) == true {
        fate.trouble = state.chance.happens(500) ? .refusedConnection : .lostBefore
      }
      return (state.calls, fate)
    }
  }

  /// What an answer says of the time; nil if nothing.
  func date(arrivedAt arrival: Duration, leftAt departure: Duration) -> String? {
    state.withLock { state in
      let time: Duration? =
        switch state.graph.world.dates {
        case .always: arrival
        case .late: max(arrival, departure)
        case .sometimes: state.chance.happens(500) ? arrival : nil
        case .never: nil
        }
      return time.map { Node.httpDate(state.graph.moment(at: $0)) }
    }
  }

  /// What a call was when it was sent.
  struct Sent: Sendable {
    /// The tokens that should not have been used.
    let early: Set<String>
    let health: Health.Sent
  }

  /// Notes that a call is sent.
  func send(
    _ call: (operations: [Operation], token: String, isBatch: Bool),
    at now: Duration
  ) -> Sent {
    state.withLock { state in
      state.operations += call.operations.count
      state.graph.noteSending(call.operations, at: now)
      let health = state.health.send(call, at: now)
      if let blame = health.blame, state.blames.count < 5 { state.blames.append(blame) }
      if health.isProbe { state.graph.reached.append(.probed) }
      let early = call.operations.map(\.token).filter { state.pauses.forbid($0, at: now) }
      return Sent(early: Set(early), health: health)
    }
  }

  /// Notes that the answer to a call was read, or that there will be none.
  func receive(_ reply: ModelGraph.Reply, to call: Health.Sent, at now: Duration) {
    state.withLock { state in
      var isAnswered = false
      if case .answer(_, _, _, let announcements) = reply {
        isAnswered = true
        state.answers.read += 1
        state.pauses.hear(announcements, at: now)
      }
      if state.health.end(call, isAnswered: isAnswered, at: now) {
        state.graph.reached.append(.outage)
      }
    }
  }

  /// Notes that the process has told later ones what it knows of limits.
  func share(at now: Duration) {
    state.withLock { state in
      // What was written down by a wrong clock tells others nothing.
      let world = state.graph.world
      let knowsTime = world.dates.isReliable && !world.isSlow
      guard knowsTime || !world.clockIsWrong(inLife: state.graph.life) else { return }
      state.pauses.share(at: now)
    }
  }

  func reply(
    to call: (operations: [Operation], token: String, isBatch: Bool),
    _ fate: CallFate,
    rows: Int,
    early: Set<String>,
    at now: Duration
  ) -> ModelGraph.Reply {
    state.withLock { state in
      let count = state.graph.ledger.arrivals.count
      let reply = state.graph.reply(to: call, fate, rows: rows, early: early, at: now)
      if state.graph.ledger.arrivals.count > count { state.answers.made += 1 }
      return reply
    }
  }

  func receiveOrphan(
    _ call: (operations: [Operation], token: String, isBatch: Bool),
    _ fate: CallFate,
    rows: Int,
    at now: Duration
  ) {
    state.withLock { state in
      guard state.chance.happens(500) else { return }
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
          status: status,
          headers: headers.compactMap { HeaderField($0.0, $0.1) },
          body: body
        )
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
    kind: .malformedAnswer,
    message: "the model cannot read this call"
  )
}
