import ArgumentParser
import GraphFlow

/// `graphflow schedule`: crontab lines for files with `schedule`.
struct ScheduleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schedule",
    abstract: "Print, install or remove crontab lines for workflows with a schedule.",
    discussion: """
      A line runs its file quietly and under a key that is the time, so that no time is run twice. \
      In the crontab a comment above it names the file; everything else there is left alone.

      Example: look at the line, put it into your crontab, and take it out again:

        graphflow schedule workflows/daily.yaml
        graphflow schedule workflows/daily.yaml --install
        graphflow schedule workflows/daily.yaml --remove
      """
  )

  @Argument(help: ArgumentHelp("The workflows.", valueName: "file"))
  var files: [String]

  @Flag(help: "Put the lines into your crontab, in place of older ones.")
  var install = false

  @Flag(help: "Take the lines of these files out of your crontab.")
  var remove = false

  func validate() throws {
    guard !(install && remove) else {
      throw ValidationError("--install and --remove exclude each other")
    }
    guard !files.contains("-") else {
      throw ValidationError("a crontab names files, and standard input is none")
    }
  }

  func run() throws {
    // A file may be gone, or have no schedule any more.
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
          "CRON_TZ is known to cronie and others, not to Debian's cron, which works in "
            + "\(Untrusted.shown(LocalTimeZone.name)) here"
        )
        try Terminal.printResult("CRON_TZ=\(entry.timeZone)")
      }
      try Terminal.printResult(Untrusted.shown(entry.mark))
      try Terminal.printResult(Untrusted.shown(entry.line))
    }
  }

  private func installEntries(_ entries: [CrontabEntry]) throws {
    if let foreign = entries.first(where: { !isLocal($0) }) {
      throw CommandFailure(
        .invalid,
        "cron works in \(LocalTimeZone.name) here, and the file means \(foreign.timeZone)",
        hint: "print the line, and write it into a crontab of a cron that knows CRON_TZ"
      )
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
    if removed.isEmpty { Terminal.notify("the crontab has no line of these files") }
  }

  private func isLocal(_ entry: CrontabEntry) -> Bool {
    LocalTimeZone.isSame(entry.timeZone, LocalTimeZone.name)
  }

  /// This program's own file.
  private static var program: String {
    #if canImport(Glibc)
    "/proc/self/exe"
    #else
    CommandLine.arguments.first ?? "graphflow"
    #endif
  }
}
