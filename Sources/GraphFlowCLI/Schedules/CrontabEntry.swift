import GraphFlow

/// The entry of one workflow in a crontab: a comment that names the file, and the line that runs it.
struct CrontabEntry {
  /// The comment that identifies the entry, directly above the line.
  let mark: String
  let line: String
  let timeZone: String

  /// The entry for a workflow file.
  init(for workflow: Workflow, program: String) throws {
    let path = StateDirectory.canonical(workflow.source.path)
    guard let schedule = workflow.schedule else {
      throw CommandFailure(
        .invalid, "'\(workflow.source.path)' has no `schedule`",
        hint: "add one, such as: schedule: {cron: \"0 9 * * *\", timezone: Europe/Berlin}")
    }
    guard !(path + program).unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
    else { throw CommandFailure(.invalid, "a crontab cannot hold a path with control characters") }
    mark = CrontabEntry.mark(for: path)
    timeZone = schedule.timeZone
    let cron = schedule.cron
    // When the clocks are set back, a job with certain hours runs once. An hourly job runs in both
    // hours, so its key is in UTC.
    let clock = cron.hours.isOpen ? "date -u" : "TZ=\(schedule.timeZone) date"
    let command =
      "\(CrontabEntry.quoted(program)) run \(CrontabEntry.quoted(path)) --quiet "
      + "--on-overlap wait --run-key \"$(\(clock) +%FT%H:%M)\""
    let fields = zip(
      cron.text.split(separator: " "),
      [cron.minutes, cron.hours, cron.daysOfMonth, cron.months, cron.daysOfWeek])
    let times = fields.map { text, field in
      // Not every cron supports lists and ranges of names.
      text.contains(where: \.isLetter)
        ? field.values.map(String.init).joined(separator: ",") : String(text)
    }
    // cron would use the text after an unescaped percent sign as standard input.
    line =
      times.joined(separator: " ") + " "
      + command.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "\\%")
  }

  static func mark(for path: String) -> String { "# graphflow schedule \(path)" }

  /// A word for the shell.
  private static func quoted(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        || "/._-+,:@".unicodeScalars.contains(scalar)
    }
    guard !isPlain || word.isEmpty else { return word }
    return "'"
      + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }
}
