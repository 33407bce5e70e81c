import GraphFlow
import Synchronization

/// The store in which the processes of a world share quota snapshots.
final class SharedQuotaStore: QuotaStore {
  private struct State {
    var snapshot = QuotaSnapshot()
    var generator: SeededGenerator
    var machine: Machine
  }

  private let state: Mutex<State>
  private let server: ModelServer
  private let trouble: Int

  /// Makes an empty store.
  ///
  /// - Parameters:
  ///   - generator: draws the failures.
  ///   - trouble: the failed exchanges in a thousand.
  ///   - server: the model of Graph.
  init(_ generator: SeededGenerator, trouble: Int, server: ModelServer) {
    state = Mutex(State(generator: generator, machine: Machine(at: .zero)))
    self.server = server
    self.trouble = trouble
  }

  /// Records that another process uses the store from now on.
  func restart(on machine: Machine) { state.withLock { $0.machine = machine } }

  func exchange(_ changes: QuotaSnapshot, at now: Timestamp) async -> QuotaSnapshot? {
    state.withLock { state in
      guard !state.machine.isDead, !state.generator.happens(trouble) else { return nil }
      state.snapshot.merge(changes, at: now)
      state.snapshot.prune(at: now)
      server.share(at: state.machine.now)
      return state.snapshot
    }
  }
}
