/// The one world of a running sandbox, and its log.
actor LiveWorld {
  private var world: World
  private let clock: (@Sendable () -> Int)?
  private let observer: (@Sendable (SandboxCall) -> Void)?
  /// The log, oldest call first.
  private(set) var calls: [SandboxCall] = []
  private var operationCount = 0
  private let logLimit: Int
  private let store: (any WorldStore)?
  private var replay: Replay?

  init(_ world: World, _ configuration: Sandbox.Configuration) {
    self.world = world
    logLimit = configuration.logLimit
    store = configuration.store
    replay = configuration.recording.map(Replay.init)
    clock = configuration.clock
    observer = configuration.observer
  }

  /// Sets where `paging.next` leads.
  func listen(at url: String) { world.origin = url }

  func answer(_ call: GraphCall) -> HTTPAnswer {
    let answer: HTTPAnswer
    let log: SandboxCall
    if !call.isControl, let replayed = replay?.answer(call, at: clock?() ?? world.now) {
      (answer, log) = replayed
    } else {
      (answer, log) = world.answer(call, at: clock?())
      if let store { save(log, to: store) }
    }
    if logLimit > 0 { keep(log) }
    observer?(log)
    return answer
  }

  /// The world as it is now, and its last calls, newest first.
  var sight: (World, [SandboxCall]) {
    var world = world
    if let clock { world.now = clock() }
    return (world, calls.suffix(30).reversed())
  }

  /// Does what somebody does on the page; returns why it cannot be done.
  func perform(_ action: PageAction) -> GraphFault? {
    if let clock { world.now = clock() }
    do throws(GraphFault) {
      try world.perform(action)
    } catch {
      return error
    }
    if let store, store.change(world.changedRecords) { world.objects.beginNoting() }
    return nil
  }

  /// Keeps what a call has changed before it is answered.
  private func save(_ log: SandboxCall, to store: any WorldStore) {
    let isRead =
      world.objects.changed?.isEmpty != false && !log.path.contains("oauth")
      && log.operations.allSatisfy { $0.method == "GET" }
    guard !isRead, store.change(world.changedRecords) else { return }
    world.objects.beginNoting()
  }

  private func keep(_ log: SandboxCall) {
    calls.append(log)
    operationCount += max(1, log.operations.count)
    guard operationCount > logLimit else { return }
    calls.removeFirst(max(1, calls.count / 2))
    operationCount = calls.reduce(0) { $0 + max(1, $1.operations.count) }
  }
}
