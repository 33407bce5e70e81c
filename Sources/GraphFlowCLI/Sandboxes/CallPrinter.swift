import Dispatch
import GraphSandbox
import Synchronization

/// Shows the calls of a sandbox on standard error, on a thread of its own.
///
/// The sandbox never waits for a terminal: calls that arrive too fast are skipped, and their number
/// is printed. A class, because the server's handlers share it.
final class CallPrinter: Sendable {
  private struct State {
    var waiting = 0
    var skippedCount = 0
  }

  private static let capacity = 10_000

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "graphflow.calls")
  private let lines: CallLines

  /// Prints calls in colours if standard error takes them.
  init() { lines = CallLines(hasColor: Terminal.hasColor(STDERR_FILENO)) }

  /// Queues a call; returns at once.
  func show(_ call: SandboxCall) {
    let hasRoom = state.withLock { state in
      guard state.waiting < CallPrinter.capacity else {
        state.skippedCount += 1
        return false
      }
      state.waiting += 1
      return true
    }
    guard hasRoom else { return }
    queue.async { [self] in
      Terminal.notify(lines.text(of: call))
      let skippedCount = state.withLock { state in
        state.waiting -= 1
        guard state.waiting == 0 else { return 0 }
        defer { state.skippedCount = 0 }
        return state.skippedCount
      }
      if skippedCount > 0 {
        Terminal.notify("… \(skippedCount) calls were not shown: they came too fast")
      }
    }
  }
}
