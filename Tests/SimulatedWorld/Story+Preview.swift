import GraphFlow
import Synchronization

extension Story {
  /// Shows the writes as `run --preview` does, until a person has seen them and agrees.
  ///
  /// If a preview can never read what it needs, the run begins without one.
  mutating func showWrites() {
    guard let preview = world.preview, let workflow = workflow?.under(requestGuard),
      WritePreview.hiddenGroup(of: workflow) == nil
    else { return }
    for attempt in 0..<4 where violations.isEmpty {
      let machine = Machine(at: time, dyingAtStep: attempt == 0 ? preview.deathStep : .max)
      quotaStore.restart(on: machine)
      server.begin(process: 0)
      guard let state = newState(of: workflow, .shown) else { return }
      let shown = ShownRun(on: machine)
      let runner = Runner(
        transport: SimulatedTransport(machine: machine, server: server, store: store, stop: nil),
        journal: shown, clock: VirtualClock(machine: machine), gracePeriod: .seconds(2),
        quota: quotaStore)
      let start = clock
      let isFinished = machine.run(atMost: 2_000_000) {
        var state = state
        let end = try? await runner.run(&state, since: max(.zero, start)) { _ in }
        shown.end(with: end, state.preview)
      }
      if !isFinished { violations.append("I6: the preview does not end") }
      time = machine.now + .seconds(60)
      calls += server.calls
      checker.checkPreview(server.ledger)
      reach(server.takeReached())
      if machine.death != nil {
        reach([.crashInPreview])
      } else if let preview = shown.preview, let report = Value(parsing: shown.report) {
        checker.shown = Finding.reading(report)
        approval = .approved(preview.approval)
        if preview.count > 0 { reach([.previewShown]) }
        return
      }
    }
  }
}

/// What a preview has shown; its journal is in no file.
private final class ShownRun: Journal {
  private struct State {
    var events: [RunEvent] = []
    var preview: WritePreview?
  }

  private let state = Mutex(State())
  private let machine: Machine

  init(on machine: Machine) { self.machine = machine }

  /// The writes; nil if the preview could not read all that they need.
  var preview: WritePreview? { state.withLock { $0.preview } }

  var report: [UInt8] { Report(of: state.withLock { $0.events }).json }

  func append(_ events: [RunEvent], durably: Bool) async throws {
    guard !machine.isDead else { throw CancellationError() }
    state.withLock { $0.events += events }
  }

  func end(with end: RunEnd?, _ preview: WritePreview) {
    guard let end, [0, 1].contains(end.exitCode) else { return }
    state.withLock { $0.preview = preview }
  }
}
