import CommandHarness
import JSONPath
import Testing

/// `graphflow get`, `post` and `delete` against a sandbox in another process.
struct CallTests {
  private let graphflow: CommandFixture
  private let sandbox: SandboxProcess

  init() throws {
    let graphflow = try CommandFixture()
    sandbox = try SandboxProcess(for: graphflow)
    self.graphflow = graphflow
  }

  private func call(_ arguments: String...) throws -> Outcome {
    try graphflow.run(arguments, environment: sandbox.environment)
  }

  @Test func `a get finds a post until it is deleted`() throws {
    let posted = try call("post", "me/feed", "message=a=b & c", "--select", "$.id")
    let id = try #require(try JSON(parsing: posted.output).string)

    let read = try call("get", "/" + id, "fields=message", "--select", "$.message")
    let deleted = try call("delete", id)
    let again = try call("get", id)

    #expect(read.output == "\"a=b & c\"\n")
    #expect(deleted.code == 0)
    #expect(again.code == 1)
    #expect(again.output == "")
    #expect(again.error.hasPrefix("error: "))
  }

  @Test func `tokens in a body are not shown`() throws {
    let outcome = try graphflow(
      "get", "me/accounts", environment: sandbox.environment(with: sandbox.token))

    #expect(outcome.output.contains(#""access_token":"***""#))
    #expect(!outcome.output.contains("EAA"))
    #expect(outcome.code == 0)
  }

  @Test func `a token that Graph does not accept exits with 77`() throws {
    let outcome = try graphflow(
      "get", "me", environment: sandbox.environment.merging(["GRAPHFLOW_ACCESS_TOKEN": "x"]) { $1 })

    #expect(outcome.code == 77)
    #expect(outcome.error.contains("code 190"))
  }

  @Test func `without a token nothing is sent`() throws {
    let outcome = try graphflow("get", "me", "--graph-url", sandbox.url)

    #expect(outcome.code == 77)
    #expect(try sandbox.calls().isEmpty)
  }

  @Test func `the version is part of the path`() throws {
    #expect(try call("get", "me", "--graph-version", "v24.0").code == 0)
  }

  @Test func `a sandbox in the process needs no configuration`() throws {
    let outcome = try graphflow("get", "me", "fields=name", "--sandbox")

    #expect(try JSON(parsing: outcome.output)["name"]?.string?.isEmpty == false)
    #expect(outcome.code == 0)
  }
}
