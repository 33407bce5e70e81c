import GraphFlow

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The service and the timer of systemd that run a file at the times of its schedule.
///
/// Source: systemd.service(5), systemd.timer(5), systemd.time(7).
struct SystemdUnits {
  /// The names of both units without their endings.
  let name: String
  let service: String
  let timer: String
  /// The comment that identifies them, their first line.
  let mark: String

  init(for run: ScheduledRun) {
    name = Self.name(of: run.path, run.suffix)
    mark = run.mark
    let words = run.words(["--on-unfinished", "resume"])
    let command = words.map { Self.word($0) }.joined(separator: " ")
    service = """
      \(mark)
      [Unit]
      Description=\(Self.description(of: run))

      [Service]
      Type=oneshot
      ExecStart=\(command)
      # Codes 69 and 75, a crash or a signal: the next start continues the run. Others need a person.
      Restart=on-failure
      RestartSec=15min
      RestartPreventExitStatus=1 3 64 65 66 70 71 73 74 77 78

      """
    timer = """
      \(mark)
      [Unit]
      Description=Timer of: \(Self.description(of: run))

      [Timer]
      \(Self.times(of: run.schedule).map { "OnCalendar=\($0)\n" }.joined())AccuracySec=1s
      # A start that the machine slept through is made up for.
      Persistent=yes

      [Install]
      WantedBy=timers.target

      """
  }

  /// The names of the units of a file.
  static func name(of path: String, _ suffix: String) -> String {
    let file = path.split(separator: "/").last ?? ""
    let stem = file.split(separator: ".").first.map(String.init) ?? "workflow"
    let isPlain = { (character: Character) in
      character.isASCII && (character.isLetter || character.isNumber) || "-_".contains(character)
    }
    return "graphflow-" + String(stem.map { isPlain($0) ? $0 : "_" }) + suffix
  }

  private static func description(of run: ScheduledRun) -> String {
    "graphflow run \(run.path)".replacing("%", with: "%%")
  }

  /// The times in systemd's calendar syntax.
  ///
  /// If a line of cron restricts both fields for days, either is enough; systemd wants both.
  static func times(of schedule: Workflow.Schedule) -> [String] {
    let cron = schedule.cron
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    func list(_ field: CronLine.Field, _ all: Int) -> String {
      field.values.count == all
        ? "*" : field.values.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ",")
    }
    let weekdays =
      cron.daysOfWeek.values.count == 7
      ? "" : cron.daysOfWeek.values.map { days[$0] }.joined(separator: ",") + " "
    let (months, dates) = (list(cron.months, 12), list(cron.daysOfMonth, 31))
    let time = "\(list(cron.hours, 24)):\(list(cron.minutes, 60)):00 \(schedule.timeZone)"
    guard !cron.daysOfMonth.isOpen, !cron.daysOfWeek.isOpen else {
      return ["\(weekdays)*-\(months)-\(dates) \(time)"]
    }
    return ["\(weekdays)*-\(months)-* \(time)", "*-\(months)-\(dates) \(time)"]
  }

  /// A word of `ExecStart=`, where `%` and `$` have a meaning.
  private static func word(_ text: String) -> String {
    let text = text.replacing("%", with: "%%").replacing("$", with: "$$")
    guard text.shellWord != text else { return text }
    return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}

/// The user's units, and the program `systemctl` that tells the user's manager of changes.
struct UserUnits {
  private let folder: String

  /// - Throws: a ``CommandFailure`` if the user has no configuration directory.
  init() throws {
    guard let folder = Configuration.userFolder else {
      throw CommandFailure(.misconfigured, "neither XDG_CONFIG_HOME nor HOME is set")
    }
    self.folder = folder + "/systemd/user"
  }

  /// Writes both units and starts the timer; units of another file with the same name stay.
  func install(_ units: SystemdUnits) throws {
    let parts = [(units.service, "service"), (units.timer, "timer")]
    for (_, kind) in parts {
      let path = "\(folder)/\(units.name).\(kind)"
      guard FileStatus(path) != nil, try !isMarked(path, units.mark) else { continue }
      throw CommandFailure(
        .cannotCreate, "'\(path)' belongs to something else",
        hint: "rename the workflow file, or remove that unit first")
    }
    _ = try PrivateFolder(creating: folder)
    for (text, kind) in parts {
      try writeAtomically(Array(text.utf8), to: "\(folder)/\(units.name).\(kind)")
    }
    try run(["systemctl", "--user", "daemon-reload"])
    try run(["systemctl", "--user", "enable", "--now", "\(units.name).timer"])
  }

  /// Stops the timer and removes both units.
  ///
  /// - Returns: whether there were any.
  func remove(for path: String, _ given: [String]) throws -> Bool {
    let name = SystemdUnits.name(of: path, ScheduledRun.suffix(of: path, given))
    let mark = ScheduledRun.mark(of: path, given)
    let paths = ["timer", "service"].map { "\(folder)/\(name).\($0)" }
    let found = try paths.filter { try FileStatus($0) != nil && isMarked($0, mark) }
    guard !found.isEmpty else { return false }
    try run(["systemctl", "--user", "disable", "--now", "\(name).timer"])
    for path in found { unlink(path) }
    try run(["systemctl", "--user", "daemon-reload"])
    return true
  }

  private func isMarked(_ path: String, _ mark: String) throws -> Bool {
    try FileReading.beginning(of: path, limit: 1 << 16).bytes
      .starts(with: Array("\(mark)\n".utf8))
  }

  private func run(_ words: [String]) throws {
    do {
      _ = try ChildProcess.output(of: words, limit: 1 << 16, within: .seconds(30))
    } catch {
      throw CommandFailure(
        .cannotWrite, "'\(words.joined(separator: " "))' \(error)",
        hint: "graphflow schedule --systemd without --install prints the units")
    }
  }
}
