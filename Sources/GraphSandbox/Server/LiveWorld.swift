import JSONPath
import NIOConcurrencyHelpers

/// The world of a running sandbox, and its log.
///
/// A class, because the connections share it. It uses a lock, not an actor: an answer takes less time
/// than a hop to an actor and back, and the lock is hardly ever contended.
final class LiveWorld: Sendable {
  struct State {
    var world: World
    var clock: WorldClock
    var log: CallLog
    /// The last calls with their bodies; none if there is no log.
    var exchanges = ExchangeLog()
    var replay: Replay?
    /// Changes with each call and each command.
    var revision = 0
    /// The worlds that are kept under a name, oldest first.
    var kept: [(name: String, world: World)] = []
    var webhooks = WebhookQueue()
  }

  private let state: NIOLockedValueBox<State>
  private let configuration: Sandbox.Configuration

  init(_ world: World, _ configuration: Sandbox.Configuration) {
    state = NIOLockedValueBox(
      State(
        world: world, clock: configuration.newClock(of: world),
        log: CallLog(limit: configuration.logLimit),
        replay: configuration.recording.map(Replay.init)))
    self.configuration = configuration
  }

  /// The log, oldest call first.
  var calls: [SandboxCall] { state.withLockedValue(\.log).calls }

  /// The world's time in seconds since 1970.
  var time: Int { state.withLockedValue { $0.clock.time ?? $0.world.now } }

  /// Whether a delivery is under way or due; one that has failed is tried again later.
  var isSendingWebhooks: Bool {
    state.withLockedValue { $0.webhooks.isActive(at: $0.clock.time ?? $0.world.now) }
  }

  func setOrigin(_ url: String) { state.withLockedValue { $0.world.origin = url } }

  /// Answers a call, and returns its log entry.
  @discardableResult
  func answer(
    _ call: GraphCall, of request: HTTPCall, _ headers: [(name: String, value: String)]
  ) -> (answer: HTTPAnswer, call: SandboxCall) {
    state.withLockedValue { state in
      let answer: HTTPAnswer
      let log: SandboxCall
      let time = state.clock.time
      if !call.isControl,
        let replayed = state.replay?.answer(call, at: time ?? state.world.now)
      {
        (answer, log) = replayed
      } else {
        (answer, log) = state.world.answer(call, at: time)
        state.queueWebhooks()
        if let store = configuration.start.store { state.save(log, to: store) }
      }
      if configuration.logLimit > 0 {
        state.log.append(log)
        state.exchanges.append(Exchange(log, request, headers, answer))
        state.revision += 1
      }
      // Within the lock, so that the observer receives calls in the order of the answers.
      configuration.observer?(log)
      return (answer, log)
    }
  }

  /// Lets time pass before an answer.
  func pause(for time: Duration) async throws { try await configuration.start.pause(time) }

  /// Switches all faults off.
  func stopFaults() {
    state.withLockedValue { $0.world.faults = FaultState() }
  }

  /// The handshakes that a call needs before it is answered.
  func handshakes(for call: GraphCall) -> [Handshake] {
    guard Handshake.mayNeed(call) else { return [] }
    return state.withLockedValue { state in
      // A recording has an answer already.
      state.replay == nil ? Handshake.needed(by: call, in: state.world) : []
    }
  }

  /// Starts the deliveries that are due.
  ///
  /// - Returns: them, and in how many seconds there may be others, after a pause or because a post is
  ///   published; nil: never, or only by calls.
  func startDeliveries() -> (due: [WebhookDelivery], wait: Int?) {
    state.withLockedValue { state in
      let isScheduled = state.world.objects.nextPublication < .max
      guard state.webhooks.hasPending || isScheduled else { return ([], nil) }
      state.showTime()
      let now = state.world.now
      let (due, next) = state.webhooks.start(at: now)
      let wait = min(next ?? .max, state.world.objects.nextPublication)
      return (due, state.clock.time == nil || wait == .max ? nil : max(1, wait - now))
    }
  }

  /// Records how an attempt of a delivery has ended.
  func finishDelivery(_ number: Int, _ reply: CallbackReply) {
    state.withLockedValue { state in
      state.webhooks.finish(number, reply, at: state.clock.time ?? state.world.now)
      state.revision += 1
    }
  }

  /// The present state.
  var present: State {
    state.withLockedValue { state in
      state.showTime()
      return state
    }
  }

  /// The revision and the time.
  var change: JSON {
    state.withLockedValue { state in
      state.showTime()
      return state.change
    }
  }

  /// Does what a command asks for; the answer is JSON.
  func perform(_ command: ControlCommand) throws(ControlFailure) -> JSON {
    let result = state.withLockedValue { state -> Result<JSON, ControlFailure> in
      do throws(ControlFailure) {
        let answer = try state.perform(command, configuration)
        state.revision += 1
        state.queueWebhooks()
        return .success(answer)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}

extension LiveWorld.State {
  /// Brings the world to the present: what is scheduled until now is published.
  mutating func showTime() {
    if let time = clock.time { world.now = time }
    world.publishScheduled()
    queueWebhooks()
  }

  /// Makes deliveries of the changes of the world.
  mutating func queueWebhooks() {
    let notices = world.webhooks.take()
    guard !notices.isEmpty else { return }
    webhooks.add(notices, secret: world.access.secret, at: world.now)
  }

  /// Stores the changes of a call before it is answered.
  mutating func save(_ log: SandboxCall, to store: any WorldStore) {
    let isRead =
      world.objects.changed?.isEmpty != false && !log.path.contains("oauth")
      && log.onlyReads
    if !isRead { save(to: store) }
  }

  mutating func save(to store: any WorldStore) {
    if store.change(world.changedRecords) { world.objects.startTrackingChanges() }
  }
}
