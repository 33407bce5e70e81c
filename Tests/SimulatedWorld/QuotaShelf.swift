import GraphFlow
import Synchronization

/// Where the processes of a world leave what they know of Graph's limits.
final class QuotaShelf: QuotaStore {
  private struct State {
    var book = QuotaSnapshot()
    var chance: Chance
    var machine: Machine
  }

  private let state: Mutex<State>
  private let site: Site
  private let trouble: Int

  /// Makes an empty one.
  ///
  /// - Parameters:
  ///   - chance: what its failures are drawn from.
  ///   - trouble: how many exchanges in a thousand fail.
  ///   - site: where Graph stands.
  init(_ chance: Chance, trouble: Int, site: Site) {
    state = Mutex(State(chance: chance, machine: Machine(at: .zero)))
    self.site = site
    self.trouble = trouble
  }

  /// From now on another process comes here.
  func restart(on machine: Machine) { state.withLock { $0.machine = machine } }

  func exchange(_ changes: QuotaSnapshot, at now: Timestamp) async -> QuotaSnapshot? {
    state.withLock { state in
      guard !state.machine.isDead, !state.chance.happens(trouble) else { return nil }
      state.book.merge(changes, at: now)
      state.book.prune(at: now)
      site.share(at: state.machine.now)
      return state.book
    }
  }
}
