/// The one world of a running sandbox, and its log.
actor LiveWorld {
  private var world: World
  private let clock: (@Sendable () -> Int)?
  private let observer: (@Sendable (SandboxCall) -> Void)?
  /// The log, oldest call first.
  private(set) var calls: [SandboxCall] = []
  private var operationCount = 0

  /// How many operations the log holds before it forgets the older half.
  private static let operationLimit = 250_000

  init(_ world: World, _ configuration: Sandbox.Configuration) {
    self.world = world
    clock = configuration.clock
    observer = configuration.observer
  }

  /// Sets where `paging.next` leads.
  func listen(at url: String) { world.origin = url }

  func answer(_ call: GraphCall) -> HTTPAnswer {
    let (answer, log) = world.answer(call, at: clock?())
    calls.append(log)
    operationCount += max(1, log.operations.count)
    if operationCount > Self.operationLimit {
      calls.removeFirst(calls.count / 2)
      operationCount = calls.reduce(0) { $0 + max(1, $1.operations.count) }
    }
    observer?(log)
    return answer
  }
}
