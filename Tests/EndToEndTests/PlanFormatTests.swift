import CommandHarness
import JSONPath
import TestSupport
import Testing

/// The formats of `plan` and `explain`, through the command.
struct PlanFormatTests {
  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  @Test(arguments: [
    ("svg", "<svg xmlns=", "</svg>\n"), ("dot", "digraph plan {", "}\n"),
    ("mermaid", "---\ntitle: ", "\n"),
  ])
  func `a diagram goes to standard output`(
    _ format: String, _ start: String, _ end: String
  )
    throws
  {
    let outcome = try graphflow("plan", "--format", format, "workflows/photo-batch.yaml")

    #expect(outcome.output.hasPrefix(start) && outcome.output.hasSuffix(end))
    #expect(outcome.error == "" && outcome.code == 0)
  }

  @Test func `the JSON format is one document with one call a line`() throws {
    let outcome = try graphflow("plan", "--format", "json", "workflows/cleanup.yaml")

    let json = try JSON(parsing: outcome.output)
    #expect(json["graphflow_plan"] == 1 && json["calls"] == 2)
    #expect(
      json["cost"] == [
        "http_calls": 2, "confirmation_checks": ["calls": 0, "operations": 0],
        "operations": ["GET": 2, "POST": 1, "DELETE": 1], "round_trips": 2,
      ])
    #expect(outcome.output.split(separator: "\n").count { $0.hasPrefix("    {\"number\"") } == 2)
  }

  @Test func `the JSON format of many items has every key`() throws {
    let rows = (0..<2500).map { "s\($0)\n" }.joined()
    try graphflow.folder.write("sku\n" + rows, to: "items.csv")
    let file = try graphflow.folder.write(
      """
      graphflow: 1
      requests:
        each: {get: me, for_each: {file: items.csv}, key: "{item=$.sku}"}

      """, to: "flow.yaml")

    let json = try JSON(parsing: try graphflow("plan", "--format", "json", file).output)

    let keys = try json.all("$.batches[*].operations[*].item.key").map { $0.string ?? "" }
    #expect(keys.count == 2500)
    #expect(Set(keys) == Set((0..<2500).map { "s\($0)" }))
    #expect(json["rounds"] == 2)
  }

  @Test func `explain finds names, and suggests one for a typo`() throws {
    let slip = try graphflow("explain", "workflows/cleanup.yaml", "remvoe")
    #expect(slip.code == 64 && slip.output == "")
    #expect(slip.error.contains("no request of 'workflows/cleanup.yaml' is named 'remvoe'"))
    #expect(slip.error.contains("did you mean 'remove'?"))

    let member = try graphflow("explain", "workflows/publish-from-csv.yaml", "publish")
    #expect(member.error.contains("did you mean 'publish.post'?"))

    let found = try graphflow("explain", "workflows/cleanup.yaml", "remove", "--format", "json")
    #expect(try JSON(parsing: found.output)["name"] == "remove")
    #expect(found.code == 0 && found.error == "")
  }
}
