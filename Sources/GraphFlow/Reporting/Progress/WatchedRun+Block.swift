/// How a terminal shows a run.
package struct ProgressStyle: Sendable {
  /// The columns of the terminal.
  package var width: Int
  /// Colours, or none.
  package var style: TextStyle
  /// How far the clock of people is ahead of UTC, in seconds.
  package var zone: Int
  /// Whether the terminal shows more than ASCII.
  package var hasUnicode: Bool

  package init(width: Int, style: TextStyle = .plain, zone: Int = 0, hasUnicode: Bool = true) {
    (self.width, self.style, self.zone, self.hasUnicode) = (width, style, zone, hasUnicode)
  }
}

extension WatchedRun {
  /// The block of lines that a terminal shows, none of them wider than the terminal; empty before the
  /// start.
  package func block(_ look: ProgressStyle, at now: Timestamp) -> [String] {
    guard start != nil else { return [] }
    var lines = [barLine(look)]
    lines += paragraphs(facts, look)
    if let pause = pause(at: now) {
      let line =
        "  paused: \(pause.reason), back at \(pause.until.clock(look.zone)), "
        + "in \(ElapsedTime.countdown(pause.until.milliseconds - now.milliseconds))"
      lines.append(look.style.apply("33", to: cut(line, look)))
    }
    return lines + slowest(at: now).map { cut($0, look) }
  }

  /// `post-and-verify  ━━━━━━────  1204 of 3000  40 %`.
  private func barLine(_ look: ProgressStyle) -> String {
    let counts = percentage.map { "\(doneOfTotal)  \($0) %" } ?? doneOfTotal
    let name = cut(UntrustedText.safe(start?.workflow ?? ""), look, to: 24)
    let room = look.width - 5 - TextLines.columns(name) - TextLines.columns(counts)
    guard let percentage, room >= 10 else { return cut("\(name)  \(counts)", look) }
    let length = min(room, WatchedRun.barLength)
    let filled = length * percentage / 100
    let (full, empty) = look.hasUnicode ? WatchedRun.bars : WatchedRun.plainBars
    // The bars have equally many bytes for each column, so that they can be cut quickly.
    func part(_ bar: String, _ columns: Int) -> String {
      String(Substring(bar.utf8.prefix(bar.utf8.count / WatchedRun.barLength * columns)))
    }
    let bar = look.style.apply("32", to: part(full, filled))
    return "\(name)  \(bar)\(part(empty, length - filled))  \(counts)"
  }

  private static let barLength = 60
  private static let bars = (
    full: String(repeating: "━", count: barLength), empty: String(repeating: "─", count: barLength)
  )
  private static let plainBars = (
    full: String(repeating: "#", count: barLength), empty: String(repeating: "-", count: barLength)
  )

  /// `1204 of 3000`, or `1204 done, reading` if there may be more items.
  private var doneOfTotal: String {
    guard let total else { return "\(done.requests) done" }
    guard total.isComplete else { return "\(done.requests) done, reading" }
    return "\(min(done.requests, total.known)) of \(total.known)"
  }

  /// What went wrong, and how fast it goes.
  private var facts: [String] {
    var facts = troubles
    let limit = callLimit.map { " of \($0)" } ?? ""
    facts.append(
      "\(inFlight.count)\(limit) \(inFlight.count == 1 && limit == "" ? "call" : "calls")")
    if let rate = operationsPerSecond { facts.append("\(Int(rate.rounded())) operations/s") }
    if let usage { facts.append("\(usage) % of the limit") }
    if let left = millisecondsLeft { facts.append("\(ElapsedTime.countdown(left)) left") }
    return facts
  }

  /// `60 failed`, `13 retried`; what did not occur is left out.
  private var troubles: [String] {
    [
      (done.failed, "failed"), (done.inDoubt, "in doubt"), (done.cancelled, "cancelled"),
      (done.skipped, "skipped"), (retried, "retried"),
    ]
    .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
  }

  /// One line for a log: `1204 of 3000 (40 %), 60 failed, 212 operations/s, 0:08 left`.
  package var logLine: String {
    var parts = [percentage.map { "\(doneOfTotal) (\($0) %)" } ?? doneOfTotal] + troubles
    if let rate = operationsPerSecond { parts.append("\(Int(rate.rounded())) operations/s") }
    if let left = millisecondsLeft { parts.append("\(ElapsedTime.countdown(left)) left") }
    return parts.joined(separator: ", ")
  }

  /// The calls that have been in flight for more than two seconds, at most three, the oldest first.
  private func slowest(at now: Timestamp) -> [String] {
    let old = inFlight.values.filter { $0.startedAt.advanced(by: .seconds(2)) <= now }
    return old.sorted { ($0.startedAt, $0.number) < ($1.startedAt, $1.number) }.prefix(3).map {
      call in
      let time = ElapsedTime.countdown(now.milliseconds - call.startedAt.milliseconds)
      guard let first = call.operations.first, let facts = start?.requests,
        facts.indices.contains(first.request)
      else { return "  \(time)  call \(call.number)" }
      let name = facts[first.request].name + (first.item.map { "[\($0.key)]" } ?? "")
      let more = call.operations.count > 1 ? " and \(call.operations.count - 1) more" : ""
      return "  \(time)  \(UntrustedText.safe(name))\(more)"
    }
  }

  /// Joins facts to lines that fit, each indented.
  private func paragraphs(_ facts: [String], _ look: ProgressStyle) -> [String] {
    let separator = look.hasUnicode ? " · " : ", "
    var lines: [String] = []
    var columns = Int.max / 2
    // Facts are plain, and separators take three columns at the most.
    for fact in facts {
      columns += 3 + fact.utf8.count
      if columns < look.width {
        lines[lines.count - 1] += separator + fact
      } else {
        lines.append("  " + fact)
        columns = 2 + fact.utf8.count
      }
    }
    return columns < look.width && lines.count == 1 ? lines : lines.map { cut($0, look) }
  }

  /// Cuts a text to the terminal's width, less one column: some terminals wrap after the last.
  private func cut(_ text: String, _ look: ProgressStyle, to limit: Int = .max) -> String {
    let width = max(1, min(look.width - 1, limit))
    guard TextLines.columns(text) > width else { return text }
    var (result, columns) = ("", 0)
    for scalar in text.unicodeScalars {
      columns += DisplayText.width(scalar)
      if columns >= width { break }
      result.unicodeScalars.append(scalar)
    }
    return result + (look.hasUnicode ? "…" : "~")
  }
}

extension Timestamp {
  /// `14:20:05`, in a zone that is some seconds ahead of UTC.
  fileprivate func clock(_ zone: Int) -> String {
    let seconds = Int(milliseconds / 1000 % 86400) + zone + 86400
    return [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60]
      .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}

extension ElapsedTime {
  /// Milliseconds as `0:43`, `3:12` or `1:02:03`, rounded up.
  static func countdown(_ milliseconds: Int64) -> String {
    let seconds = (max(0, milliseconds) + 999) / 1000
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return hours > 0
      ? "\(hours):\(padded(minutes)):\(padded(seconds % 60))" : "\(minutes):\(padded(seconds % 60))"
  }
}
