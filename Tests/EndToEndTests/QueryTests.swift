import CommandHarness
import Testing

/// `graphflow query`.
struct QueryTests {
  private static let document = #"{"data": [{"id": "1", "n": 1.10}, {"id": "2", "n": 1e400}]}"#

  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  @Test(arguments: [
    (["$.data[*].id"], "\"1\"\n\"2\"\n"),
    (["$.data[*]['id', 'n']", "--raw"], "1\n1.10\n2\n1e400\n"),
    (["$.data[*].n"], "1.10\n1e400\n"),
    (["$.data[?@.n > 2].id"], "\"2\"\n"),
    (["$.nothing"], ""),
    (["$.data[*].id", "--array"], "[\"1\",\"2\"]\n"),
    (["$.nothing", "--array"], "[]\n"),
    (["$.data[*].id", "--paths"], "$['data'][0]['id']\t\"1\"\n$['data'][1]['id']\t\"2\"\n"),
    (
      ["$.data[0].id", "--paths", "--array"],
      "[{\"path\":\"$['data'][0]['id']\",\"value\":\"1\"}]\n"
    ),
  ])
  func `a query prints what it selects`(_ arguments: [String], _ expected: String) throws {
    let outcome = try graphflow.run(["query"] + arguments, input: Array(QueryTests.document.utf8))

    #expect(outcome.output == expected)
    #expect(outcome.error == "")
    #expect(outcome.code == 0)
  }

  @Test func `a file is read`() throws {
    let file = try graphflow.folder.write(QueryTests.document, to: "d.json")

    #expect(try graphflow("query", "$.data[0].id", file).output == "\"1\"\n")
  }

  @Test func `raw text is exact, with its line breaks, quotes and control characters`() throws {
    let document = #"["line\nbreak", "\"quoted\"", "\u001b[31m::error::x"]"#

    let outcome = try graphflow("query", "$[*]", "--raw", input: document)

    #expect(outcome.output == "line\nbreak\n\"quoted\"\n\u{1B}[31m::error::x\n")
  }

  @Test(arguments: ["--array", "--paths"])
  func `raw text has no list and no paths`(_ flag: String) throws {
    let outcome = try graphflow("query", "$", "--raw", flag, input: "{}")

    #expect(outcome.code == 64)
    #expect(outcome.error.contains("--raw does not go with --array or --paths"))
  }

  @Test(arguments: [[], ["--raw"], ["--array"], ["--paths"]])
  func `what the user pipes in is not masked`(_ flags: [String]) throws {
    let token = "EAA" + String(repeating: "b7Zq", count: 40)
    let outcome = try graphflow.run(
      ["query", "$.access_token"] + flags, input: Array("{\"access_token\": \"\(token)\"}".utf8),
      environment: ["GRAPHFLOW_ACCESS_TOKEN": token])

    #expect(outcome.output.contains(token))
    #expect(outcome.code == 0)
  }

  @Test func `a malformed query is shown with a caret`() throws {
    let outcome = try graphflow("query", "$.data[?@.n >]", input: "{}")

    #expect(outcome.code == 65)
    #expect(outcome.output == "")
    expectGolden(outcome.error, named: "diagnostics/query.txt")
  }

  @Test func `invalid JSON is reported with its location`() throws {
    let outcome = try graphflow("query", "$", input: "{\"a\": 1,\n 'b'}")

    #expect(outcome.code == 65)
    #expect(outcome.error.hasPrefix("error: -:2:2: not JSON: "))
  }

  @Test func `a hundred thousand brackets are refused`() throws {
    let outcome = try graphflow("query", "$", input: String(repeating: "[", count: 100_000))

    #expect(outcome.code == 65)
  }
}
