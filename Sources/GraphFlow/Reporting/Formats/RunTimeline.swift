internal import JSONPath

/// When a run's calls were under way, how long they took, and how much of Graph's limits was used.
struct RunTimeline: Sendable {
  /// The most calls that are kept.
  private static let callLimit = 50_000
  private static let columns = 180
  private static let columnWidth = 5
  private static let left = 90
  private var calls: [Call] = []
  private var open: [Int: Call] = [:]
  private var omitted = 0

  private struct Call: Sendable {
    let start: Int64
    var duration: Int64 = 0
    /// Whether it repeats an operation.
    let isRetry: Bool
    /// The largest reported use of a limit, in percent.
    var use: Double?
  }

  /// A part of the time.
  private struct Column {
    /// The average number of calls under way.
    var flight = 0.0
    var retries = 0
    var longest: Int64 = 0
    var use: Double?
  }

  mutating func start(_ call: CallStart) {
    open[call.number] = Call(
      start: call.startedAt.milliseconds, isRetry: call.operations.contains { $0.number > 1 })
  }

  mutating func end(_ end: CallEnd) {
    guard var call = open.removeValue(forKey: end.number) else { return }
    guard calls.count < RunTimeline.callLimit else {
      omitted += 1
      return
    }
    call.duration = max(0, end.durationMilliseconds)
    call.use = end.usage?.largestUse
    calls.append(call)
  }

  /// The drawing; nil if no call has ended.
  func svg(of report: Report, id: Int) -> String? {
    guard let first = calls.map(\.start).min(),
      let last = calls.map({ $0.start &+ $0.duration }).max()
    else { return nil }
    let begin = min(first, report.start?.startedAt.milliseconds ?? first)
    let length = max(1, max(last, report.end?.finishedAt.milliseconds ?? last) &- begin)
    let columns = columns(from: begin, over: length)
    let (width, left) = (RunTimeline.columnWidth, RunTimeline.left)
    let right = left + RunTimeline.columns * width
    let most = max(1, columns.map(\.flight).max() ?? 1)
    let slowest = max(1, columns.map(\.longest).max() ?? 1)
    let time = ElapsedTime.text(milliseconds: length)
    var svg = SVGText(
      width: right + 20, height: 300, title: "Calls over time",
      description: "\(calls.count) calls in \(time), at most "
        + "\(Int((most - 0.01).rounded(.up))) at a time; the slowest took "
        + "\(ElapsedTime.text(milliseconds: slowest)). Pauses: \(report.pauses.count).",
      embeddedAs: "timeline-\(id)")
    for pause in report.pauses {
      let from = RunTimeline.place(pause.from.milliseconds &- begin, of: length)
      let until = RunTimeline.place(pause.until.milliseconds &- begin, of: length)
      svg.group(title: "pause: \(pause.cause.rawValue), until \(pause.until)") { svg in
        svg.rectangle(
          PlanLayout.Frame(
            x: left + from * width, y: 20, width: max(2, (until - from) * width), height: 240),
          style: "pause", radius: 0)
      }
    }
    for (place, column) in columns.enumerated() {
      let x = left + place * width
      func bar(_ height: Double, above bottom: Int, _ style: String) {
        guard height > 0 else { return }
        let height = max(1, Int(height.rounded()))
        svg.rectangle(
          PlanLayout.Frame(x: x, y: bottom - height, width: width, height: height), style: style,
          radius: 0)
      }
      bar(60 * column.flight / most, above: 90, "flight")
      if column.retries > 0 { bar(6, above: 100, "retry") }
      bar(60 * Double(column.longest) / Double(slowest), above: 170, "slow")
      bar(60 * min(100, column.use ?? 0) / 100, above: 250, "flight")
    }
    for (label, detail, y) in [
      ("in flight", "max \(Int((most - 0.01).rounded(.up)))", 40), ("retries", "", 99),
      ("slowest", ElapsedTime.text(milliseconds: slowest), 125), ("limits", "max 100 %", 205),
    ] {
      svg.text(label, x: 4, y: y, style: "n")
      svg.text(detail, x: 4, y: y + 15, style: "d")
    }
    svg.text("0", x: left, y: 275, style: "d")
    svg.text(time, x: right - 8 * time.count, y: 275, style: "d")
    return svg.finished()
  }

  private func columns(from begin: Int64, over length: Int64) -> [Column] {
    var columns = [Column](repeating: Column(), count: RunTimeline.columns)
    let share = Double(length) / Double(RunTimeline.columns)
    for call in calls {
      let start = Double(call.start &- begin)
      let end = start + Double(max(1, call.duration))
      let first = RunTimeline.place(call.start &- begin, of: length)
      for place in first...max(first, RunTimeline.place(Int64(end), of: length)) {
        let overlap = min(end, Double(place + 1) * share) - max(start, Double(place) * share)
        columns[place].flight += max(0, overlap) / share
      }
      if call.isRetry { columns[first].retries += 1 }
      columns[first].longest = max(columns[first].longest, call.duration)
      if let use = call.use { columns[first].use = max(use, columns[first].use ?? 0) }
    }
    return columns
  }

  private static func place(_ time: Int64, of length: Int64) -> Int {
    Int(min(max(0, Double(time) / Double(length)), 0.999_999) * Double(columns))
  }
}
