import CommandHarness
import JSONPath
import TestSupport
import Testing

/// `plan --output` and `run --plan`: the reviewed plan is the one that runs.
struct PlanFileTests {
  private let graphflow: CommandFixture
  private let file: String
  private let plan: String

  private static let workflow = """
    graphflow: 1
    inputs:
      message: {type: string, default: Hello}
      password: {type: secret, default: hush}
    requests:
      who: {get: me, token: "{input=password}"}
      each:
        for_each: {file: items.csv}
        key: "{item=$.sku}"
        get: me
        params: {fields: "{item=$.fields}", x: "{input=message}"}

    """

  init() throws {
    graphflow = try CommandFixture()
    file = try graphflow.folder.write(Self.workflow, to: "flow.yaml")
    try graphflow.folder.write("sku,fields\na,id\nb,name\n", to: "items.csv")
    plan = graphflow.folder.path + "/plan.json"
  }

  private func makePlan(_ flags: String...) throws -> Outcome {
    try graphflow.run(["plan", file, "--output", plan] + flags)
  }

  private func run(_ flags: String...) throws -> Outcome {
    try graphflow.run(["run", file, "--plan", plan, "--sandbox", "--dry-run"] + flags)
  }

  @Test func `a saved plan is run`() throws {
    let made = try makePlan()
    #expect(made.code == 0, "\(made.error)")
    #expect(made.output.hasPrefix("flow: 3 operations"))

    let outcome = try run()

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.output.contains("flow: 3 operations"))
  }

  @Test func `the file holds the plan, digests and no secret`() throws {
    _ = try makePlan("--input", "password=swordfish")

    let text = try text(of: plan)
    let json = try JSON(parsing: text)
    #expect(!text.contains("swordfish") && !text.contains("password") && !text.contains("Hello"))
    #expect(json["made_from"]?["file"]?.string?.count == 64)
    #expect(json["made_from"]?["inputs"]?["message"]?.string?.count == 64)
    #expect(json["made_from"]?["items"]?["items.csv"]?.string?.count == 64)
    #expect(json["made_from"]?["options"]?["batch-size"] == "50")
    #expect(json["sha256"]?.string?.count == 64)
    #expect(try json.all("$.batches[*].operations[*].item.key") == ["a", "b"])
    // A person with another password may run the plan.
    #expect(try run("--input", "password=other").code == 0)
  }

  @Test func `the same plan is the same bytes`() throws {
    _ = try makePlan()
    let first = try contents(of: plan)
    _ = try makePlan()

    #expect(try contents(of: plan) == first)
  }

  @Test(arguments: [
    ("the workflow file has changed", "flow.yaml", PlanFileTests.workflow + "# more\n"),
    ("the items in 'items.csv' have changed", "items.csv", "sku,fields\na,id\n"),
  ])
  func `a changed file is named`(_ phrase: String, _ name: String, _ content: String) throws {
    _ = try makePlan()
    try graphflow.folder.write(content, to: name)

    let outcome = try run()

    #expect(outcome.code == 65 && outcome.output == "")
    #expect(outcome.error.contains("is no longer valid: \(phrase); nothing was sent"))
  }

  @Test(arguments: [
    (["--input", "message=Bye"], "the input 'message' has changed"),
    (["--batch-size", "7"], "batch-size is 7, and was 50"),
    (["--strategy", "fastest"], "strategy is fastest, and was fewest-calls"),
    (["--max-unsafe-writes", "3"], "max-unsafe-writes is 3, and was 50"),
  ])
  func `a different flag is named`(_ flags: [String], _ phrase: String) throws {
    _ = try makePlan()

    let outcome = try graphflow.run(
      ["run", file, "--plan", plan, "--sandbox", "--dry-run"] + flags)

    #expect(outcome.code == 65)
    #expect(outcome.error.contains(phrase), "\(outcome.error)")
  }

  @Test(arguments: [
    (65, "{}", "is not a plan that can be run"), (65, "", "is not a plan that can be run"),
    (65, "[1,\n  \"batches\": [", "is not a plan that can be run"),
  ])
  func `other files are not accepted as plans`(
    _ code: Int, _ content: String, _ phrase: String
  )
    throws
  {
    try graphflow.folder.write(content, to: "plan.json")

    let outcome = try run()

    #expect(Int(outcome.code) == code)
    #expect(outcome.error.contains(phrase))
  }

  @Test func `an edited, truncated or extended plan is refused`() throws {
    _ = try makePlan()
    let original = try text(of: plan)
    let edits = [
      original.replacing("\"key\":\"a\"", with: "\"key\":\"c\""), original + " ",
      String(original.dropLast(3)),
    ]
    for edit in edits {
      #expect(edit != original)
      try graphflow.folder.write(edit, to: "plan.json")
      let outcome = try run()
      #expect(outcome.code == 65)
      #expect(outcome.error.contains("the file was edited"))
    }
  }

  @Test func `a missing plan cannot be read, and only one is accepted`() throws {
    #expect(try run().code == 66)
    #expect(try graphflow("run", file, file, "--plan", plan, "--sandbox").code == 64)
    #expect(try graphflow("plan", file, "--output", "plan.svg").code == 64)
  }

  @Test func `a run that does not match its plan sends nothing and creates nothing`() throws {
    _ = try makePlan()
    try graphflow.folder.write(Self.workflow + "# more\n", to: "flow.yaml")

    let outcome = try graphflow("run", file, "--plan", plan, "--sandbox")

    #expect(outcome.code == 65)
    #expect(!graphflow.folder.files().contains { $0.hasPrefix("state/") })
  }
}
