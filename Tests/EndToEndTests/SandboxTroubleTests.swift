import CommandHarness
import JSONPath
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Messages about what a sandbox cannot do.
struct SandboxTroubleTests {
  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  @Test func `a port that is in use is reported with the flag for another`() throws {
    let port = try SilentPort()

    let outcome = try graphflow("sandbox", "--port", "\(port.number)")

    #expect(outcome.code == 69)
    #expect(
      outcome.error == """
        error: the sandbox cannot listen on 127.0.0.1:\(port.number): port \(port.number) is in use
          choose another with --port; --port 0 picks a free one

        """)
  }

  @Test func `an invalid store is not called a journal`() throws {
    let path = try graphflow.folder.write(
      String(repeating: "no database ", count: 20), to: "store.db")

    let outcome = try graphflow("sandbox", "--store", path)

    #expect(outcome.code == 65)
    #expect(
      outcome.error.contains("store.db: the file is damaged: file is not a database"),
      "\(outcome.error)")
  }

  @Test(.enabled(if: access("/dev/full", W_OK) == 0))
  func `a ledger on a full disk causes one warning`() throws {
    let process = try graphflow.start([
      "sandbox", "--format", "json", "--quiet", "--ledger", "/dev/full",
    ])
    try process.read(for: 20) { $0.standardOutput.contains(UInt8(ascii: "\n")) }
    let facts = try JSON(parsing: process.standardOutput)
    let url = try #require(facts["url"]?.string)
    let token = try #require(facts["tokens"]?["default"]?.string)

    for _ in 0..<2 {
      let read = try graphflow(
        "get", "me", "--graph-url", url, environment: ["GRAPHFLOW_ACCESS_TOKEN": token])
      #expect(read.code == 0)
    }
    process.signal(SIGTERM)

    #expect(try process.wait() == .exited(143))
    #expect(
      String(decoding: process.standardError, as: UTF8.self)
        == "warning: the ledger is incomplete: No space left on device\n")
  }

  @Test func `a printed world names its schema for editors`() throws {
    let printed = try graphflow("sandbox", "--print-world").output

    #expect(!printed.contains("../"))
    #expect(
      printed.hasPrefix(
        """
        # yaml-language-server: $schema=world.schema.json
        # For editors, beside this file: graphflow schema world > world.schema.json
        #

        """))
  }

  @Test func `a sandbox run in doubt does not suggest resume`() throws {
    let outcome = try graphflow(
      "run", "workflows/faults/doubt.yaml", "--sandbox", "--faults",
      "workflows/faults/doubt.faults.yaml")
    #expect(outcome.code == 3)
    #expect(outcome.error.contains("a run with --sandbox cannot be continued: its world is gone"))

    let pruned = try graphflow("runs", "prune", "--keep", "0")

    #expect(pruned.code == 0)
    #expect(try graphflow("runs", "--format", "json").output == "[]\n")
  }
}
