import CommandHarness
import TestSupport
import Testing

/// `graphflow test --week`: a schedule for a week of the sandbox's clock.
struct WeekTests {
  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  /// Plays a workflow of two posts, one of which is the same every day.
  private func week(
    _ cron: String, _ faults: String = "[]", _ options: String...
  ) throws -> Outcome {
    _ = try graphflow.folder.write(
      """
      graphflow: 1
      token: page
      inputs: {text: {type: string, default: Good morning}}
      schedule: {cron: "\(cron)", timezone: Europe/Berlin}
      requests:
        today: {post: me/feed, params: {message: "{date=today}"}}
        same: {post: me/feed, params: {message: "{input=text}"}, depends_on: [today]}

      """, to: "daily.yaml")
    _ = try graphflow.folder.write(
      "graphflow-faults: 1\nfaults: \(faults)\n", to: "daily.faults.yaml")
    return try graphflow.run(
      ["test", "--week", "daily.yaml", "--faults", "daily.faults.yaml"] + options,
      in: graphflow.folder.path)
  }

  @Test func `a week has its starts by the clock of the zone, and repeated writes`() throws {
    let outcome = try week("0 9 * * *", "[]", "--from", "2026-03-27", "--input", "text=Hi")
    #expect(outcome.code == 0 && outcome.error == "")
    expectGolden(outcome.output, named: "tests/week.txt")
  }

  @Test func `a run in doubt blocks the next ones, as in reality`() throws {
    let outcome = try week("0 9 * * *", "[{method: POST, nth: 3, operation: {error: 2}}]")
    #expect(outcome.code == 1)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines[0].contains("exit 0  1 call  2 writes"))
    #expect(lines[1].contains("exit 3  1 call  0 writes  today in_doubt: An unexpected error"))
    #expect(lines[2].contains("exit 3  0 calls  0 writes  the last run of 'daily.yaml'"))
    #expect(outcome.output.contains("error 2, once, first at 2026-02-16T08:00:00Z: Graph was"))
  }

  @Test func `a token that ends in the week, and a limit that is reached, are named`() throws {
    let outcome = try week(
      "0 9,21 * * *",
      """
      [{method: POST, nth: 5, operation: {throttle: {code: 32, regain: 2m}}},
       {world: {token: expired}, after: 72h}]
      """)
    #expect(outcome.code == 1)
    #expect(outcome.output.contains("exit 77"))
    #expect(outcome.output.contains("error 32, once, first at "))
    let ended = try #require(outcome.output.firstMatch(of: /error 190\/463, (\d+) times, first at/))
    #expect(Int(ended.1) ?? 0 > 1)
  }

  @Test func `an hour that comes twice is one start, or two if the hour is open`() throws {
    let once = try week("30 2 * * *", "[]", "--from", "2026-10-24T12:00:00Z")
    #expect(once.output.matches(of: /2026-10-25T02:30/).count == 1)
    let twice = try week("30 */2 25 10 *", "[]", "--from", "2026-10-24T12:00:00Z")
    #expect(twice.output.matches(of: /2026-10-25T02:30/).count == 2)
  }

  @Test func `a workflow without a schedule is refused`() throws {
    let outcome = try graphflow("test", "--week", "workflows/post-and-verify.yaml")
    #expect(outcome.code == 65 && outcome.error.contains("has no `schedule`"))
  }
}
