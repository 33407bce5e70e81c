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

  @Test func `a picture's address is printed`() throws {
    let outcome = try call("get", "me/picture")
    let selected = try call("get", "me/picture", "--select", "$")

    #expect(outcome.output.hasPrefix("http") && outcome.output.hasSuffix("\n"))
    #expect(outcome.output.count(where: \.isNewline) == 1)
    #expect(outcome.code == 0)
    #expect(selected.code == 1)
  }

  @Test func `all pages are read and printed as one`() throws {
    for number in 1...3 { #expect(try call("post", "me/feed", "message=\(number)").code == 0) }

    let all = try call("get", "me/feed", "fields=message", "limit=2", "--paginate")
    let two = try call("get", "me/feed", "fields=id", "limit=1", "--paginate", "--max", "2")
    let selected = try call(
      "get", "me/feed", "fields=message", "limit=1", "--paginate", "--max", "2", "--raw",
      "--select", "$.data[*].message")
    let body = try JSON(parsing: all.output)

    #expect(body["data"]?.array?.prefix(3).map { $0["message"] } == ["3", "2", "1"])
    #expect(body.object?.count == 1)
    #expect(try JSON(parsing: two.output)["data"]?.array?.count == 2)
    #expect(selected.output == "3\n2\n")
    #expect([all.error, two.error] == ["", ""])
    let reads = try sandbox.calls().flatMap(\.operations).map(\.resolvedURL)
    #expect(reads.count { $0.contains("fields=id") } == 2, "\(reads)")
  }

  @Test func `what has no pages is not read as pages`() throws {
    let object = try call("get", "me", "--paginate")
    let alone = try call("get", "me/feed", "--max", "2")
    let zero = try call("get", "me/feed", "--paginate", "--max", "0")
    let query = try call("get", "me/feed?limit=1", "--paginate")

    #expect(object.code == 1 && object.error.contains("the answer is not a page"))
    #expect(object.output == "")
    #expect([alone.code, zero.code, query.code] == [64, 64, 64])
  }

  @Test func `a file is uploaded`() throws {
    let photo = try graphflow.folder.write("a photo", to: "photo.png")

    let posted = try call(
      "post", "me/photos", "source=@" + photo, "caption=@@home", "--select", "$.id", "--raw")
    let id = posted.output.filter { !$0.isNewline }
    let read = try call("get", id, "fields=name", "--select", "$.name", "--raw")

    #expect(posted.code == 0, "\(posted.error)")
    #expect(read.output == "@home\n", "\(read.error)")
  }

  @Test func `a file that cannot be read is reported before anything is sent`() throws {
    let missing = try call("post", "me/photos", "source=@missing.png")
    let unnamed = try call("post", "me/photos", "source=@")
    let part = try graphflow.folder.write("a photo", to: "photo.png")
    let oddPart = try call("post", "me/photos", "the.source=@" + part)

    #expect(missing.code == 66)
    #expect(missing.error.contains("source: cannot read 'missing.png'"))
    #expect(missing.error.contains("write @@ for a value that begins with @"))
    #expect([unnamed.code, oddPart.code] == [64, 64])
    #expect(try sandbox.calls().isEmpty)
  }

  @Test func `only a post takes files`() throws {
    #expect(try call("get", "me", "fields=id", "note=@missing.png").code == 0)
  }
}
