import ArgumentParser
import GraphFlow

/// `graphflow report`: writes any run's report again, in any format.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Write a run's report again, in any format.",
    discussion: """
      The report is made from the journal, so a killed run has one, too. The exit code says whether \
      the report could be written, not how the run ended.

      Example: the newest run's report on standard output, as a file of lines, and for a spreadsheet:

        graphflow report latest
        graphflow report latest --report failed.jsonl --report failed.csv

      Example: the newest run as a page in the browser:

        graphflow report latest --open

      Example: one report of two runs of the same workflow:

        graphflow report 01KAR0PVX8R3MTPGDN4YJTK3W7 latest --merge --report both.csv

      Example: one report of all parts of a job (run --shard), whose id is in 'graphflow runs':

        graphflow report job-6bcbc0e21f15 --report job.html
      """)

  @Argument(
    help: .value("run", "The id of a run or a job, or 'latest'; several runs with --merge."),
    completion: .runs)
  var names: [String]

  @Flag(help: "Write one report of several runs of one workflow; .json and - give a list.")
  var merge = false

  @Option(
    name: .customLong("report"),
    help: .value(
      "path", "A file, \(ReportFileFormat.endings), or - for JSON (default); may be repeated.",
      discussion: "{name} in the path is replaced by the workflow's name."), completion: .file())
  var reports: [ReportDestination] = []

  @Flag(
    help: ArgumentHelp(
      "Open the page of the report in the browser, and print its path.",
      discussion: "Without a --report that ends in .html, the page is kept beside the run."))
  var open = false

  @OptionGroup(title: "Output") var state: StateOptions

  func validate() throws {
    try require(merge || names.count == 1, "several runs need --merge, which makes one report")
    try ReportDestination.validate(reports)
  }

  func run() throws {
    let store = try state.store()
    if let name = names.first, names.count == 1, Job.isName(name) {
      return try write(Job(named: name, in: store), from: store)
    }
    // By their ids they are in the order of their starts.
    let ids = try Set(names.map { try store.run(named: $0) }).sorted()
    let workflow = try self.workflow(of: ids, in: store)
    let destinations = try destinations(
      of: workflow, page: state.files.reportPath(ids[ids.count - 1], ending: "html"))
    var files = destinations.map { ReportWriting($0, of: workflow, merging: merge) }
    // Only one run at a time is in memory.
    for id in ids {
      let report = try store.report(of: id)
      for index in files.indices { files[index].append(report) }
    }
    var outcome = CommandOutcome()
    for index in files.indices { outcome.record(files[index].finish()) }
    try outcome.status.throwUnlessSucceeded()
    try openPage(destinations, of: workflow)
  }

  private func write(_ job: Job, from store: any StateStore) throws {
    let workflow = job.runs[0].start.workflow
    let destinations = try destinations(
      of: workflow, page: state.files.reportPath(job.runs[0].id, ending: "job.html"))
    let files = destinations.filter { !$0.isStandardOutput }.map { $0.file(for: workflow) }
    try job.write(
      files, toStandardOutput: destinations.contains(where: \.isStandardOutput), from: store)
    try openPage(destinations, of: workflow)
  }

  /// Where reports are written, checked; `page` is the place of a page that nobody named.
  private func destinations(of workflow: String, page: String) throws -> [ReportDestination] {
    var destinations = reports
    if open, !reports.contains(where: { $0.format == .html }) {
      destinations.append(ReportDestination(argument: page))
    } else if reports.isEmpty {
      destinations.append(ReportDestination(argument: "-"))
    }
    for destination in destinations { try destination.check(for: workflow) }
    return destinations
  }

  private func openPage(_ destinations: [ReportDestination], of workflow: String) throws {
    guard open, let page = destinations.first(where: { $0.format == .html }) else { return }
    try Browser.open(page.file(for: workflow).path)
  }

  /// The one workflow of the runs.
  private func workflow(of ids: [RunID], in store: any StateStore) throws -> String {
    let names = try ids.map { id in
      guard let start = try store.reading(id).start() else {
        throw CommandFailure(.invalid, "the run \(id) never started; there is nothing to report")
      }
      return start.workflow
    }
    let others = Set(names).sorted()
    guard others.count == 1 else {
      throw CommandFailure(
        .usage, "the runs are of several workflows: \(others.joined(separator: ", "))",
        hint: "--merge is for runs of one workflow")
    }
    return others[0]
  }
}

/// The browser of the user's desktop.
private enum Browser {
  /// Prints the path of a page, and opens the page if there is a desktop.
  static func open(_ path: String) throws {
    try Terminal.printText(path + "\n")
    #if os(macOS)
    let program: String? = "open"
    #else
    let hasDesktop = ["DISPLAY", "WAYLAND_DISPLAY"].contains { Environment.value($0) != nil }
    let program = hasDesktop ? "xdg-open" : nil
    #endif
    guard let program else { return }
    // Some desktops answer only when the browser ends; then the page is open all the same.
    _ = try? ChildProcess.output(of: [program, path], limit: 1 << 16, within: .seconds(5))
  }
}

/// A report that is written from journals; after a failure nothing more is written.
private struct ReportWriting {
  private let file: ReportFile?
  private var opened: AtomicFile?
  private var output: ReportStream.Output
  private var outcome = CommandOutcome()

  init(_ destination: ReportDestination, of workflow: String, merging: Bool) {
    let file = destination.file(for: workflow)
    self.file = destination.isStandardOutput ? nil : file
    output = ReportStream.Output(file.report(merging: merging))
    attempt { writing in
      writing.opened = try writing.file?.open(through: ProcessRedactor.stream)
    }
  }

  mutating func append(_ run: Report) {
    attempt { writing in
      writing.output.append(run)
      try writing.write()
    }
  }

  mutating func finish() -> ExitStatus {
    attempt { writing in
      writing.output.finish()
      try writing.write()
      try writing.opened?.finish()
    }
    return outcome.status
  }

  private mutating func write() throws {
    if file == nil { try Terminal.printJSON(output.text) } else { try opened?.append(output.text) }
    output.text = []
  }

  private mutating func attempt(_ body: (inout ReportWriting) throws -> Void) {
    guard outcome.status == .succeeded else { return }
    do { try body(&self) } catch { outcome.recordFailure(error) }
  }
}

extension StateStore {
  /// The report of a run, from its journal; prints a warning if the journal is damaged.
  func report(of id: RunID) throws -> Report {
    let report = Pipeline.report(of: RunHistory(try reading(id).events()))
    try warnOfDamage(id)
    return report
  }
}
