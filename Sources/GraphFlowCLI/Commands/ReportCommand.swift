import ArgumentParser
import GraphFlow

/// `graphflow report`: writes any run's report again, in any format.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Write a run's report again, in any format.",
    discussion: """
      The report is made from the journal, so a killed run has one, too. The exit code says whether \
      the report could be written, not how the run ended.

      Example: the newest run's report on standard output, and as a file of lines:

        graphflow report latest
        graphflow report latest --report failed.jsonl
      """)

  @Argument(help: .value("run", "The run's id, or 'latest'."))
  var name: String

  @Option(
    name: .customLong("report"),
    help: .value(
      "path", "The file, .json or .jsonl, or - for standard output (default); may be repeated.",
      discussion: "{name} in the path is replaced by the workflow's name."))
  var reports: [ReportDestination] = []

  @OptionGroup(title: "Output") var state: StateOptions

  func validate() throws { try ReportDestination.validate(reports) }

  func run() throws {
    let directory = StateDirectory(state)
    let id = try directory.run(named: name)
    let report = try directory.report(of: id)
    guard let workflow = report.start?.workflow else {
      throw CommandFailure(.invalid, "the run \(id) never started; there is nothing to report")
    }
    for destination in reports { try destination.check(for: workflow) }
    var outcome = CommandOutcome()
    for destination in reports.isEmpty ? [ReportDestination(argument: "-")] : reports {
      outcome.attempt {
        var text: [UInt8] = []
        if destination.isLines {
          var lines = ReportLines(resumingFrom: report, to: &text)
          lines.finish(to: &text)
        } else {
          text = report.json
        }
        if destination.isStandardOutput {
          try Terminal.printJSON(text)
        } else {
          try writeAtomically(text, to: destination.path(for: workflow))
        }
      }
    }
    try outcome.status.throwUnlessSucceeded()
  }
}

extension StateDirectory {
  /// The report of a run, from its journal; prints a warning if the journal is damaged.
  func report(of id: RunID) throws -> Report {
    let report = Pipeline.report(of: RunHistory(try reading(id).events()))
    try warnOfDamage(id)
    return report
  }
}
