internal import JSONPath

/// A report as lines of JSON, written while the run goes on: for runs too large for one object.
///
/// The first line is `{…, "run": {…}}`, then there is a line `{"request": {…}}` for each instance of
/// a request as it ends, and the last is `{"summary": {…}}`. The members are those of the report as
/// one object; what is known only at the end stands in the summary. What was written is forgotten,
/// so memory grows with what is under way and not with what is over.
package struct ReportLines: Sendable {
  /// The figures of what was written, and the first problems; its requests are not all.
  package private(set) var report: Report

  /// Starts before the first event.
  package init() {
    report = Report(of: [])
    report.startReleasing()
  }

  /// Goes on from what was folded so far, and writes the lines for it.
  ///
  /// A run that is resumed has to be folded up to there: what did not succeed may be tried again, and
  /// gets its line only when it has.
  package init(resumingFrom report: Report, to output: inout [UInt8]) {
    self.report = report
    self.report.startReleasing()
    if report.start != nil { writeRun(to: &output) }
    for request in self.report.release() { write(request, to: &output) }
  }

  /// Takes in one more event, and appends the lines that it gives rise to.
  package mutating func receive(_ event: RunEvent, to output: inout [UInt8]) {
    report.receive(event)
    switch event {
    case .runStarted: writeRun(to: &output)
    case .requestEnded(let end):
      if let request = report.release(end) { write(request, to: &output) }
    case .runResumed, .endLost, .permissionsRead, .tokenRead, .callStarted, .baselineRead,
      .itemsListed, .paused,
      .callEnded, .attemptEnded, .runEnded:
      break
    }
  }

  /// Appends the lines of what has not ended, and the summary.
  package mutating func finish(to output: inout [UInt8]) {
    for request in report.unreleased { write(request, to: &output) }
    let report = report
    write(to: &output) { writer in
      writer.object("summary") { writer in
        report.writeEnd(to: &writer)
        report.summary.write(to: &writer)
        writer.list("permissions", report.permissions)
        writer.members("outputs", report.end?.outputs ?? JSON.Object())
      }
    }
  }

  private mutating func writeRun(to output: inout [UInt8]) {
    let report = report
    write(to: &output) { writer in
      writer.member("graphflow_report", Report.formatVersion)
      Report.writeTool(to: &writer)
      writer.object("run") { writer in
        report.writeStart(to: &writer)
        report.writeWorld(to: &writer)
      }
    }
  }

  private mutating func write(_ request: Report.Request, to output: inout [UInt8]) {
    write(to: &output) { $0.member("request", request) }
  }

  private mutating func write(
    to output: inout [UInt8],
    _ body: (inout ReportWriter) -> Void
  ) {
    var writer = ReportWriter(appendingTo: output)
    // Frees the caller's reference, or the first byte would copy all that is there.
    output = []
    writer.object(isInline: true, body)
    writer.finish()
    output = writer.output
  }
}
