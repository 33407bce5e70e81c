import CommandHarness
import TestSupport
import Testing

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
}
