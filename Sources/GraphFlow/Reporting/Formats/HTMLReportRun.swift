internal import GraphAPI

/// What the page shows of one run besides the rows of its table.
struct HTMLReportRun: Sendable {
  let start: RunStart?
  var timeline = RunTimeline()
  /// The number of its first request among those of all runs of the page.
  var firstName = 0
  private var failures = FailureGroups()
  private var drawing: RequestDrawing
  private var doubts: [String] = []
  private static let doubtLimit = 50

  init(of start: RunStart?) {
    self.start = start
    drawing = RequestDrawing(start?.requests ?? [])
  }

  mutating func count(_ request: Report.Request) {
    failures.add(request)
    drawing.count(request)
    if request.status == .inDoubt, doubts.count < HTMLReportRun.doubtLimit {
      doubts.append(request.displayName)
    }
  }

  /// `failed in 2.4 s, exit code 1 · run 01JD…, 2026-11-20T09:00:00.000Z · workflows/x.yaml`.
  func line(of report: Report) -> String {
    let time = report.durationMilliseconds.map { " in " + ElapsedTime.text(milliseconds: $0) } ?? ""
    var parts = ["\(report.status.displayText)\(time), exit code \(report.exitCode)"]
    guard let start else { return parts[0] }
    parts.append("run \(start.id), \(start.startedAt)")
    parts.append(start.file)
    parts.append("profile \(start.profile), \(start.graphURL), \(start.graphVersion)")
    parts += report.recordedCalls.otherVersions.map(\.sentence)
    if let bound = report.summary.callsLowerBound {
      parts.append("lower bound of the calls \(bound)")
    }
    return parts.joined(separator: " · ")
  }

  func sections(of report: Report, id: Int) -> MarkupText {
    var text = MarkupText()
    writeDoubts(report.summary.inDoubt, id: id, to: &text)
    writeFailures(id: id, to: &text)
    if let svg = timeline.svg(of: report, id: id) {
      section("Calls", id: "calls-\(id)", in: &text) { $0.figure(svg, named: "calls-\(id)") }
    }
    if let svg = drawing.svg(id: id) {
      section("Steps", id: "steps-\(id)", in: &text) { $0.figure(svg, named: "steps-\(id)") }
    }
    return text
  }

  private func section(
    _ heading: String, id: String, in text: inout MarkupText,
    _ content: (inout MarkupText) -> Void
  ) {
    text.element("section", ["aria-labelledby": id]) { text in
      text.element("h2", ["id": id], text: heading)
      content(&text)
    }
  }

  /// What to check, and the commands for each finding.
  private func writeDoubts(_ count: Int, id: Int, to text: inout MarkupText) {
    guard count > 0, let start else { return }
    section("In doubt", id: "doubt-\(id)", in: &text) { text in
      text.element(
        "p", text: "It is not known whether these writes happened: check on Facebook first.")
      guard !start.isSandboxRun else {
        text.element("p", text: "A run with --sandbox cannot be continued: its world is gone.")
        return
      }
      text.element(
        "p", text: "Then put the id of what a write made for ID, or say it did not happen:")
      text.element("ul") { text in
        for name in doubts {
          text.element("li") { text in
            text.element("h3", text: name)
            for end in [
              " --applied " + "\(name)=ID".shellQuoted, " --not-applied " + name.shellQuoted,
            ] {
              text.element("pre", ["class": "copy"], text: "graphflow resume \(start.id)" + end)
            }
          }
        }
      }
      if count > doubts.count {
        text.element("p", text: "\(count - doubts.count) more are in the table.")
      }
    }
  }

  private func writeFailures(id: Int, to text: inout MarkupText) {
    let groups = failures.groups
    guard !groups.isEmpty else { return }
    section("Not succeeded", id: "failures-\(id)", in: &text) { text in
      text.element("ul") { text in
        for group in groups { text.element("li") { $0.write(group) } }
      }
    }
  }
}

extension MarkupText {
  /// A drawing that is scrolled in its own frame, also with the keyboard.
  fileprivate mutating func figure(_ svg: String, named heading: String) {
    element("figure", ["tabindex": "0", "role": "group", "aria-labelledby": heading]) {
      $0.append(drawing: svg)
    }
  }

  /// Requests that failed in the same way: what happened, to which, and what to do next.
  fileprivate mutating func write(_ group: FailureGroups.Group) {
    let status = group.status?.displayText ?? "unfinished"
    let name = group.isRest ? "others" : group.requestName ?? "several requests"
    element("h3") { text in
      text.element("span", ["class": status == "in doubt" ? "in-doubt" : status], text: status)
      text.text(" \(name)" + (group.count > 1 ? " × \(group.count)" : ""))
    }
    if let failure = group.failure, !group.isRest {
      element("p", text: failure.error.message)
      let own = [failure.error.userTitle, failure.error.userMessage].compactMap(\.self)
      if !own.isEmpty { element("p", text: own.joined(separator: ": ")) }
      element("p", ["class": "dim"], text: failure.factsLine)
      if !failure.hint.isEmpty { element("p", text: "Next: " + failure.hint) }
    } else if let end = group.first.currentEnd, let reason = end.skipReason {
      element("p", text: reason.rawValue + (end.skipDetail.map { ": " + $0 } ?? ""))
    }
    for result in group.first.currentEnd?.expectations ?? [] where !result.passed {
      element("p", text: result.sentence)
    }
    if group.count > 1 {
      let names = group.examples.map(\.displayName).joined(separator: ", ")
      let last = group.count > group.examples.count ? " … " + group.lastName : ""
      element("p", ["class": "dim"], text: names + last)
    }
  }
}
