import ArgumentParser
import GraphFlow

/// `graphflow runs`: lists, shows and removes runs.
struct RunsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "runs", abstract: "List, show and remove runs.",
    discussion: """
      Without a subcommand it lists all runs, the newest first.

      Example: list the runs, show the newest one, and remove old ones:

        graphflow runs
        graphflow runs show latest
        graphflow runs prune --older-than 30d
      """, subcommands: [RunsListCommand.self, RunsShowCommand.self, RunsPruneCommand.self],
    defaultSubcommand: RunsListCommand.self)
}

/// `graphflow runs list`: a table for people, a list of objects for programs.
struct RunsListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List runs, the newest first.",
    discussion: """
      Example: the ids of all runs that have writes in doubt:

        graphflow runs list --format json | graphflow query '$[?@.in_doubt > 0].id'
      """)

  @Option(help: "A table (text) or a list of objects (json).")
  var format: OutputFormat = .text

  @OptionGroup(title: "Output") var state: StateOptions

  func run() throws {
    let directory = StateDirectory(state)
    var records: [RunRecord] = []
    var hasUnreadable = false
    for id in try directory.runs() {
      do {
        let record = try RunRecord(id, in: directory)
        // A run that was killed before it started is left out.
        guard record.start != nil else { continue }
        records.append(record)
        try directory.warnOfDamage(id)
      } catch {
        hasUnreadable = true
        Terminal.printFailure(CommandFailure(error))
      }
    }
    switch format {
    case .json: try Terminal.printJSON(list: RunTable.json(of: records))
    case .text:
      guard !records.isEmpty else {
        guard !hasUnreadable else { return }
        Terminal.notify("there is no run in '\(Untrusted.shown(directory.path))'")
        return
      }
      let active = Set(
        records.filter { $0.finishedAt == nil && RunTable.isActive($0.id, in: directory) }
          .map(\.id))
      try Terminal.printResult(Array(RunTable.text(of: records, active: active).utf8))
    }
  }
}
