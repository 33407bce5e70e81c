import CommandHarness
import JSONPath
import TestSupport
import Testing

/// World files, through the command.
struct WorldFileTests {
  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  private static let troubled = "workflows/worlds/troubled.yaml"

  @Test func `a call sees the world of a file`() throws {
    let outcome = try graphflow("get", "me", "--sandbox", "--world", Self.troubled)

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.output.contains("Robin Vale"))
  }

  @Test func `a declined permission of a world file refuses a run`() throws {
    let outcome = try graphflow(
      "run", "workflows/page-post.yaml", "--sandbox", "--world", Self.troubled, "--input",
      "message=Hello")

    #expect(outcome.code != 0)
    #expect(outcome.error.contains("pages_manage_posts"), "\(outcome.error)")
  }

  @Test func `the printed default world can be served`() throws {
    let printed = try graphflow("sandbox", "--print-world")
    let path = try graphflow.folder.write(printed.output, to: "world.yaml")

    let outcome = try graphflow("get", "me", "--sandbox", "--world", path)
    let usual = try graphflow("get", "me", "--sandbox")

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.output == usual.output)
  }

  @Test func `a sandbox prints the tokens of its world by name`() throws {
    let process = try graphflow.start(["sandbox", "--format", "json", "--world", Self.troubled])
    try process.read(for: 20) { $0.standardOutput.contains(UInt8(ascii: "\n")) }

    let tokens = try JSON(parsing: process.standardOutput)["tokens"]?.object

    #expect(tokens?.names == ["default", "page", "expired", "ends", "changed", "away", "removed"])
  }

  @Test func `an invalid world file exits with 65 and names the location`() throws {
    let path = try graphflow.folder.write(
      "world: 1\ntokens: {default: {usr: alex}}\n", to: "world.yaml")

    for command in [["get", "me", "--sandbox"], ["sandbox"]] {
      let outcome = try graphflow.run(command + ["--world", path])
      #expect(outcome.code == 65)
      #expect(outcome.error.contains("\(path):2:20: error: unknown key 'usr'"), "\(outcome.error)")
      #expect(outcome.error.contains("did you mean 'user'?"))
    }
  }

  @Test func `sandbox files are validated, and nothing is printed for valid ones`() throws {
    try graphflow.folder.makeFolder("files")
    func file(_ name: String, _ text: String) throws -> String {
      try graphflow.folder.write(text, to: "files/" + name)
    }
    let wrong = try file("wrong.yaml", "world: 1\ntokens: {default: {usr: alex}}\n")
    let valid = try file(
      "valid.yaml", "world: 1\nusers: {a: {name: A}}\ntokens: {default: {user: a}}\n")
    let faults = try file("a.faults.yaml", "graphflow-faults: 1\nfaults: []\n")
    _ = try file("other.yaml", "hello: Hallo\nworld: Welt\n")

    let quiet = try graphflow("validate", "--quiet", valid, faults, Self.troubled)
    let named = try graphflow("validate", valid, faults)
    let folder = try graphflow("validate", graphflow.folder.path + "/files")

    #expect(quiet.code == 0 && quiet.output == "" && quiet.error == "")
    #expect(named.output == "" && named.error == "2 files are valid\n")
    #expect(folder.code == 65)
    #expect(folder.output.contains("\(wrong):2:20: error: unknown key 'usr'"), "\(folder.output)")
    #expect(folder.error.contains("1 skipped"))
  }

  @Test func `a missing world file exits with 66`() throws {
    #expect(try graphflow("get", "me", "--sandbox", "--world", "nowhere.yaml").code == 66)
  }

  @Test func `a world without a sandbox is a usage error`() throws {
    let outcome = try graphflow("get", "me", "--world", Self.troubled)

    #expect(outcome.code == 64)
    #expect(outcome.error.contains("--sandbox"))
  }

  @Test func `a stored world survives a kill in the middle of its work`() throws {
    let store = graphflow.folder.path + "/world.db"
    var posts: Set<String> = []
    for round in 1...3 {
      let process = try graphflow.start(["sandbox", "--format", "json", "--store", store])
      try process.read(for: 20) { $0.standardOutput.contains(UInt8(ascii: "\n")) }
      let facts = try JSON(parsing: process.standardOutput)
      let url = try #require(facts["url"]?.string)
      let environment = [
        "GRAPHFLOW_ACCESS_TOKEN": try #require(facts["tokens"]?["page"]?.string)
      ]
      for number in 1...3 {
        let made = try graphflow(
          "post", "me/feed", "message=\(round).\(number)", "--graph-url", url,
          environment: environment)
        posts.insert(try #require(try JSON(parsing: made.output)["id"]?.string))
      }
      let feed = try graphflow(
        "get", "me/feed", "limit=100", "--select", "$.data[*].id", "--graph-url", url,
        environment: environment)
      for post in posts { #expect(feed.output.contains(post), "\(round)") }
      process.signal(9)
      _ = try process.wait()
    }
    #expect(posts.count == 9)
  }

  @Test func `an invalid store exits with 65`() throws {
    let path = try graphflow.folder.write("this is no store at all", to: "world.db")

    let outcome = try graphflow("sandbox", "--store", path)

    #expect(outcome.code == 65)
    #expect(outcome.error.contains(path))
  }
}
