import TestSupport
import Testing

/// `docs/reference/cli.md` against the command itself.
struct DocumentationTests {
  private let graphflow: GraphFlow
  private let page: String

  init() throws {
    graphflow = try GraphFlow()
    page = try text(of: GraphFlow.root + "/docs/reference/cli.md")
  }

  private func flags(in text: String) -> Set<String> {
    Set(text.matches(of: /--[a-z][a-z-]+[a-z]/).map { String($0.output) })
  }

  @Test func `the page has every flag of every command and no other`() throws {
    var helps = ""
    for command in HelpTests.commands { helps += try graphflow(command, "--help").output }
    for command in HelpTests.runsCommands {
      helps += try graphflow("runs", command, "--help").output
    }

    // Every command has these two.
    let common: Set = ["--help", "--version"]
    #expect(flags(in: helps).subtracting(common) == flags(in: page).subtracting(common))
  }

  @Test func `the page has every variable and every exit code`() throws {
    for name in ["ACCESS_TOKEN", "APP_SECRET", "PROFILE", "GRAPH_URL", "STATE_DIR"] {
      #expect(page.contains("| `GRAPHFLOW_\(name)` |"))
    }
    for code in [0, 1, 3, 64, 65, 66, 69, 70, 75, 77, 78] { #expect(page.contains("| \(code) |")) }
    #expect(page.contains("| 73 / 74 |") && page.contains("| 130 / 143 |"))
  }

  @Test func `the plan on the page is the plan`() throws {
    let plan = try graphflow("plan", "workflows/post-and-verify.yaml").output

    #expect(page.contains("```\n\(plan)```\n"))
  }

  @Test func `the diagnostic on the page is the diagnostic`() throws {
    let diagnostic = try text(
      of: GraphFlow.root + "/Tests/EndToEndTests/Golden/diagnostics/post-and-verify.txt"
    )

    #expect(page.contains("```\n\(diagnostic)```\n"))
  }
}
