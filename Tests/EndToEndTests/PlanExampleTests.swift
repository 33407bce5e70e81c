import CommandHarness
import TestSupport
import Testing

/// `docs/reference/plan-examples.md`: its texts and diagrams are the command's output.
struct PlanExampleTests {
  private let graphflow: CommandFixture
  private let folder = CommandFixture.root + "/docs/reference"

  init() throws { graphflow = try CommandFixture() }

  @Test(arguments: ["photo-batch", "cleanup", "publish-from-csv"])
  func `a diagram in the docs is the plan`(_ name: String) throws {
    let outcome = try graphflow("plan", "--format", "svg", "workflows/\(name).yaml")

    expectGolden(outcome.output, folder + "/plans/\(name).svg")
    #expect(outcome.code == 0 && outcome.error == "")
    #expect(try text(of: folder + "/plan-examples.md").contains("(plans/\(name).svg)"))
  }

  /// Every block after a comment such as `<!-- plan cleanup -->` holds that command's output.
  @Test func `the texts in the docs are the command's output`() throws {
    let page = try text(of: folder + "/plan-examples.md")
    var lines = page.split(separator: "\n", omittingEmptySubsequences: false)[...]
    var renewed: [Substring] = []
    var blocks = 0
    while let line = lines.popFirst() {
      renewed.append(line)
      guard line.hasPrefix("<!-- ") else { continue }
      var words = line.split(separator: " ").dropFirst().dropLast().map(String.init)
      words[1] = "workflows/\(words[1]).yaml"
      let outcome = try graphflow.run(words)
      #expect(outcome.code == 0 && lines.popFirst() == "```")
      while let old = lines.popFirst(), old != "```" {}
      renewed += ["```"] + outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
      renewed[renewed.count - 1] = "```"
      blocks += 1
    }

    #expect(blocks == 4)
    expectGolden(renewed.joined(separator: "\n"), folder + "/plan-examples.md")
  }
}
