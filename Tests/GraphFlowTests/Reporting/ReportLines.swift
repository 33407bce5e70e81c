@testable import GraphFlow

/// A report as lines, as one stream writes it.
struct ReportLines {
  private var stream: ReportStream

  var report: Report { stream.report }

  init() {
    stream = ReportStream()
    stream.outputs.append(
      ReportStream.Output(JSONLinesReport(), resumingFrom: stream.report) { _ in })
  }

  init(resumingFrom report: Report, to output: inout [UInt8]) {
    stream = ReportStream(resumingFrom: report)
    stream.outputs.append(ReportStream.Output(JSONLinesReport(), resumingFrom: report) { _ in })
    take(&output)
  }

  mutating func apply(_ event: RunEvent, to output: inout [UInt8]) {
    stream.apply(event)
    take(&output)
  }

  mutating func finish(to output: inout [UInt8]) {
    stream.finish()
    take(&output)
  }

  private mutating func take(_ output: inout [UInt8]) {
    output += stream.outputs[0].text
    stream.outputs[0].text = []
  }
}
