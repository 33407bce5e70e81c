/// A report in one format, written during the run.
///
/// A format receives each thing once and appends bytes; it keeps little of what it received, so that
/// memory does not grow with the run. Several runs, one after the other, can be in one report.
package protocol ReportFormat: Sendable {
  /// A run begins; the report has its start, and the calls of its earlier sessions.
  mutating func begin(_ report: Report, to output: inout [UInt8])

  /// Something happens; starts and ends of calls and pauses matter to some formats.
  mutating func observe(_ event: RunEvent)

  /// A request, or its instance for one item, has its final result.
  mutating func add(_ request: Report.Request, to output: inout [UInt8])

  /// The run ends; the report has its figures, but only the first of its problems.
  mutating func end(_ report: Report, to output: inout [UInt8])

  /// No other run follows.
  mutating func finish(to output: inout [UInt8])
}

extension ReportFormat {
  package mutating func observe(_ event: RunEvent) {}
  package mutating func finish(to output: inout [UInt8]) {}
}
