import CommandHarness
import TestSupport
import Testing

/// Compares `docs/reference/cli.md` and `README.md` with the command itself.
struct DocumentationTests {
  private let graphflow: CommandFixture
  private let page: String

  init() throws {
    graphflow = try CommandFixture()
    page = try text(of: CommandFixture.root + "/docs/reference/cli.md")
  }

  private func flags(in text: String) -> Set<String> {
    Set(text.matches(of: /--[a-z][a-z-]+[a-z]/).map { String($0.output) })
  }

  @Test func `the page lists exactly the flags of every command`() throws {
    var helps = try graphflow("--help").output
    for command in HelpTests.commands { helps += try graphflow(command, "--help").output }
    for (command, group) in HelpTests.nested {
      helps += try graphflow(group, command, "--help").output
    }
    helps += try graphflow("export", "airflow", "--help").output

    // Every command has these two.
    let common: Set = ["--help", "--version"]
    // Those of curl, in an example.
    let foreign: Set = ["--get", "--globoff", "--header", "--data-urlencode"]
    #expect(foreign.isDisjoint(with: flags(in: helps)))
    #expect(
      flags(in: helps).subtracting(common)
        == flags(in: page).subtracting(common).subtracting(foreign))
  }

  @Test func `the page lists every variable and every exit code`() throws {
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
      of: CommandFixture.root + "/Tests/EndToEndTests/Golden/diagnostics/post-and-verify.txt")

    #expect(page.contains("```\n\(diagnostic)```\n"))
  }

  /// Times and trace ids differ between runs, so the outputs of runs must be those of lessons,
  /// which other tests compare.
  @Test func `the outputs in the README are also shown and tested elsewhere`() throws {
    let first = try text(of: CommandFixture.root + "/README.md")
    let language = try text(of: CommandFixture.root + "/docs/reference/language.md")
    let confirm = try text(of: CommandFixture.root + "/workflows/faults/confirm.yaml")
    let blocks = first.matches(of: /```([a-z]*)\n([^`]*)```\n/).map(\.output)
    let workflows = blocks.filter { $0.1 == "yaml" }.map(\.2)
    let outputs = blocks.filter { $0.1 == "" }.map(\.2)

    try #require(workflows.count == 2 && outputs.count == 4)
    #expect(language.contains("```yaml\n\(workflows[0])```\n"))
    #expect(confirm.contains(workflows[1]))
    let lessons = FaultGalleryTests.lessons.map(\.output)
    for output in outputs {
      #expect(page.contains("```\n\(output)```\n") || lessons.contains(String(output)))
    }
  }
}
