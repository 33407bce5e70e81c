import CommandHarness
import Testing

/// `graphflow explain-error`.
struct ExplainErrorTests {
  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  @Test(arguments: ["190/463", "1", "4", "368", "-1/2207001", "506/1455006", "4711", "190/4711"])
  func `an error is explained with its sources`(_ error: String) throws {
    let outcome = try graphflow("explain-error", error)

    let name = error.split(separator: "/").joined(separator: "-")
    expectGolden(outcome.output, named: "errors/\(name).txt")
    #expect(outcome.error == "" && outcome.code == 0)
  }

  @Test func `--format json prints JSON`() throws {
    let outcome = try graphflow("explain-error", "190/463", "--format", "json")

    expectGolden(outcome.output, named: "errors/190-463.json")
    #expect(outcome.code == 0)
    let unknown = try graphflow("explain-error", "--format", "json", "4711/1")
    expectGolden(unknown.output, named: "errors/unknown.json")
    #expect(unknown.code == 0)
  }

  @Test(arguments: [
    ["abc"], ["190/"], ["/463"], ["1/2/3"], ["1", "2"], [], ["--fromat", "json", "1"],
    ["99999999999999999999"], [""], ["190/463 "],
  ])
  func `an argument that is not an error is a usage error`(_ arguments: [String]) throws {
    let outcome = try graphflow.run(["explain-error"] + arguments)

    #expect(outcome.code == 64)
    #expect(outcome.output == "" && outcome.error.hasPrefix("error: "))
  }
}
