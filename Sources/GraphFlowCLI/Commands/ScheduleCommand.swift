import ArgumentParser
import GraphFlow

/// `graphflow schedule`: crontab lines for files with `schedule`.
struct ScheduleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schedule",
    abstract: "Print, install or remove crontab lines for workflows with a schedule.",
    discussion: """
      A line runs its file quietly, with the time as the run key, so that no time runs twice. In the \
      crontab a comment above the line names the file. Everything else there stays as it is.

      Example: print the line, put it into your crontab, and remove it again:

        graphflow schedule workflows/daily.yaml
        graphflow schedule workflows/daily.yaml --install
        graphflow schedule workflows/daily.yaml --remove
      """)

  @Argument(help: .value("file", "The workflows."), completion: .workflows)
  var files: [String]

  @Flag(help: "Put the lines into your crontab, in place of older ones.")
  var install = false

  @Flag(help: "Remove the lines of these files from your crontab.")
  var remove = false

  func validate() throws {
    try require(!(install && remove), "--install and --remove exclude each other")
    try require(!files.contains("-"), "a crontab needs a file; standard input is not a file")
  }

  func run() throws {
    // Not read: the file may be gone, or have no schedule any more.
    if remove { return try removeEntries() }
    let program = StateDirectory.canonical(ScheduleCommand.program)
    let entries = try files.map { file in
      try CrontabEntry(for: try WorkflowFiles.workflow(at: file), program: program)
    }
    if install { try installEntries(entries) } else { try print(entries) }
  }

  private func print(_ entries: [CrontabEntry]) throws {
    for entry in entries {
      if !isLocal(entry) {
        Terminal.notify(
          "cronie and others support CRON_TZ; Debian's cron does not, and uses the time zone "
            + Untrusted.shown(LocalTimeZone.name))
        try Terminal.printResult("CRON_TZ=\(entry.timeZone)")
      }
      try Terminal.printResult(Untrusted.shown(entry.mark))
      try Terminal.printResult(Untrusted.shown(entry.line))
    }
  }

  private func installEntries(_ entries: [CrontabEntry]) throws {
    for (file, entry) in zip(files, entries) where !isLocal(entry) {
      throw CommandFailure(
        .invalid,
        "the schedule of '\(file)' is in \(entry.timeZone), but cron uses \(LocalTimeZone.name) here",
        hint:
          "print the line without --install, and add it to a crontab whose cron supports CRON_TZ")
    }
    var crontab = try Crontab()
    for entry in entries { crontab.put(entry) }
    try crontab.install()
    for entry in entries { Terminal.notify("installed: " + Untrusted.shown(entry.line)) }
  }

  private func removeEntries() throws {
    var crontab = try Crontab()
    var removed: [String] = []
    for file in files {
      let path = StateDirectory.canonical(file)
      if crontab.remove(CrontabEntry.mark(for: path)) { removed.append(path) }
    }
    if !removed.isEmpty { try crontab.install() }
    for path in removed { Terminal.notify("removed the line of '\(Untrusted.shown(path))'") }
    if removed.isEmpty { Terminal.notify("the crontab has no line for these files") }
  }

  private func isLocal(_ entry: CrontabEntry) -> Bool {
    LocalTimeZone.isSame(entry.timeZone, LocalTimeZone.name)
  }

  private static var program: String {
    #if canImport(Glibc)
    "/proc/self/exe"
    #else
    CommandLine.arguments.first ?? "graphflow"
    #endif
  }
}
