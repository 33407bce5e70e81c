import GraphFlow
import JSONPath
import Synchronization

/// The files of windows and their bookmarks, which outlive the processes.
///
/// It does in this order what the command does: the file of a window gets its name, then its bookmark
/// is kept. A process may die before each of them.
final class KeptWindows: Sendable {
  private struct State {
    var night = 0
    /// The night that has written each file.
    var files: [String: Int] = [:]
    var bookmarks: [String: (isRead: Bool, night: Int)] = [:]
    /// The files that the process has written.
    var written: Set<String> = []
    var violations: [String] = []
    var reached: [RareState] = []
  }

  private let state = Mutex(State())

  func begin(night: Int) { state.withLock { $0.night = night } }

  func beginProcess() { state.withLock { $0.written = [] } }

  /// Whether each window that was tried was read.
  var statuses: [String: Bool] { state.withLock { $0.bookmarks.mapValues(\.isRead) } }

  var violations: [String] { state.withLock { $0.violations } }

  func takeReached() -> [RareState] {
    state.withLock { state in
      defer { state.reached = [] }
      return state.reached
    }
  }

  /// The bookmarks of other nights.
  var known: [Bookmark] {
    state.withLock { state in
      state.bookmarks.filter { $0.value.night != state.night }.map { day, status in
        Bookmark(
          Bookmark.Window(element: "", since: day, until: day), isFinished: status.isRead)
      }
    }
  }

  func collect(_ part: OutputPart, on machine: Machine) {
    switch part {
    case .rows, .held, .released, .dropped: break
    case .file(let item):
      guard machine.step(at: .beforeFile) else { return }
      let day = String(item.path.dropFirst("out/".count).prefix("2025-11-01".count))
      state.withLock { state in
        if item.rows.count != 1 || item.rows[0]["day"]?.string != day {
          state.violations.append("I11: the file of \(day) has other rows: \(item.rows)")
        }
        if !state.written.insert(day).inserted {
          state.violations.append("I11: the file of \(day) was written twice")
        }
        state.files[day] = state.night
      }
    case .window(_, let bookmark):
      let (window, isRead) = (bookmark.window, bookmark.isFinished)
      guard machine.step(at: .beforeBookmark) else { return }
      state.withLock { state in
        if isRead, !state.written.contains(window.since) {
          state.violations.append("I11: \(window.since) counts as read, and has no file")
        }
        if !isRead, state.bookmarks[window.since]?.isRead == true { return }
        state.bookmarks[window.since] = (isRead, state.night)
        state.reached.append(isRead ? .windowRead : .windowFailed)
      }
    }
  }
}
