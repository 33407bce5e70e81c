import GraphFlow

/// The user's crontab, read and written with the program `crontab`.
struct Crontab {
  private(set) var lines: [Substring]

  /// Reads the crontab, which is empty if the user has none; an unreadable one must not be replaced.
  init() throws {
    let script = """
      if text=$(LC_ALL=C crontab -l 2>&1); then printf '%s\\n' "$text"
      else case "$text" in *"no crontab"*) ;; *) exit 1 ;; esac
      fi
      """
    do {
      let text = try ChildProcess.output(
        of: ["/bin/sh", "-c", script], limit: 1 << 20, within: .seconds(10))
      lines = String(decoding: text, as: UTF8.self).split(
        separator: "\n", omittingEmptySubsequences: false)
    } catch {
      throw CommandFailure(
        .unreadable, "cannot read the crontab: the program 'crontab' \(error)",
        hint: "graphflow schedule without options prints the lines")
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
  }

  mutating func remove(_ mark: String) -> Bool {
    guard let place = lines.firstIndex(where: { $0 == mark }) else { return false }
    lines.removeSubrange(place..<min(place + 2, lines.endIndex))
    _ = remove(mark)
    return true
  }

  mutating func put(_ entry: CrontabEntry) {
    let place = lines.firstIndex { $0 == entry.mark }
    _ = remove(entry.mark)
    lines.insert(
      contentsOf: [Substring(entry.mark), Substring(entry.line)],
      at: min(place ?? lines.endIndex, lines.endIndex))
  }

  func install() throws {
    let base = Environment.value("TMPDIR") ?? "/tmp"
    let path = "\(base)/graphflow-crontab-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
    try writeAtomically(Array(lines.map { $0 + "\n" }.joined().utf8), to: path)
    defer { unlink(path) }
    do {
      _ = try ChildProcess.output(of: ["crontab", path], limit: 1 << 16, within: .seconds(10))
    } catch {
      throw CommandFailure(
        .cannotWrite, "cannot install the crontab: the program 'crontab' \(error)")
    }
  }
}

/// The entry of a run in a crontab: a comment that identifies it, and the line that runs the file.
struct CrontabEntry {
  /// The comment that identifies the entry, directly above the line.
  let mark: String
  let line: String
  let timeZone: String

  init(for run: ScheduledRun) {
    mark = run.mark
    timeZone = run.schedule.timeZone
    let cron = run.schedule.cron
    let clock = run.schedule.keyIsUTC ? "date -u" : "TZ=\(timeZone) date"
    let command =
      run.words().map(\.shellWord).joined(separator: " ")
      + " --run-key \"$(\(clock) +%FT%H:%M)\(run.suffix)\""
    let fields = zip(
      cron.text.split(separator: " "),
      [cron.minutes, cron.hours, cron.daysOfMonth, cron.months, cron.daysOfWeek])
    let times = fields.map { text, field in
      // Not every cron supports lists and ranges of names.
      text.contains(where: \.isLetter)
        ? field.values.map(String.init).joined(separator: ",") : String(text)
    }
    // cron would use the text after an unescaped percent sign as standard input.
    line = times.joined(separator: " ") + " " + command.replacing("%", with: "\\%")
  }
}

extension Workflow.Schedule {
  /// Whether the run key is the time in UTC rather than in the schedule's zone.
  ///
  /// When the clocks are set back, a job with certain hours runs once. An hourly job runs in both
  /// hours.
  fileprivate var keyIsUTC: Bool { cron.hours.isOpen }

  /// The run key of a start, as the crontab line has it: `2026-11-27T09:00`.
  func runKey(at time: Int64, in zone: ZoneClock) -> String {
    let shown = keyIsUTC ? time : zone.local(time)
    return String(Timestamp(milliseconds: shown * 1000).description.prefix(16))
  }
}

extension Workflow {
  func requiredSchedule() throws -> Schedule {
    if let schedule { return schedule }
    throw CommandFailure(
      .invalid, "'\(source.path)' has no `schedule`",
      hint: "add one, such as: schedule: {cron: \"0 9 * * *\", timezone: Europe/Berlin}")
  }
}

/// The time zone of this machine, which cron uses.
enum LocalTimeZone {
  /// Its name in the IANA database; UTC if it is unknown.
  static var name: String {
    if let variable = Environment.value("TZ") { return String(variable.drop { $0 == ":" }) }
    let path = StateDirectory.canonical("/etc/localtime")
    guard let found = path.firstRange(of: "/zoneinfo/") else { return "UTC" }
    return String(path[found.upperBound...])
  }

  /// Whether two names mean the same zone; UTC has many names.
  static func isSame(_ left: String, _ right: String) -> Bool {
    left == right || (namesOfUTC.contains(left) && namesOfUTC.contains(right))
  }

  private static let namesOfUTC: Set<String> = [
    "UTC", "Etc/UTC", "UCT", "Etc/UCT", "Universal", "Etc/Universal", "Zulu", "Etc/Zulu", "GMT",
    "Etc/GMT", "Greenwich", "Etc/Greenwich",
  ]
}
