internal import Dispatch
internal import GRDB
internal import Synchronization

/// Puts what stands in a journal's write-ahead log back into its file, beside the appends.
///
/// Left to itself SQLite does so within an append, which then waits until as much is written once
/// more and both files are synced. Here another connection does most of it in time, on a thread of
/// its own, and little is left for the append at which the log is full and begins anew.
///
/// Source: SQLite, "Write-Ahead Logging", Checkpointing and Concurrency.
final class LogFolding: Sendable {
  /// After so many bytes of rows what is in the log is put back.
  private static let passSize = 16 << 20
  /// The size of the log, in pages of 4 KiB, at which an append does the rest: 64 MiB.
  static let fullLog = 16_384

  private let path: String
  private let thread = DispatchQueue(label: "graphflow.journal.folding")
  private let state = Mutex(State())

  private struct State {
    /// The bytes of the rows since the last pass.
    var appended = 0
    var connection: DatabaseQueue?
  }

  /// Prepares for the journal at a path; nothing is opened before there is something to do.
  init(path: String) { self.path = path }

  /// Notes that a row was appended.
  func note(appended size: Int) {
    let isDue = state.withLock { state in
      state.appended += size
      guard state.appended >= LogFolding.passSize else { return false }
      state.appended = 0
      return true
    }
    if isDue { thread.async { [self] in pass() } }
  }

  /// Waits for a pass that is under way, and closes what it has opened.
  func finish() {
    thread.sync {
      let connection = state.withLock { $0.connection.take() }
      try? connection?.close()
    }
  }

  private func pass() {
    // What fails here stays in the log, where it is safe, for the next pass or a full log.
    let known = state.withLock(\.connection)
    guard let connection = known ?? (try? DatabaseQueue(path: path)) else { return }
    state.withLock { $0.connection = connection }
    _ = try? connection.writeWithoutTransaction { try $0.checkpoint(.passive) }
  }
}
