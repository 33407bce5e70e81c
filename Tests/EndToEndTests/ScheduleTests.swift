import CommandHarness
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Crontab lines for files with `schedule`, with a fake `crontab` that stores its lines in a file.
struct ScheduleTests {
  private let graphflow: CommandFixture

  init() throws {
    var graphflow = try CommandFixture()
    try graphflow.folder.makeFolder("bin")
    let kept = graphflow.folder.path + "/crontab"
    try graphflow.folder.write(
      """
      #!/bin/sh
      case "$1" in
        -l) cat '\(kept)' 2> /dev/null || { echo "no crontab for me" >&2; exit 1; } ;;
        *) cat "$1" > '\(kept)' ;;
      esac

      """, to: "bin/crontab", mode: 0o755)
    graphflow.environment = [
      "PATH": graphflow.folder.path + "/bin:/usr/bin:/bin", "TZ": "Europe/Berlin",
    ]
    self.graphflow = graphflow
  }

  @discardableResult
  private func write(
    _ cron: String, _ zone: String, to name: String = "daily.yaml"
  ) throws -> String {
    try graphflow.folder.write(
      """
      graphflow: 1
      schedule: {cron: "\(cron)", timezone: \(zone)}
      requests:
        a: {get: me}

      """, to: name)
  }

  private func crontab() throws -> String {
    let binary = try #require(GraphFlowBinary.path)
    return try text(of: graphflow.folder.path + "/crontab").split(separator: binary).joined(
      separator: "{graphflow}")
  }

  private func line(_ times: String, _ clock: String, _ name: String = "daily.yaml") -> String {
    let path = graphflow.folder.path + "/" + name
    return
      "# graphflow schedule \(path)\n\(times) {graphflow} run \(path) --quiet --on-overlap wait "
      + "--run-key \"$(\(clock) +\\%FT\\%H:\\%M)\"\n"
  }

  @Test func `lines are installed beside others, updated, and removed`() throws {
    let file = try write("30 6 * * mon-fri", "Europe/Berlin")
    try graphflow.folder.write("MAILTO=me\n1 2 3 4 5 other\n", to: "crontab")

    #expect(try graphflow("schedule", file, "--install").code == 0)
    let first = "MAILTO=me\n1 2 3 4 5 other\n"
    #expect(try crontab() == first + line("30 6 * * 1,2,3,4,5", "TZ=Europe/Berlin date"))
    let other = try write("*/5 * * * *", "Europe/Berlin", to: "often.yaml")
    try write("15 7 1 * *", "Europe/Berlin")
    #expect(try graphflow("schedule", file, other, "--install").code == 0)
    #expect(
      try crontab() == first + line("15 7 1 * *", "TZ=Europe/Berlin date")
        + line("*/5 * * * *", "date -u", "often.yaml"))
    #expect(try graphflow("schedule", file, "--remove").code == 0)
    #expect(try crontab() == first + line("*/5 * * * *", "date -u", "often.yaml"))
    let again = try graphflow("schedule", file, "--remove")
    #expect(again.code == 0)
    #expect(again.error == "the crontab has no line for these files\n")
  }

  @Test func `lines are printed, and the crontab stays as it is`() throws {
    let file = try write("0 9 * * *", "Europe/Berlin")

    let outcome = try graphflow("schedule", file)

    #expect(outcome.code == 0)
    #expect(outcome.error == "")
    #expect(outcome.output.hasSuffix("(TZ=Europe/Berlin date +\\%FT\\%H:\\%M)\"\n"))
    #expect(!graphflow.folder.files().contains("crontab"))
  }

  @Test func `characters that the shell would interpret are quoted`() throws {
    let file = try write("0 9 * * *", "Europe/Berlin", to: "it's 100% $HOME.yaml")

    let outcome = try graphflow("schedule", file)

    let quoted = graphflow.folder.path + "/it'\\''s 100\\% $HOME.yaml"
    #expect(outcome.output.contains(" run '\(quoted)' --quiet"))
  }

  @Test func `another time zone is printed with CRON_TZ and not installed`() throws {
    let file = try write("0 9 * * *", "Asia/Tokyo")

    let printed = try graphflow("schedule", file)
    let installed = try graphflow("schedule", file, "--install")

    #expect(printed.output.hasPrefix("CRON_TZ=Asia/Tokyo\n"))
    #expect(installed.code == 65)
    #expect(installed.error.contains("is in Asia/Tokyo, but cron uses Europe/Berlin here"))
    #expect(!graphflow.folder.files().contains("crontab"))
  }

  @Test func `a crontab that cannot be read is not replaced`() throws {
    let file = try write("0 9 * * *", "Europe/Berlin")
    try graphflow.folder.write("#!/bin/sh\necho no >&2\nexit 1\n", to: "bin/crontab", mode: 0o755)

    #expect(try graphflow("schedule", file, "--install").code == 66)
  }

  @Test func `a file without a schedule is reported`() throws {
    let outcome = try graphflow("schedule", "workflows/cleanup.yaml")

    #expect(outcome.code == 65)
    #expect(outcome.error.contains("has no `schedule`"))
  }

  @Test func `the next times of each file are printed`() throws {
    let daily = try write("30 6 * * *", "Europe/Berlin")
    let noon = try write("0 12 * * *", "UTC", to: "noon.yaml")

    let outcome = try graphflow("schedule", daily, noon, "--next", "2")
    let refused = try graphflow("schedule", daily, "--next", "0")

    #expect(outcome.code == 0)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[0].contains(/^20..-..-..T06:30:00\+0[12]:00  .*daily.yaml$/), "\(outcome.output)")
    #expect(lines[2].contains(/^20..-..-..T12:00:00\+00:00  .*noon.yaml$/))
    #expect(lines[0] < lines[1])
    #expect(refused.code == 64)
  }

  @discardableResult
  private func writeWithInputs() throws -> String {
    try graphflow.folder.write(
      """
      graphflow: 1
      inputs:
        page: string
        limit: {type: integer, default: 5}
        tags: {type: list, default: []}
        proof: {type: secret, default: none-is-needed}
      schedule:
        cron: "30 6 * * *"
        timezone: Europe/Berlin
        inputs: {page: "@home", tags: [a, b]}
      requests:
        a: {get: "{input=page}", params: {limit: "{input=limit}", tags: "{input=tags}"}}

      """, to: "inputs.yaml")
  }

  @Test func `inputs of the schedule and of the command are in the line`() throws {
    let file = try writeWithInputs()
    try graphflow.folder.write("secret-of-a-file\n", to: "proof.txt")

    let plain = try graphflow("schedule", file)
    let given = try graphflow(
      "schedule", file, "--input", "page=x y", "--input", "limit=7", "--input",
      "proof=@\(graphflow.folder.path)/proof.txt")

    #expect(plain.output.contains(" run \(file) --input page=@@home --input 'tags=[\"a\",\"b\"]' "))
    #expect(plain.output.contains("+\\%FT\\%H:\\%M)\"\n"))
    let inputs =
      "--input limit=7 --input 'page=x y' --input proof=@\(graphflow.folder.path)/proof.txt"
    #expect(given.output.hasPrefix("# graphflow schedule \(file) \(inputs)\n"), "\(given.output)")
    #expect(given.output.contains("run \(file) --input 'tags=[\"a\",\"b\"]' \(inputs) --quiet"))
    #expect(given.output.contains(/\+\\%FT\\%H:\\%M\)-[0-9a-f]{8}"\n/))
    #expect(!given.output.contains("secret-of-a-file"))
  }

  @Test func `lines of one file with different inputs are installed and removed one by one`() throws
  {
    let file = try writeWithInputs()
    for page in ["1", "2", "2"] {
      #expect(try graphflow("schedule", file, "--input", "page=\(page)", "--install").code == 0)
    }
    #expect(try crontab().split(separator: "\n").count == 4)

    #expect(try graphflow("schedule", file, "--input", "page=1", "--remove").code == 0)

    let left = try crontab()
    #expect(left.contains("page=2") && !left.contains("page=1"))
  }

  static let refused: [(words: [String], code: Int32, message: String)] = [
    ([], 65, "its input 'page' has no value"),
    (["--input", "page=1", "--input", "limit=x"], 65, "is not a whole number"),
    (["--input", "page=1", "--input", "lmit=1"], 65, "did you mean 'limit'?"),
    (["--input", "page=1", "--input", "proof=abcdefgh"], 65, "--input proof=@FILE"),
    (["--input", "page=@-"], 64, "has no standard input"),
    (["--input", "page=@none.txt"], 66, "none.txt"),
  ]

  @Test(arguments: refused)
  func `a run without its inputs is not scheduled`(
    words: [String], code: Int32, message: String
  ) throws {
    let file = try graphflow.folder.write(
      """
      graphflow: 1
      inputs:
        page: string
        limit: {type: integer, default: 5}
        proof: {type: secret, default: none-is-needed}
      schedule: {cron: "30 6 * * *"}
      requests:
        a: {get: "{input=page}", params: {limit: "{input=limit}"}}

      """, to: "inputs.yaml")

    let outcome = try graphflow.run(["schedule", file] + words)

    #expect(outcome.code == code)
    #expect(outcome.error.contains(message), "\(outcome.error)")
    #expect(outcome.output == "")
  }

  @Test(arguments: [false, true])
  func `a secret of the schedule is not written into the crontab`(isInstalled: Bool) throws {
    let file = try graphflow.folder.write(
      """
      graphflow: 1
      inputs: {proof: secret}
      schedule: {cron: "30 6 * * *", timezone: Europe/Berlin, inputs: {proof: secret-of-the-file}}
      requests:
        a: {get: me, token: "{input=proof}"}

      """, to: "secret.yaml")

    let outcome = try graphflow.run(["schedule", file] + (isInstalled ? ["--install"] : []))

    #expect(outcome.code == 65)
    #expect(outcome.error.contains("--input proof=@FILE"), "\(outcome.error)")
    #expect(outcome.output == "")
    #expect(!graphflow.folder.files().contains("crontab"))
  }

  @Test func `a run by hand needs its own value of an input`() throws {
    let file = try writeWithInputs()

    let outcome = try graphflow("run", file, "--sandbox")

    #expect(outcome.code == 65)
    #expect(outcome.error.contains("input 'page' is missing"))
  }

  @Test func `units of systemd are installed, kept apart and removed`() throws {
    var graphflow = graphflow
    let calls = graphflow.folder.path + "/calls"
    try graphflow.folder.write(
      "#!/bin/sh\necho \"$@\" >> '\(calls)'\n", to: "bin/systemctl", mode: 0o755)
    graphflow.environment["XDG_CONFIG_HOME"] = graphflow.folder.path + "/config"
    let file = try write("30 6 1 * mon-fri", "Europe/Berlin")
    let units = graphflow.folder.path + "/config/systemd/user/graphflow-daily."

    let installed = try graphflow("schedule", file, "--systemd", "--install")

    #expect(installed.code == 0, "\(installed.error)")
    let timer = try text(of: units + "timer")
    #expect(timer.contains("OnCalendar=Mon,Tue,Wed,Thu,Fri *-*-* 06:30:00 Europe/Berlin\n"))
    #expect(timer.contains("OnCalendar=*-*-01 06:30:00 Europe/Berlin\n"))
    #expect(try text(of: units + "service").contains(" run \(file) --quiet --on-overlap wait"))
    #expect(try text(of: calls).contains("--user enable --now graphflow-daily.timer"))

    try graphflow.folder.makeFolder("other")
    let other = try write("0 9 * * *", "UTC", to: "other/daily.yaml")
    let taken = try graphflow("schedule", other, "--systemd", "--install")
    #expect(taken.code == 73)
    #expect(taken.error.contains("belongs to something else"))
    #expect(try text(of: units + "timer") == timer)

    #expect(
      try graphflow("schedule", other, "--systemd", "--remove").error.hasPrefix("there is no"))
    #expect(try graphflow("schedule", file, "--systemd", "--remove").code == 0)
    #expect(try text(of: calls).contains("--user disable --now graphflow-daily.timer"))
    #expect(!graphflow.folder.files().contains { $0.hasSuffix(".timer") })
  }

  static let lines = [
    "30 6 * * *", "*/15 9-17 * * mon-fri", "0 0 1 jan,jul *", "5 4 1,15 * sun", "0 12 */2 * 1",
    "59 23 29 2 *",
  ]

  /// systemd itself reads the calendar lines; both find the same next times.
  @Test(.enabled(if: SystemdAnalyze.exists, "systemd-analyze is missing"), arguments: lines)
  func `systemd has the same times as cron`(_ cron: String) throws {
    let file = try write(cron, "Europe/Berlin")
    let units = try graphflow("schedule", file, "--systemd").output
    let ours = try graphflow("schedule", file, "--next", "3").output.split(separator: "\n")
      .map { $0.prefix(16) }
    let calendars = units.split(separator: "\n").filter { $0.hasPrefix("OnCalendar=") }

    let theirs = try calendars.flatMap {
      try SystemdAnalyze.times(of: String($0.dropFirst("OnCalendar=".count)), count: 3)
    }

    #expect(Array(Set(theirs).sorted().prefix(3)) == ours.map { String($0) }, "\(calendars)")
  }
}

/// The program that shows when a timer of systemd elapses.
private enum SystemdAnalyze {
  private static let path = "/usr/bin/systemd-analyze"

  static var exists: Bool { access(path, X_OK) == 0 }

  /// The next times of a calendar line in Berlin, to the minute: `2026-11-30T06:30`.
  static func times(of line: String, count: Int) throws -> [String] {
    let process = try ChildProcess(
      [path, "calendar", "--iterations=\(count)", line], environment: ["TZ": "Europe/Berlin"],
      input: [], folder: "/")
    _ = try process.wait()
    let output = String(decoding: process.standardOutput, as: UTF8.self)
    let time = /(?:Next elapse|Iter(?:ation|\.) #\d+): \w+ (\S+) (\d\d:\d\d):00/
    return output.matches(of: time).map { "\($0.output.1)T\($0.output.2)" }
  }
}
