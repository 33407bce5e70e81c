import NIOConcurrencyHelpers

/// The world of a running sandbox, and its log.
///
/// A class, because the connections share it. It uses a lock, not an actor: an answer takes less time
/// than a hop to an actor and back, and the lock is hardly ever contended.
final class LiveWorld: Sendable {
  fileprivate struct State {
    var world: World
    var log: CallLog
    var replay: Replay?
  }

  private let state: NIOLockedValueBox<State>
  private let clock: (@Sendable () -> Int)?
  private let observer: (@Sendable (SandboxCall) -> Void)?
  private let store: (any WorldStore)?

  init(_ world: World, _ configuration: Sandbox.Configuration) {
    state = NIOLockedValueBox(
      State(
        world: world, log: CallLog(limit: configuration.logLimit),
        replay: configuration.recording.map(Replay.init)))
    store = configuration.store
    clock = configuration.clock
    observer = configuration.observer
  }

  /// The log, oldest call first.
  var calls: [SandboxCall] { state.withLockedValue(\.log).calls }

  /// The world's time in seconds since 1970.
  var time: Int { clock?() ?? state.withLockedValue(\.world.now) }

  func setOrigin(_ url: String) { state.withLockedValue { $0.world.origin = url } }

  func answer(_ call: GraphCall) -> HTTPAnswer {
    state.withLockedValue { state in
      let answer: HTTPAnswer
      let log: SandboxCall
      if !call.isControl,
        let replayed = state.replay?.answer(call, at: clock?() ?? state.world.now)
      {
        (answer, log) = replayed
      } else {
        (answer, log) = state.world.answer(call, at: clock?())
        if let store { state.save(log, to: store) }
      }
      state.log.append(log)
      // Within the lock, so that the observer receives calls in the order of the answers.
      observer?(log)
      return answer
    }
  }

  /// The present world and its last calls, newest first.
  var snapshot: (World, [SandboxCall]) {
    state.withLockedValue { state in
      var world = state.world
      if let clock { world.now = clock() }
      world.objects.publishScheduled(at: world.now)
      return (world, state.log.last(30))
    }
  }

  func perform(_ form: Parameters) -> GraphFault? {
    state.withLockedValue { state in
      if let clock { state.world.now = clock() }
      do throws(GraphFault) {
        try state.world.perform(form)
      } catch {
        return error
      }
      if let store { state.save(to: store) }
      return nil
    }
  }
}

extension LiveWorld.State {
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
