import ArgumentParser
import GraphFlow

/// `graphflow schedule`: lines of a crontab, or units of systemd, for files with `schedule`.
struct ScheduleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schedule",
    abstract: "Print, install or remove crontab lines, or timers, for workflows with a schedule.",
    discussion: """
      A line runs its file quietly, with the time as the run key, so that no time runs twice. In the \
      crontab a comment above the line names the file. Everything else there stays as it is.

      Example: print the line, put it into your crontab, and remove it again:

        graphflow schedule workflows/daily.yaml
        graphflow schedule workflows/daily.yaml --install
        graphflow schedule workflows/daily.yaml --remove

      Example: one file for two pages, each with its own line:

        graphflow schedule workflows/daily.yaml --input page=111 --install
        graphflow schedule workflows/daily.yaml --input page=222 --install

      Example: a timer of systemd instead of a crontab:

        graphflow schedule workflows/daily.yaml --systemd --install

      Example: when would it run?

        graphflow schedule workflows/daily.yaml --next 5
      """)

  @Argument(help: .value("file", "The workflows."), completion: .workflows)
  var files: [String]

  @Option(
    name: .customLong("input"),
    help: .value(
      "name=value", "Give an input its value at each run; may be repeated.",
      discussion: """
        Lines of one file with different inputs do not replace each other. @FILE takes the content of \
        a file at each run.
        """))
  var inputs: [InputAssignment] = []

  @Flag(help: "A service and a timer of systemd, in place of a crontab line.")
  var systemd = false

  @Flag(help: "Put the lines into your crontab, or start the timers, in place of older ones.")
  var install = false

  @Flag(help: "Remove the lines or timers of these files.")
  var remove = false

  @Option(help: .value("n", "Print the next N times of each file, and no crontab lines."))
  var next: Int?

  func validate() throws {
    try require(!(install && remove), "--install and --remove exclude each other")
    try require(!(next != nil && (install || remove || systemd)), "--next only prints times")
    try require(next.map { (1...1000).contains($0) } ?? true, "--next must be from 1 to 1000")
    try require(!files.contains("-"), "a scheduler needs a file; standard input is not a file")
  }

  func run() throws {
    // Not read: the file may be gone, or have no schedule any more.
    if remove { return try removeAll() }
    if let next { return try printTimes(next) }
    let program = StateDirectory.canonical(ScheduleCommand.program)
    let runs = try files.map {
      try ScheduledRun(of: WorkflowFiles.workflow(at: $0), with: inputs, program: program)
    }
    guard !systemd else { return try handle(runs.map { SystemdUnits(for: $0) }) }
    let entries = runs.map { CrontabEntry(for: $0) }
    if install { try installEntries(entries) } else { try print(entries) }
  }

  /// Prints units, or installs them.
  private func handle(_ units: [SystemdUnits]) throws {
    for unit in units {
      if install {
        try UserUnits().install(unit)
        Terminal.notify("started: \(unit.name).timer")
      } else {
        for (text, kind) in [(unit.service, "service"), (unit.timer, "timer")] {
          try Terminal.printResult(Untrusted.shown("# \(unit.name).\(kind)\n" + text))
        }
      }
    }
    if install {
      Terminal.notify(
        "the timers run while you are logged in; for all the time: loginctl enable-linger")
    }
  }

  private func printTimes(_ count: Int) throws {
    let now = Int64(WallClock.seconds())
    for file in files {
      let schedule = try WorkflowFiles.workflow(at: file).requiredSchedule()
      guard let clock = ZoneClock(named: schedule.timeZone) else {
        throw CommandFailure(.internalError, "the rules of \(schedule.timeZone) are missing")
      }
      for time in schedule.cron.times(count, after: now, in: clock) {
        try Terminal.printResult("\(clock.rfc3339(time))  \(Untrusted.shown(file))")
      }
    }
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

  private func removeAll() throws {
    var crontab = systemd ? nil : try Crontab()
    let given = try inputs.kept
    var removed: [String] = []
    for file in files {
      let path = StateDirectory.canonical(file)
      let isRemoved =
        try crontab?.remove(ScheduledRun.mark(of: path, given))
        ?? UserUnits().remove(for: path, given)
      if isRemoved { removed.append(path) }
    }
    let what = systemd ? "timer" : "line"
    if !removed.isEmpty { try crontab?.install() }
    for path in removed { Terminal.notify("removed the \(what) of '\(Untrusted.shown(path))'") }
    guard removed.isEmpty else { return }
    let others = crontab?.lines.filter { line in
      files.contains { line.hasPrefix(ScheduledRun.mark(of: StateDirectory.canonical($0), [])) }
    }
    for line in others ?? [] {
      Terminal.notify("another line of the file: \(Untrusted.shown(String(line)))")
    }
    Terminal.notify(
      systemd ? "there is no timer for these files" : "the crontab has no line for these files")
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

extension ZoneClock {
  /// A time in RFC 3339 as the clocks show it: `2026-11-30T06:30:00+01:00`.
  func rfc3339(_ time: Int64) -> String {
    let local = local(time)
    let (sign, offset) = local < time ? ("-", time - local) : ("+", local - time)
    let digits = { (number: Int64) in number < 10 ? "0\(number)" : "\(number)" }
    return Timestamp(milliseconds: local * 1000).description.prefix(19)
      + "\(sign)\(digits(offset / 3600)):\(digits(offset / 60 % 60))"
  }
}
