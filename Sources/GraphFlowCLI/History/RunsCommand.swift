import ArgumentParser
import GraphFlow
import JSONPath

/// `graphflow runs`: lists, shows and removes runs.
struct RunsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "runs", abstract: "List, show, watch, cancel and remove runs.",
    discussion: """
      Without a subcommand it lists all runs, the newest first.

      Example: list the runs, show the newest one, and remove old ones:

        graphflow runs
        graphflow runs show latest
        graphflow runs prune --older-than 30d
      """,
    subcommands: [
      RunsListCommand.self, RunsShowCommand.self, RunsWatchCommand.self, RunsCancelCommand.self,
      RunsRemoveCommand.self, RunsPruneCommand.self,
    ],
    defaultSubcommand: RunsListCommand.self)
}

/// `graphflow runs list`: a table for people, a list of objects for programs.
struct RunsListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List runs, the newest first.",
    discussion: """
      Example: the ids of all runs that have writes in doubt:

        graphflow runs list --format json | graphflow query '$[?@.in_doubt > 0].id'

      Example: what has failed since yesterday:

        graphflow runs --status failed --since 1d
      """)

  /// The runs that `--status` chooses.
  enum Status: String, ExpressibleByArgument, CaseIterable {
    case succeeded, failed, cancelled, unfinished, active
    case inDoubt = "in_doubt"

    /// Whether a run is one of them; one that is active is nothing else, and one with writes in
    /// doubt may be unfinished as well.
    func includes(_ record: RunRecord, isActive: Bool) -> Bool {
      switch self {
      case .active: isActive
      case .inDoubt: !isActive && record.inDoubt > 0
      default: !isActive && record.status.rawValue == rawValue
      }
    }
  }

  @Option(help: .value("n", "At most n runs."))
  var limit: Int?

  @Option(help: "Only runs with this status; in_doubt: with writes in doubt.")
  var status: Status?

  @Option(
    help: .value("name", "Only runs of the workflow with this name or file."),
    completion: .workflows)
  var workflow: String?

  @Option(
    help: .value(
      "time", "Only runs that were started since: an age such as 12h, a day, or a time with zone."))
  var since: PastTime?

  @Option(help: "A table (text) or a list of objects (json).")
  var format: OutputFormat = .text

  @OptionGroup(title: "Output") var state: StateOptions

  func validate() throws {
    try require(limit ?? 1 > 0, "--limit is \(limit ?? 0), but must be 1 or more")
  }

  func run() throws {
    let store = try state.store()
    var records: [RunRecord] = []
    var hasUnreadable = false
    for id in try store.runs() {
      if records.count == limit { break }
      if let since, id.startedAt < since.time { break }
      do {
        // A run that was killed before it started is left out.
        guard let record = try RunRecord(id, in: store), chooses(record, in: store) else {
          continue
        }
        records.append(record)
        try store.warnOfDamage(id)
      } catch {
        hasUnreadable = true
        Terminal.printFailure(CommandFailure(error))
      }
    }
    let isFiltered = limit != nil || status != nil || workflow != nil || since != nil
    switch format {
    case .json: try Terminal.printJSON(list: records.map(\.json))
    case .text where !records.isEmpty:
      // The state of a job needs all of its runs.
      let jobs = isFiltered ? "" : table(ofJobsIn: records)
      let text = table(of: records) { $0.isActive(in: store) } + jobs
      try Terminal.printResult(Array(text.utf8))
    case .text:
      guard !hasUnreadable else { return }
      Terminal.notify(
        "there is no \(isFiltered ? "such " : "")run in '\(Untrusted.shown(store.place))'")
    }
  }

  private func chooses(_ record: RunRecord, in store: any StateStore) -> Bool {
    guard workflow == nil || [record.start.workflow, record.start.file].contains(workflow) else {
      return false
    }
    return status?.includes(record, isActive: record.isActive(in: store)) ?? true
  }

  private func table(of records: [RunRecord], isActive: (RunRecord) -> Bool) -> String {
    var rows = [["RUN", "STATUS", "EXIT", "STARTED", "WORKFLOW", "FILE"]]
    for record in records {
      let (start, isActive) = (record.start, isActive(record))
      rows.append([
        record.id.description, isActive ? "active" : record.statusText,
        isActive ? "-" : String(record.exitCode),
        String(start.startedAt.description.prefix("2026-11-20T09:00:00".count)) + "Z",
        Untrusted.shown(start.workflow) + (start.options.shard.map { " \($0)" } ?? ""),
        Untrusted.shown(start.file) + (start.isSandboxRun ? " (sandbox)" : ""),
      ])
    }
    return TextTable.text(of: rows)
  }

  /// The jobs of the runs; empty if no run is a part of one.
  private func table(ofJobsIn records: [RunRecord]) -> String {
    var ids: [String] = []
    for id in records.compactMap(\.start.job) where !ids.contains(id) { ids.append(id) }
    let jobs = ids.compactMap { Job($0, of: records) }
    guard !jobs.isEmpty else { return "" }
    let rows = jobs.map { job in
      let (status, exitCode) = job.result
      let finished = job.runs.count { $0.finishedAt != nil }
      return [
        job.id, status.rawValue, String(exitCode),
        "\(finished) of \(job.runs.count + job.missing.count)",
        Untrusted.shown(job.runs[0].start.workflow), Untrusted.shown(job.runs[0].start.key ?? ""),
      ]
    }
    return "\n"
      + TextTable.text(of: [["JOB", "STATUS", "EXIT", "PARTS", "WORKFLOW", "KEY"]] + rows)
  }
}

extension RunRecord {
  fileprivate func isActive(in store: any StateStore) -> Bool {
    finishedAt == nil && store.isActive(id)
  }

  fileprivate var statusText: String {
    guard inDoubt > 0 else { return status.rawValue }
    return status == .inDoubt
      ? "in doubt (\(inDoubt))" : "\(status.rawValue), in doubt (\(inDoubt))"
  }

  fileprivate var json: JSON {
    [
      "id": .string(id.description),
      "workflow": .string(start.workflow),
      "file": .string(start.file),
      "job": start.job.map(JSON.string) ?? .null,
      "shard": start.options.shard.map { .string($0.description) } ?? .null,
      "status": .string(status.rawValue),
      "exit_code": .number(JSON.Number(exitCode)),
      "started_at": .string(start.startedAt.description),
      "finished_at": finishedAt.map { .string($0.description) } ?? .null,
      "in_doubt": .number(JSON.Number(inDoubt)),
    ]
  }
}

/// `graphflow runs show`: one run, with the outcome of each request.
struct RunsShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show one run, with the outcome of each request.",
    discussion: """
      Example: the newest run, as a summary and with all details:

        graphflow runs show latest
        graphflow runs show latest --format json
      """)

  @Argument(help: .value("run", "The run's id, or 'latest'."), completion: .runs)
  var name: String

  @Option(help: "A summary (text), or the report (json).")
  var format: OutputFormat = .text

  @OptionGroup(title: "Output") var state: StateOptions

  func run() throws {
    let store = try state.store()
    let id = try store.run(named: name)
    let report = try store.report(of: id)
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
    let asLines = FileStatus(state.files.reportPath(id, asLines: true)) != nil
    let path = state.files.reportPath(id, asLines: asLines)
    // Another host may have the report.
    let isElsewhere = state.isShared && FileStatus(path) == nil
    let tail = isElsewhere ? "report: graphflow report \(id)\n" : "report \(path)\n"
    try Terminal.printResult(Array((head + "\n" + text + tail).utf8))
    if report.end == nil, store.isActive(id) {
      Terminal.notify("the run is active")
    } else if let hint = report.resumeHint {
      Terminal.notify(hint)
    }
  }
}
