import CommandHarness
import JSONPath
import TestSupport
import Testing

/// `graphflow init` and `graphflow schema`.
struct InitTests {
  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  @Test func `the first workflow is valid and runs`() throws {
    let place = graphflow.folder.path

    let made = try graphflow("init", "hello", in: place)

    #expect(made.code == 0)
    #expect(made.output == "")
    #expect(try graphflow("validate", "hello.yaml", in: place).code == 0)
    let ran = try graphflow("run", "hello.yaml", "--sandbox", in: place)
    #expect(ran.code == 0)
    #expect(ran.error.contains("1 call (lower bound 1)"))
    expectGolden(try text(of: place + "/hello.yaml"), named: "init/hello.txt")
  }

  @Test func `a name without its extension suggests the file`() throws {
    let place = graphflow.folder.path
    _ = try graphflow("init", "hello", in: place)

    let outcome = try graphflow("run", "hello", "--sandbox", in: place)

    #expect(outcome.code == 66)
    #expect(outcome.error.hasSuffix("\n  did you mean 'hello.yaml'?\n"), "\(outcome.error)")
  }

  @Test func `a file that exists is not overwritten`() throws {
    let file = try graphflow.folder.write("mine", to: "hello.yaml")

    let outcome = try graphflow("init", "hello", in: graphflow.folder.path)

    #expect(outcome.code == 73)
    #expect(
      outcome.error == """
        error: 'hello.yaml' exists already and is not overwritten
          give another NAME

        """)
    #expect(try text(of: file) == "mine")
  }

  @Test(arguments: ["../hello", "a/b", "-x", ".hidden", ""])
  func `a name cannot leave the folder`(_ name: String) throws {
    #expect(try graphflow("init", "--", name, in: graphflow.folder.path).code == 64)
  }

  @Test(arguments: ["workflow", "report"])
  func `the schema is the published one`(_ subject: String) throws {
    let outcome = try graphflow("schema", subject)

    #expect(
      outcome.output == (try text(of: CommandFixture.root + "/schemas/\(subject).schema.json")))
    #expect(outcome.code == 0)
  }

  @Test func `the schema is written beside workflows, and overwritten only with force`() throws {
    let place = graphflow.folder.path
    try graphflow.folder.makeFolder("flows")
    let path = place + "/flows/workflow.schema.json"

    let written = try graphflow("schema", "workflow", "--write", "flows", in: place)
    #expect(written.error == "wrote flows/workflow.schema.json\n")
    #expect(try text(of: path) == text(of: CommandFixture.root + "/schemas/workflow.schema.json"))
    let again = try graphflow("schema", "workflow", "--write", "flows/", in: place)
    #expect(again.error == "flows/workflow.schema.json is up to date\n")

    _ = try graphflow.folder.write("mine", to: "flows/workflow.schema.json")
    let refused = try graphflow("schema", "workflow", "--write", "flows", in: place)
    #expect(refused.code == 73)
    #expect(refused.error.contains("exists already, differs, and is not overwritten"))
    #expect(try text(of: path) == "mine")
    #expect(try graphflow("schema", "workflow", "--write", "--force", "flows", in: place).code == 0)
    #expect(try text(of: path) != "mine")
  }

  @Test(arguments: [["flows"], ["--force"]])
  func `a folder and force need write`(_ words: [String]) throws {
    #expect(try graphflow.run(["schema", "workflow"] + words).code == 64)
  }

  @Test func `the first workflow names the schema that is written beside it`() throws {
    let place = graphflow.folder.path
    let made = try graphflow("init", "hello", in: place)
    #expect(made.error.hasSuffix("for editors: graphflow schema workflow --write\n"))

    _ = try graphflow("schema", "workflow", "--write", in: place)

    let workflow = try text(of: place + "/hello.yaml")
    let line = try #require(
      workflow.prefixMatch(of: /# yaml-language-server: \$schema=(\.\/[a-z.]+)\n/))
    #expect(try text(of: place + "/" + line.1) == graphflow("schema", "workflow").output)
  }

  @Test(arguments: ["workflow", "report", "world", "faults"])
  func `a schema has its address below the one of the site`(_ subject: String) throws {
    let settings = try text(of: CommandFixture.root + "/packaging/site/mkdocs.yml")
    let base = try #require(settings.firstMatch(of: /\nsite_url: (https:.+\/)\n/)).1

    let schema = try JSON(parsing: try graphflow("schema", subject).output)

    #expect(schema["$id"]?.string == "\(base)schemas/\(subject)-1.json")
  }
}
