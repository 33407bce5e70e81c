import CommandHarness
import JSONPath
import Testing

/// The examples in `workflows/` are validated, planned and run.
struct WorkflowFilesTests {
  /// An example, and the number of calls of its plan and its run on the sandbox.
  struct Example: Sendable, CustomTestStringConvertible {
    let name: String
    let calls: Int
    let requests: Int
    /// Whether the plan knows all calls: no items or pages depend on an answer.
    var isForeseeable = true
    /// How many calls more or fewer it may make, because it polls until a time has passed.
    var polls = 0
    /// The world that it needs, in place of the default one.
    var world: String?
    var path: String { "workflows/\(name).yaml" }
    var testDescription: String { name }
    /// The options with which it runs on the sandbox.
    var options: [String] {
      ["--sandbox"] + (world.map { ["--world", "workflows/worlds/\($0).yaml"] } ?? [])
    }
  }

  static let examples = [
    Example(name: "post-and-verify", calls: 1, requests: 2),
    Example(name: "latest-status", calls: 2, requests: 2),
    Example(name: "photo-batch", calls: 2, requests: 5),
    Example(name: "page-post", calls: 2, requests: 3),
    Example(name: "permissions-audit", calls: 2, requests: 3),
    Example(name: "friends-by-ids", calls: 1, requests: 2),
    Example(name: "cleanup", calls: 2, requests: 4),
    Example(name: "publish-from-csv", calls: 1, requests: 8),
    Example(name: "posts-for-pages", calls: 2, requests: 5),
    Example(name: "all-comments", calls: 3, requests: 4, isForeseeable: false),
    Example(name: "publish-and-wait", calls: 2, requests: 3),
    Example(name: "confirm-post", calls: 1, requests: 2),
    Example(name: "draft-then-publish", calls: 2, requests: 4),
    Example(name: "schedule-post", calls: 2, requests: 3),
    Example(name: "photo-then-publish", calls: 3, requests: 5),
    Example(name: "instagram-post", calls: 5, requests: 5, isForeseeable: false, polls: 1),
    Example(name: "post-audit", calls: 2, requests: 4, isForeseeable: false),
    Example(
      name: "campaigns-by-day", calls: 1, requests: 2, isForeseeable: false, world: "marketing"),
    Example(name: "new-leads", calls: 3, requests: 3, isForeseeable: false, world: "leads"),
    Example(name: "page-insights", calls: 2, requests: 3),
    Example(
      name: "report-run", calls: 3, requests: 2, isForeseeable: false, polls: 2, world: "marketing"),
  ]

  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  @Test(arguments: examples)
  func `an example is valid and prints nothing on standard output`(_ example: Example) throws {
    let outcome = try graphflow("validate", "--strict", example.path)

    #expect(outcome.output == "")
    #expect(outcome.error == "1 file is valid\n")
    #expect(outcome.code == 0)
  }

  @Test(arguments: examples)
  func `an example has its golden plan`(_ example: Example) throws {
    let outcome = try graphflow("plan", example.path)

    expectGolden(outcome.output, named: "plans/\(example.name).txt")
    #expect(outcome.error == "")
    #expect(outcome.code == 0)
  }

  @Test(arguments: examples)
  func `an example runs on the sandbox`(_ example: Example) throws {
    let (outcome, report) = try graphflow.report(
      arguments: ["run", example.path] + example.options)

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try report.one("$.run.status") == "succeeded")
    #expect(try report.one("$.run.workflow").string == example.name)
    #expect(try report.one("$.summary.requests").integer == example.requests)
    #expect(try report.one("$.summary.succeeded").integer == example.requests)
    let calls = try #require(try report.one("$.summary.calls").integer)
    #expect((example.calls - example.polls...example.calls + example.polls).contains(calls))
    #expect(try report.all("$.requests[*].expectations[?@.passed != true]").isEmpty)
  }

  @Test(arguments: examples.filter(\.isForeseeable))
  func `a run makes the calls of its plan`(_ example: Example) throws {
    let plan = try JSON(parsing: try graphflow("plan", "--format", "json", example.path).output)

    let (_, report) = try graphflow.report("run", example.path, "--sandbox")

    let planned = try plan.all("$.batches[*]").map { batch in
      try batch.all("$.operations[*]").map { operation in
        let name = operation["name"]?.string ?? ""
        return operation["item"]?["key"]?.string.map { "\(name)[\($0)]" } ?? name
      }
    }
    let made = try report.all("$.calls[?@.kind == 'batch' || @.kind == 'single']")
      .map { try $0.all("$.operations[*]").map { $0.string ?? "" } }
    #expect(planned == made)
  }

  @Test func `the whole folder is valid`() throws {
    let outcome = try graphflow("validate", "--strict", "workflows")

    let (worlds, tests) = (5, 4)
    let count =
      Self.examples.count + Recipe.all.count + 2 * FaultGalleryTests.lessons.count + worlds + tests
    #expect(outcome.error == "\(count) files are valid\n")
    #expect(outcome.code == 0)
  }

  @Test func `the main job reports that it made one call, the fewest possible`() throws {
    let outcome = try graphflow(
      "run", "workflows/post-and-verify.yaml", "--sandbox", "--input", "message=Hello")

    #expect(outcome.error.contains("\n1 call (lower bound 1)\n"))
    #expect(outcome.code == 0)
    expectGolden(graphflow.stable(outcome.error), named: "runs/post-and-verify.txt")
  }
}
