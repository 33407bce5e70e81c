internal import JSONPath

/// A report as lines of JSON, written during the run, for runs that are too large for one object.
///
/// The first line is `{…, "run": {…}}`. A line `{"request": {…}}` follows for each instance of a
/// request when it ends, and the last line is `{"summary": {…}}`. The members are those of the report
/// as one object; members that are known only at the end are in the summary. Written instances are not
/// kept, so memory grows with the requests in flight, not with the completed ones.
package struct ReportLines: Sendable {
  /// The figures and failures of all instances; it does not contain all requests.
  package private(set) var report: Report

  package init() {
    report = Report(of: [])
    report.startReleasing()
  }

  /// Continues a report, and writes the lines for its events.
  ///
  /// For a resumed run, the report must contain all earlier events: a request that did not succeed may
  /// be sent again, and gets its line only when it has ended.
  package init(resumingFrom report: Report, to output: inout [UInt8]) {
    self.report = report
    self.report.startReleasing()
    if report.start != nil { writeRun(to: &output) }
    for request in self.report.release() { write(request, to: &output) }
  }

  package mutating func apply(_ event: RunEvent, to output: inout [UInt8]) {
    report.apply(event)
    switch event {
    case .runStarted: writeRun(to: &output)
    case .requestEnded(let end):
      if let request = report.release(end) { write(request, to: &output) }
    case .runResumed, .endLost, .permissionsRead, .tokenRead, .callStarted, .baselineRead,
      .itemsListed, .paused, .concurrencyChanged, .callEnded, .attemptEnded, .runEnded:
      break
    }
  }

  /// Appends the lines of instances that have not ended, and the summary.
  package mutating func finish(to output: inout [UInt8]) {
    for request in report.requests { write(request, to: &output) }
    let report = report
    write(to: &output) { writer in
      writer.object("summary") { writer in
        report.writeEnd(to: &writer)
        report.summary.write(to: &writer)
        writer.list("permissions", report.permissions)
        writer.list("concurrency", report.concurrency)
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
        report.writeEnvironment(to: &writer)
      }
    }
  }

  private mutating func write(_ request: Report.Request, to output: inout [UInt8]) {
    write(to: &output) { $0.member("request", request) }
  }

  private mutating func write(to output: inout [UInt8], _ body: (inout ReportWriter) -> Void) {
    var writer = ReportWriter(appendingTo: output)
    // Releases the caller's reference; otherwise the first append would copy the whole array.
    output = []
    writer.object(isInline: true, body)
    writer.finish()
    output = writer.output
  }
}
