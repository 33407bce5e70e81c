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
    let (number, fate) = site.draw()
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
    do {
      try await machine.sleep(until: machine.now + .milliseconds(fate.uplink))
    } catch {
      return try orphan(call, fate)
    }
    guard machine.lives(at: .afterSend) else { return try orphan(call, fate) }
    let reply = site.reply(to: call, fate, rows: store.count, at: machine.now)
    guard machine.lives(at: .afterEffect) else { throw .cancelled }
    do {
      var wait = Duration.milliseconds(fate.downlink)
      if case .overdue = reply { wait = timeout }
      try await machine.sleep(until: machine.now + wait)
    } catch {
      site.note(.graceOver)
      throw .cancelled
    }
    return try reply.response
  }

  /// What was on its way when its sender died may still arrive.
  private func orphan(
    _ call: (operations: [Operation], token: String, isBatch: Bool),
    _ fate: CallFate
  ) throws(TransportFailure) -> WireResponse {
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

  func note(_ reached: RareState) { state.withLock { $0.graph.reached.append(reached) } }

  func takeReached() -> [RareState] {
    state.withLock { state in
      defer { state.graph.reached = [] }
      return state.graph.reached
    }
  }

  func begin(life: Int) {
    state.withLock { state in
      state.calls = 0
      state.graph.begin(life: life)
    }
  }

  /// From now on nothing goes wrong any more.
  func heal() { state.withLock { $0.graph.isHealed = true } }

  func draw() -> (number: Int, fate: CallFate) {
    state.withLock { state in
      state.calls += 1
      let rate = state.graph.isHealed ? 0 : state.graph.world.callTrouble
      return (state.calls, CallFate(&state.chance, rate: rate))
    }
  }

  func reply(
    to call: (operations: [Operation], token: String, isBatch: Bool),
    _ fate: CallFate,
    rows: Int,
    at now: Duration
  ) -> ModelGraph.Reply {
    state.withLock { $0.graph.reply(to: call, fate, rows: rows, at: now) }
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
      case .answer(let status, let headers, let body):
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
