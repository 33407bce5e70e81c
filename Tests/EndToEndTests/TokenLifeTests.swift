import CommandHarness
import JSONPath
import TestSupport
import Testing

/// Time limits of a run on its command line: of its tokens, and its deadline.
struct TokenLifeTests {
  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  private func file() throws -> String {
    try graphflow.folder.write(
      "graphflow: 1\nrequests: {a: {get: me}}\n", to: "flow.yaml")
  }

  @Test(arguments: [(600, 77), (36_000, 0)])
  func `a token that ends too soon is found before anything is sent`(
    _ left: Int64, _ code: Int32
  ) throws {
    let world = try graphflow.folder.write(
      """
      world: 1
      users: {alex: {name: Alex Taylor}}
      tokens: {default: {user: alex, expires: \(wallTime() / 1000 + left)}}
      """, to: "world.yaml")

    let run = try graphflow(
      "run", try file(), "--sandbox", "--world", world, "--min-token-life", "2h")

    #expect(run.code == code, "\(run.error)")
    #expect(run.error.contains("the token ends on") == (code == 77), "\(run.error)")
    #expect(try graphflow("runs").output.isEmpty == (code == 77))
  }

  @Test func `a token without an end lasts`() throws {
    let run = try graphflow("run", try file(), "--sandbox", "--min-token-life", "8760h")
    #expect(run.code == 0, "\(run.error)")
  }

  @Test(arguments: ["--min-token-life", "--deadline"])
  func `a duration has a unit`(_ option: String) throws {
    let run = try graphflow("run", try file(), "--sandbox", option, "90")
    #expect(run.code == 64)
    #expect(run.error.contains("'90' is not a duration such as 30s, 45m or 2h; write 90s"))
  }

  @Test func `a deadline that has passed keeps everything from being sent`() throws {
    let file = try graphflow.folder.write(
      """
      graphflow: 1
      requests:
        poll: {get: me, until: {check: "$.never", interval: 1s, within: 1h}}
        clean: {get: me, depends_on: [poll], always: true}
      """, to: "poll.yaml")

    let run = try graphflow("run", file, "--sandbox", "--deadline", "300ms")

    #expect(run.code == 75, "\(run.error)")
    #expect(run.error.contains("the deadline has passed"), "\(run.error)")
    let report = try JSON(parsing: try graphflow("report", "latest").output)
    #expect(try report.one("$.requests[?@.name == 'clean'].status") == "succeeded")
    #expect(try report.one("$.requests[?@.name == 'poll'].status") == "cancelled")
  }
}
