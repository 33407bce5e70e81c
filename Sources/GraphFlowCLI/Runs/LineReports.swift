import GraphFlow

/// The reports of a run that are written as lines during the run.
struct LineReports {
  private var lines: ReportLines
  private var files: [AtomicFile] = []
  private var outcome = CommandOutcome()
  private var text: [UInt8] = []

  /// How many bytes are collected before they are written.
  private static let bufferSize = 1 << 16

  init(resumingFrom report: Report, at paths: [String]) {
    var text: [UInt8] = []
    lines = ReportLines(resumingFrom: report, to: &text)
    for path in paths { open(path, with: text) }
  }

  /// The figures of the run and its first problems.
  var report: Report { lines.report }

  mutating func add(_ path: String, resumingFrom report: Report) {
    flush()
    var text: [UInt8] = []
    _ = ReportLines(resumingFrom: report, to: &text)
    open(path, with: text)
  }

  mutating func append(_ event: RunEvent) {
    lines.apply(event, to: &text)
    if text.count >= LineReports.bufferSize { flush() }
  }

  mutating func finish() -> ExitStatus {
    lines.finish(to: &text)
    flush()
    for file in files { outcome.attempt { try file.finish() } }
    files = []
    return outcome.status
  }

  private mutating func open(_ path: String, with text: [UInt8]) {
    outcome.attempt {
      let file = try AtomicFile(at: path)
      try file.append(ProcessRedactor.redacted(text))
      files.append(file)
    }
  }

  /// Writes to all files; a file that fails is reported and no longer written.
  private mutating func flush() {
    defer { text.removeAll(keepingCapacity: true) }
    // Whole lines, so that no secret is cut in two. Secrets recorded meanwhile are masked, too.
    let text = ProcessRedactor.redacted(text)
    for (index, file) in files.enumerated().reversed() {
      do {
        try file.append(text)
      } catch {
        outcome.recordFailure(error)
        files.remove(at: index)
      }
    }
  }
}
