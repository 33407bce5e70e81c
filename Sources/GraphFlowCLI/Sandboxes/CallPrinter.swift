import Dispatch
import GraphFlow
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

/// A sandbox's calls as lines for people: number, time, status, method, address, outcome.
///
/// A call of one operation is one line. A batch has a line for each operation below its own.
struct CallLines {
  var hasColor = false

  private enum Color: Int {
    case dim = 2
    case failure = 31
    case success, warning
  }

  /// The lines of a call, without the last line break.
  func text(of call: SandboxCall) -> String {
    let head = padded(String(call.number), 5) + "  " + colored(clock(call.time), .dim) + "  "
    guard !call.isBatch, call.operations.count == 1, let operation = call.operations.first else {
      let isExecuted = call.isBatch && !call.operations.isEmpty
      let note = isExecuted ? "batch of \(call.operations.count)" : "refused"
      let first =
        head + status(call.status) + "  " + method(call.method) + "  " + shown(call.path)
        + text(of: [note], call.fault)
      let others = call.operations.enumerated().map { index, operation in
        "               " + colored(padded(String(index + 1), 2), .dim) + "  "
          + line(of: operation, at: operation.resolvedURL)
      }
      return ([first] + others).joined(separator: "\n")
    }
    let query = operation.relativeURL.drop { $0 != "?" }
    return head + line(of: operation, at: call.path + query, call)
  }

  private func line(
    of operation: SandboxCall.Operation, at address: String, _ call: SandboxCall? = nil
  ) -> String {
    var notes: [String] = []
    if let name = operation.name { notes.append("'" + shown(name) + "'") }
    if operation.isApplied, operation.method != "GET" { notes.append("applied") }
    if let error = operation.error { notes.append("error " + error) }
    if let note = operation.note, note != "invented" { notes.append(note) }
    return status(call?.status ?? operation.code) + "  " + method(operation.method) + "  "
      + shown(address) + text(of: notes, call?.fault ?? operation.fault)
  }

  private func text(of notes: [String], _ fault: String?) -> String {
    var text = notes.isEmpty ? "" : "  " + colored(notes.joined(separator: ", "), .dim)
    if let fault { text += "  " + colored("fault: " + shown(fault), .warning) }
    return text
  }

  private func status(_ code: Int?) -> String {
    guard let code else { return colored("---", .dim) }
    return colored(String(code), code < 400 ? .success : .failure)
  }

  private func method(_ name: String) -> String { shown(name).padded(to: 6) }

  /// The time of day in UTC, by the world's clock.
  private func clock(_ seconds: Int) -> String {
    let second = ((seconds % 86_400) + 86_400) % 86_400
    return [second / 3_600, second / 60 % 60, second % 60]
      .map { padded(String($0), 2, with: "0") }.joined(separator: ":")
  }

  private func padded(_ text: String, _ width: Int, with filler: String = " ") -> String {
    String(repeating: filler, count: max(0, width - text.utf8.count)) + text
  }

  /// A client's text on one line: line breaks in it are escaped.
  private func shown(_ text: String) -> String {
    DisplayText.safe(text.replacing("\n", with: "\\n"))
  }

  private func colored(_ text: String, _ color: Color) -> String {
    hasColor ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
  }
}
