internal import JSONPath

/// A report as lines of JSON, for runs that are too large for one object.
///
/// The first line is `{…, "run": {…}}`. A line `{"request": {…}}` follows for each instance of a
/// request when it ends, and the last line is `{"summary": {…}}`. The members are those of the report
/// as one object; members that are known only at the end are in the summary.
struct JSONLinesReport: ReportFormat {
  private var writer = ReportWriter()

  mutating func begin(_ report: Report, to output: inout [UInt8]) {
    write(to: &output) { writer in
      writer.member("graphflow_report", Report.formatVersion)
      Report.writeTool(to: &writer)
      writer.object("run") { writer in
        report.writeStart(to: &writer)
        report.writeEnvironment(to: &writer)
      }
    }
  }

  mutating func add(_ request: Report.Request, to output: inout [UInt8]) {
    let line = writer.beginObject(isInline: true)
    let object = writer.beginObject("request")
    request.writeMembers(to: &writer)
    writer.endObject(object)
    writer.endObject(line)
    writer.finish(movingTo: &output)
  }

  mutating func end(_ report: Report, to output: inout [UInt8]) {
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

  private mutating func write(
    to output: inout [UInt8], _ body: (inout ReportWriter) -> Void
  ) {
    writer.object(isInline: true, body)
    writer.finish(movingTo: &output)
  }
}
