import CommandHarness
import JSONPath
import TestSupport
import Testing

/// `graphflow init --template`: what it prints works as it is printed.
struct TemplateTests {
  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  private func names() throws -> [String] {
    let listed = try graphflow("init", "--list", "--format", "json")
    return try JSON(parsing: listed.output).array?.compactMap { $0["name"]?.string } ?? []
  }

  @Test func `the printed command of each template succeeds`() throws {
    for name in try names() {
      try graphflow.folder.makeFolder(name)
      let place = graphflow.folder.path + "/" + name
      let made = try graphflow("init", "mine", "--template", name, in: place)
      #expect(made.code == 0, "\(made.error)")
      #expect(made.error.hasPrefix("wrote mine.yaml"))
      let command = try #require(made.error.firstMatch(of: /\ntry: (.+)\n/)?.output.1)
      let binary = try #require(GraphFlowBinary.path)
      let shell = try ChildProcess(
        ["/bin/sh", "-c", "graphflow() { '\(binary)' \"$@\"; }\n\(command)"],
        environment: [
          "PATH": "/usr/bin:/bin", "HOME": graphflow.folder.path + "/home",
          "GRAPHFLOW_STATE_DIR": graphflow.state,
        ], input: [], folder: place)
      let ran = try Outcome(of: shell)
      #expect(
        command.hasPrefix("graphflow run mine.yaml --sandbox") && ran.code == 0, "\(ran.error)")
      #expect(try graphflow("validate", "mine.yaml", in: place).code == 0)
      let text = try text(of: place + "/mine.yaml")
      #expect(text.hasPrefix("# yaml-language-server: $schema=./workflow.schema.json"), "\(name)")
      #expect(!text.contains("workflows/"), "\(name)")
    }
    #expect(try names().count == 16)
  }

  @Test func `the list shows names, descriptions and files`() throws {
    let lines = try graphflow("init", "--list").output.split(separator: "\n")
    #expect(lines.count == (try names().count))
    #expect(lines.allSatisfy { $0.contains("  ") && $0.contains(".") })
    #expect(lines.contains { $0.hasPrefix("publish-from-csv ") && $0.hasSuffix("(posts.csv)") })
  }

  @Test func `all files are written or none`() throws {
    let place = graphflow.folder.path
    try graphflow.folder.makeFolder("photos")
    let mine = try graphflow.folder.write("mine", to: "photos/green.png")

    let refused = try graphflow("init", "--template", "photo-batch", in: place)

    #expect(refused.code == 73)
    #expect(
      refused.error == """
        error: 'photos/green.png' exists already and is not overwritten
          nothing was written; use another folder

        """)
    #expect(try text(of: mine) == "mine")
    #expect(throws: (any Error).self) { try text(of: place + "/photo-batch.yaml") }
    #expect(throws: (any Error).self) { try contents(of: place + "/photos/red.png") }
    let other = try graphflow("init", "--template", "photo-then-publish", in: place)
    #expect(other.code == 0)
    // The same sample data may be there.
    #expect(try graphflow("init", "two", "--template", "photo-then-publish", in: place).code == 0)
    #expect(try graphflow("init", "two", "--template", "photo-then-publish", in: place).code == 73)
  }

  @Test(arguments: [
    ["--template", "nothing"], ["--list", "name"], ["--format", "json"],
    ["--list", "--from-curl", "curl x"], ["--template", "cleanup", "--from-har", "x"],
  ])
  func `a wrong combination is a usage error`(_ words: [String]) throws {
    #expect(try graphflow.run(["init"] + words, in: graphflow.folder.path).code == 64)
  }
}
