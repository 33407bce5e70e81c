import CommandHarness
import TestSupport
import Testing

/// Runs in a database, as commands of several hosts see them: each host has a home of its own.
@Suite(.enabled(if: SharedDatabase.isAvailable, "scripts/with-postgres starts a server"))
struct DatabaseStateTests {
  private let one: CommandFixture
  private let other: CommandFixture
  private let database: SharedDatabase
  private let sandbox: SandboxProcess

  init() throws {
    database = try SharedDatabase()
    var (one, other) = (try CommandFixture(), try CommandFixture())
    sandbox = try SandboxProcess(for: one)
    one.environment = sandbox.environment
    one.environment["GRAPHFLOW_STATE"] = database.url
    other.environment = one.environment
    (self.one, self.other) = (one, other)
  }

  private static let flow =
    "graphflow: 1\nrequests:\n  a:\n    post: me/feed\n    params: {message: Hello}\n"

  @Test func `the tables are created, checked, and needed`() throws {
    let before = try one("run", "workflows/post-and-verify.yaml", "--input", "message=Hi")
    #expect(before.code == 78)
    #expect(before.error.contains("create them with: graphflow state migrate"))

    let migrated = try one("state", "migrate")
    #expect(migrated.code == 0)
    #expect(migrated.output.hasSuffix("has version 2 now\n"))
    #expect(try other("state", "migrate").output.hasSuffix("has version 2 already\n"))
    let checked = try other("state", "check")
    #expect(checked.code == 0)
    #expect(checked.output.contains("runs     0 kept, 0 active\n"))
    #expect(checked.output.contains("no TLS"))
  }

  @Test func `one host repeats what another one has sent under a key, and reports it`() throws {
    #expect(try one("state", "migrate").code == 0)
    let file = try one.folder.write(DatabaseStateTests.flow, to: "flow.yaml")

    let first = try one("run", file, "--run-key", "k", "--outputs", "-")
    let second = try other("run", file, "--run-key", "k", "--outputs", "-")

    #expect([first.code, second.code] == [0, 0])
    #expect(second.error.hasPrefix("nothing was sent: the run "))
    #expect(try sandbox.calls().count == 1)
    #expect(try other("runs").output.contains("succeeded"))
    #expect(try other("report", "latest").output.contains(#""status": "succeeded""#))
    // A host that has no report says how to make it.
    var third = try CommandFixture()
    third.environment = other.environment
    #expect(try third("runs", "show", "latest").output.contains("report: graphflow report "))
    #expect(try other("runs", "show", "latest").output.contains("/report.json\n"))
    // Nothing but reports is kept on a host.
    #expect(!one.folder.files().contains { $0.contains("journal.sqlite") })
    #expect(one.folder.files().contains { $0.hasSuffix("report.json") })

    // A host deletes its own reports with the run.
    #expect(try one("runs", "rm", "latest").code == 0)
    #expect(!one.folder.files().contains { $0.hasSuffix("report.json") })
    #expect(try other("runs").output.isEmpty)
  }

  @Test func `a host does not read the windows that another one has read`() throws {
    #expect(try one("state", "migrate").code == 0)
    let file = try one.folder.write(
      """
      graphflow: 1
      requests:
        feed:
          for_each:
            {windows: day, since: 2026-11-01, until: 2026-11-07, state: {lookback: 2d}}
          key: "{item=$.since}"
          get: me/feed
          params: {fields: id, since: "{item=$.start}", until: "{item=$.end}"}
      outputs:
        days: {each: feed, columns: {day: "{item=$.since}"}, file: "out/{item=$.since}.csv"}

      """, to: "days.yaml")

    #expect(try one("run", file).output == "{\"days\":{\"rows\":7,\"files\":7}}\n")
    #expect(try other("run", file).output == "{\"days\":{\"rows\":2,\"files\":2}}\n")
    #expect(try other("state", "show", file).output.hasSuffix("\n  2026-11-01..2026-11-07\n"))
    let reset = try one("state", "reset", file, "--windows", "2026-11-03..2026-11-04")
    #expect(reset.output == "forgot 2 windows\n")
    #expect(try other("run", file).output.contains("\"files\":4"))
  }

  @Test func `no token and no password is in the database or in messages`() throws {
    #expect(try one("state", "migrate").code == 0)
    let file = try one.folder.write(DatabaseStateTests.flow, to: "flow.yaml")
    let withPassword = database.url.replacing("graphflow@", with: "graphflow:sekret@")
    let run = try one("run", "-vv", file, environment: ["GRAPHFLOW_STATE": withPassword])
    #expect(run.code == 0)
    #expect(!(run.output + run.error).contains("sekret"))
    let dump = try database.dump()
    #expect(dump.contains("run_started"))
    for secret in ["sekret", sandbox.environment["GRAPHFLOW_ACCESS_TOKEN"] ?? ""] {
      #expect(!dump.contains(secret))
    }

    let refused = try one("runs", "--state", withPassword)
    #expect(refused.code == 64)
    #expect(refused.error.contains("~/.pgpass"))
    #expect(!refused.error.contains("sekret"))
  }

  @Test func `a file with a secret in it is not copied`() throws {
    #expect(try one("state", "migrate").code == 0)
    let token = sandbox.environment["GRAPHFLOW_ACCESS_TOKEN"] ?? ""
    let plain = try one.folder.write(DatabaseStateTests.flow, to: "plain.yaml")
    let secret = try one.folder.write("# \(token)\n" + DatabaseStateTests.flow, to: "secret.yaml")
    _ = try one("run", plain)
    #expect(try database.sql("SELECT count(*) FROM graphflow.runs WHERE file IS NOT NULL") == "1\n")
    _ = try one("run", secret)
    #expect(try database.sql("SELECT count(*) FROM graphflow.runs WHERE file IS NOT NULL") == "1\n")
  }

  @Test func `addresses that cannot be used are refused with the reason`() throws {
    let port = try #require(LoopbackPort())
    for (words, code, message) in [
      (["--state", "/var/lib/runs"], 64, "is not the address of a database"),
      (["--state", "postgresql://x/y", "--state-dir", "z"], 64, "exclude each other"),
      (["--state", "postgresql://127.0.0.1/x?nonsense=1"], 78, "nonsense"),
      (["--state", "postgresql://127.0.0.1:\(port.number)/x"], 75, "refused"),
    ] as [([String], Int32, String)] {
      let outcome = try one.run(["runs"] + words)
      #expect(outcome.code == code, "\(words): \(outcome.error)")
      #expect(outcome.error.contains(message), "\(words): \(outcome.error)")
    }
    let doctor = try one(
      "doctor", "--sandbox", "--state", "postgresql://127.0.0.1:\(port.number)/x")
    #expect(doctor.output.contains("failed   runs"), "\(doctor.output)\(doctor.error)")
    let nothing = try one("state", "check", environment: ["GRAPHFLOW_STATE": ""])
    #expect(nothing.code == 64)
    #expect(nothing.error.contains("GRAPHFLOW_STATE"))
  }
}
