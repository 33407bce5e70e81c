import ArgumentParser
import GraphFlow
import JSONPath

/// `graphflow runs show`: one run, with the outcome of each request.
struct RunsShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show one run, with the outcome of each request.",
    discussion: """
      Example: the newest run, as a summary and with all details:

        graphflow runs show latest
        graphflow runs show latest --format json
      """)

  @Argument(help: ArgumentHelp("The run's id, or 'latest'.", valueName: "run"))
  var name: String

  @Option(help: "A summary (text), or the report (json).")
  var format: OutputFormat = .text

  @OptionGroup(title: "Output") var state: StateOptions

  func run() throws {
    let directory = StateDirectory(state)
    let id = try directory.run(named: name)
    let report = try directory.report(of: id)
    if format == .json { return try Terminal.printJSON(report.json) }
    var lines: [String] = []
    if let start = report.start {
      lines = [
        "run \(id)" + (start.isSandboxRun ? ", on a sandbox inside the process" : ""),
        "file \(start.file), \(start.graphVersion) of \(start.graphURL), profile \(start.profile)",
        "started \(start.startedAt)"
          + (report.end.map { ", finished \($0.finishedAt)" } ?? "")
          + (report.resumed > 0 ? ", resumed \(report.resumed) times" : ""),
      ]
      if let key = start.key { lines.append("run key \(key)") }
      for (name, value) in start.inputs { lines.append("input \(name) = \(value.serialized())") }
    }
    let head = lines.map { Untrusted.shown($0) + "\n" }.joined()
    let text = report.text(
      style: Terminal.hasColor(1) ? .colored : .plain, width: Terminal.width(of: 1),
      detail: .outcomes)
    let asLines = FileStatus(directory.reportPath(id, asLines: true)) != nil
    let tail = "report \(directory.reportPath(id, asLines: asLines))\n"
    try Terminal.printResult(Array((head + "\n" + text + tail).utf8))
    if report.end == nil, RunTable.isActive(id, in: directory) {
      Terminal.notify("the run is active")
    } else if let hint = report.resumeHint {
      Terminal.notify(hint)
    }
  }
}
