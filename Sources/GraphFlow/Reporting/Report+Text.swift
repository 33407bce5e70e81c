internal import GraphAPI
internal import JSONPath

extension Report {
  /// The requests that a summary shows.
  package enum Detail: Hashable, Sendable {
    /// One line for each request.
    case everything
    /// The same, but requests that failed for the same reason are one entry.
    case outcomes
    /// Only the first kinds of failures, those in doubt before the others: for large runs and for mail.
    case problems
  }

  /// The most kinds of failures in a summary of problems.
  static let shownGroups = 20

  /// The summary as text; every line ends in a line break.
  ///
  /// Each request has one line with its outcome, time and attempts, and details below it. Each hint
  /// appears once. The figures are at the end. Untrusted text is escaped, so it can neither control the
  /// terminal nor inject commands of a CI system.
  ///
  /// The width is the terminal's columns; nil leaves long lines unchanged. Of a run that is too large
  /// to be kept, only problems are shown.
  package func text(
    style: TextStyle = .plain, width: Int? = nil, detail: Detail = .everything
  ) -> String {
    var lines = TextLines(width: width)
    let (entries, more) = entries(released == nil ? detail : .problems)
    let nameWidth = min(40, entries.map { TextLines.columns($0.name) }.max() ?? 0)
    var hints: Set<String> = []
    for entry in entries {
      entry.request.write(entry, to: &lines, nameWidth: nameWidth, style: style, besides: &hints)
    }
    if more > 0 { lines.add("and \(more) more, which are in the report") }
    for reading in permissions where reading.status != "granted" {
      let (name, token) = (reading.permission, reading.token)
      let command = PermissionRequest.command([name], profile: token)
      lines.add(
        UntrustedText.safe("permission  \(name) of \(token) is \(reading.status): \(command)"))
    }
    for pair in recordedCalls.otherVersions {
      lines.add("version     " + UntrustedText.safe(pair.sentence))
    }
    if !lines.text.isEmpty { lines.add("") }
    lines.add(headline(style))
    lines.add(callsLine)
    return lines.text
  }

  /// What a summary shows, and the number of requests that it leaves out.
  private func entries(_ detail: Detail) -> (shown: [SummaryEntry], more: Int) {
    let requests = requests
    guard detail != .everything else { return (requests.map { SummaryEntry(request: $0) }, 0) }
    let failures = failureGroups
    let groups = failures.filter { !$0.isRest }
    let shown = detail == .problems ? groups.prefix(Report.shownGroups) : groups[...]
    let more = failures.reduce(0) { $0 + $1.count } - shown.reduce(0) { $0 + $1.count }
    let entries = shown.flatMap(\.entries)
    guard detail == .outcomes else { return (entries, more) }
    // Each group is where its first request is.
    let places = Dictionary(entries.map { ($0.request.id, $0) }) { first, _ in first }
    return (
      requests.compactMap { $0.isProblem ? places[$0.id] : SummaryEntry(request: $0) }, more
    )
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
  /// Writes the lines of the request or of its group, without a hint that was written before.
  fileprivate func write(
    _ entry: SummaryEntry, to lines: inout TextLines, nameWidth: Int, style: TextStyle,
    besides hints: inout Set<String>
  ) {
    let outcome = style.apply(
      status?.tone ?? "33",
      to: TextLines.padded(RequestStatus.text(of: status), to: TextLines.detailIndent - 2))
    var line = "\(outcome)  \(TextLines.padded(entry.name, to: nameWidth))  "
    // The members of a group took different times.
    let time = entry.group == nil ? durationMilliseconds : nil
    line += TextLines.padded(time.map { ElapsedTime.text(milliseconds: $0) } ?? "", to: 9)
    if !attempts.isEmpty, entry.group == nil {
      line += "  \(attempts.count) \(attempts.count == 1 ? "attempt" : "attempts")"
    }
    if let reason = end?.skipReason, status == .skipped {
      line += "  " + reason.rawValue
      if let detail = end?.skipDetail { line += ": " + UntrustedText.safe(detail) }
    }
    let isUnsent =
      status == .cancelled && [.cancelled, .writeLimit].contains(end?.failure?.reason)
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
    if let group = entry.group { lines.add(detail: group.memberNames) }
  }
}

/// A request in a summary, or the first one of a group that is shown as one.
private struct SummaryEntry {
  let request: Report.Request
  var group: FailureGroups.Group?

  /// `publish.post[sku-1]`; for a group `publish.post × 12`, or `12 requests` if the names differ.
  var name: String {
    guard let group else { return UntrustedText.safe(request.displayName) }
    guard let name = group.requestName else { return "\(group.count) requests" }
    return "\(UntrustedText.safe(name)) × \(group.count)"
  }
}

extension FailureGroups.Group {
  /// What a summary shows of it: a few requests that were not sent have one line each.
  fileprivate var entries: [SummaryEntry] {
    count == 1 || (first.isUnsent && count == examples.count && failure?.reason != .token)
      ? examples.map { SummaryEntry(request: $0) }
      : [SummaryEntry(request: first, group: self)]
  }

  /// `post[sku-1], post[sku-4], post[sku-5] … post[sku-90]`.
  fileprivate var memberNames: String {
    let names = examples.map(\.displayName).joined(separator: ", ")
    return count > examples.count ? "\(names) … \(lastName)" : names
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
    add(detail: failure.factsLine(withType: true))
    let forUsers = [error.userTitle, error.userMessage].compactMap(\.self)
    if !forUsers.isEmpty { add(detail: forUsers.joined(separator: ": "), label: "for users: ") }
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
  /// The status in texts; a request without one is unfinished.
  static func text(of status: RequestStatus?) -> String { status?.displayText ?? "unfinished" }
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
