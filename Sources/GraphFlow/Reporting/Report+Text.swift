internal import GraphAPI
internal import JSONPath

extension Report {
  /// The requests that a summary shows.
  package enum Detail: Hashable, Sendable {
    /// One line for each request.
    case everything
    /// The same, but only the first of the requests that were not sent for the same reason.
    case outcomes
    /// Only requests that need attention, for large runs and for mail: at most a hundred, and only the
    /// first of the requests that were not sent for the same reason.
    case problems
  }

  /// The summary as text; every line ends in a line break.
  ///
  /// Each request has one line with its outcome, time and attempts, and details below it. Each hint
  /// appears once. The figures are at the end. Untrusted text is escaped, so it can neither control the
  /// terminal nor inject commands of a CI system.
  ///
  /// The width is the terminal's columns; nil leaves long lines unchanged. For a run that is too large
  /// to be kept, only the first problems are shown.
  package func text(
    style: TextStyle = .plain, width: Int? = nil, detail: Detail = .everything
  ) -> String {
    var lines = TextLines(width: width)
    var unsent = UnsentRequests()
    let wanted = requests.filter { request in
      guard detail != .everything else { return true }
      return (detail == .outcomes || request.isProblem) && unsent.admits(request.outcome)
    }
    let shown = detail == .problems ? Report.mostUrgent(of: wanted) : wanted
    let nameWidth = min(40, shown.map { TextLines.columns($0.shownName) }.max() ?? 0)
    var hints: Set<String> = []
    for request in shown {
      request.write(to: &lines, nameWidth: nameWidth, style: style, besides: &hints)
    }
    if let released { unsent.hide(released.unsent) }
    for line in unsent.lines { lines.add(line) }
    let more = wanted.count - shown.count + (released?.furtherProblems ?? 0)
    if more > 0 { lines.add("and \(more) more, which are in the report") }
    for reading in permissions where reading.status != "granted" {
      let name = UntrustedText.safe(reading.permission)
      lines.add(
        "permission  \(name) of \(UntrustedText.safe(reading.token)) is "
          + "\(UntrustedText.safe(reading.status)); grant it to the app, then use a new token")
    }
    if !lines.text.isEmpty { lines.add("") }
    lines.add(headline(style))
    lines.add(callsLine)
    return lines.text
  }

  /// Selects at most a hundred problems, preferring requests in doubt, without changing their order.
  private static func mostUrgent(of problems: [Request]) -> [Request] {
    guard problems.count > Released.problemLimit else { return problems }
    let doubts = problems.count { $0.status == .inDoubt }
    var room = (
      doubts: min(doubts, Released.problemLimit), others: max(0, Released.problemLimit - doubts)
    )
    return problems.filter { problem in
      let isDoubt = problem.status == .inDoubt
      let hasRoom = isDoubt ? room.doubts > 0 : room.others > 0
      if hasRoom, isDoubt { room.doubts -= 1 } else if hasRoom { room.others -= 1 }
      return hasRoom
    }
  }

  private func headline(_ style: TextStyle) -> String {
    let name = UntrustedText.safe(start?.workflow ?? "run")
    let time = durationMilliseconds.map { " in " + ElapsedTime.text(milliseconds: $0) } ?? ""
    let summary = summary
    let parts = [
      (summary.succeeded, "succeeded"), (summary.failed, "failed"), (summary.skipped, "skipped"),
      (summary.inDoubt, "in doubt"), (summary.cancelled, "cancelled"),
      (summary.unfinished, "unfinished"),
    ]
    let counts = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let total = "\(summary.requests) \(summary.requests == 1 ? "request" : "requests")"
    let status = style.apply(status.tone, to: status.displayText)
    return "\(name) \(status)\(time): \(([total] + counts).joined(separator: ", "))"
  }

  /// `3 calls (lower bound 2), 1 confirmation check`.
  private var callsLine: String {
    let summary = summary
    let (calls, checks) = (summary.calls, summary.httpCalls[.confirm] ?? 0)
    return "\(calls) \(calls == 1 ? "call" : "calls")"
      + (summary.callsLowerBound.map { " (lower bound \($0))" } ?? "")
      + (checks > 0 ? ", \(checks) confirmation \(checks == 1 ? "check" : "checks")" : "")
  }
}

extension Report.Request {
  /// The outcome, unless the request is in flight again.
  fileprivate var outcome: RequestEnd? { status == end?.status ? end : nil }
  var isProblem: Bool { status != .succeeded && end?.countsAsSuccess != true }
  fileprivate var shownName: String { UntrustedText.safe(displayName) }

  /// Writes the request's lines, without a hint that was written before.
  fileprivate func write(
    to lines: inout TextLines, nameWidth: Int, style: TextStyle, besides hints: inout Set<String>
  ) {
    let outcomeText = status?.displayText ?? "unfinished"
    let outcome = style.apply(
      status?.tone ?? "33", to: TextLines.padded(outcomeText, to: TextLines.detailIndent - 2))
    let name = TextLines.padded(shownName, to: nameWidth)
    let time = durationMilliseconds.map { ElapsedTime.text(milliseconds: $0) } ?? ""
    var line = "\(outcome)  \(name)  \(TextLines.padded(time, to: 9))"
    if !attempts.isEmpty {
      line += "  \(attempts.count) \(attempts.count == 1 ? "attempt" : "attempts")"
    }
    if let reason = end?.skipReason, status == .skipped {
      line += "  " + reason.rawValue
      if let detail = end?.skipDetail { line += ": " + UntrustedText.safe(detail) }
    }
    let isUnsent = status == .cancelled && end?.failure?.reason == .cancelled
    if isUnsent, let failure = end?.failure {
      line += "  " + UntrustedText.safe(failure.error.message)
    }
    lines.add(line)
    if let note = end?.note {
      lines.add(paragraph: note, indent: TextLines.detailIndent, label: "note: ")
    }
    if let uncertainty, status == .inDoubt {
      lines.add(detail: uncertainty.sentence)
    } else if let failure = end?.failure, status != .succeeded, !isUnsent {
      lines.add(failure)
      let isNew = !failure.hint.isEmpty && hints.insert(failure.hint).inserted
      if isNew { lines.add(detail: failure.hint, label: "hint: ") }
    }
    for result in end?.expectations ?? [] where !result.passed { lines.add(result) }
  }
}

extension Report.Uncertainty {
  fileprivate var sentence: String {
    switch self {
    case .underWay: "The run was interrupted before an answer came."
    case .beingChecked: "The run was interrupted before it was known whether this write happened."
    }
  }
}

extension TextLines {
  fileprivate static let detailIndent = 12

  fileprivate mutating func add(detail: String, label: String = "") {
    add(paragraph: UntrustedText.safe(detail), indent: Self.detailIndent, label: label)
  }

  fileprivate mutating func add(_ failure: Failure) {
    let error = failure.error
    add(detail: error.message)
    var facts = ["category \(failure.category.rawValue)", "reason \(failure.reason.rawValue)"]
    if let code = error.code {
      facts.append("code \(code)" + (error.subcode.map { "/\($0)" } ?? ""))
    }
    if let type = error.type { facts.append("type " + type) }
    if let trace = error.fbtraceID { facts.append("trace " + trace) }
    add(detail: facts.joined(separator: ", "))
  }

  fileprivate mutating func add(_ result: ExpectationResult) {
    add(detail: result.check, label: "expected: ")
    if let message = result.message { add(detail: message, label: "message: ") }
    if let actual = result.actual {
      let text = actual.serialized()
      add(detail: text.count > 200 ? text.prefix(200) + "…" : text, label: "actual: ")
    }
  }
}

extension RequestStatus {
  var displayText: String { self == .inDoubt ? "in doubt" : rawValue }

  /// Green, red or yellow, for ``TextStyle/apply(_:to:)``.
  fileprivate var tone: String {
    switch self {
    case .succeeded: "32"
    case .failed, .inDoubt: "31"
    case .skipped, .cancelled: "33"
    }
  }
}

extension RunStatus {
  var displayText: String { self == .inDoubt ? "in doubt" : rawValue }

  fileprivate var tone: String {
    switch self {
    case .succeeded: "32"
    case .failed, .inDoubt: "31"
    case .cancelled, .unfinished: "33"
    }
  }
}
