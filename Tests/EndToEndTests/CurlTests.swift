import CommandHarness
import JSONPath
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// `graphflow curl`: its line does in a shell what the request does in a run.
struct CurlTests {
  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  private func workflow() throws -> String {
    try graphflow.folder.write("pixels", to: "a \"b\".png")
    return try graphflow.folder.write(
      """
      graphflow: 1
      token: press
      inputs: {text: {type: string}, key: {type: secret}}
      requests:
        post: {post: me/feed, params: {message: "{input=text}", tags: [1, "x"]}}
        read:
          get: "{result=post:$.id}"
          params: {fields: "id,message", since: "{run=started_at}"}
          headers: {If-None-Match: it's}
        photo: {post: me/photos, params: {caption: "{result=post:$.id} + {result=post:$.id}"}, files: {source: 'a "b".png'}}
        other: {get: me, token: "{input=key}"}
        gone: {delete: "{result=post:$.id}"}
      """, to: "all.yaml")
  }

  @Test(arguments: ["post", "read", "photo", "other", "gone"])
  func `a request is printed with variables for what only a run knows`(_ name: String) throws {
    let outcome = try graphflow("curl", try workflow(), name)

    #expect(outcome.code == 0, "\(outcome.error)")
    expectGolden(
      graphflow.stable(outcome.output + "-- standard error\n" + outcome.error),
      named: "runs/curl-\(name).txt")
  }

  @Test func `values of inputs are quoted for the shell`() throws {
    let outcome = try graphflow(
      "curl", try workflow(), "post", "--input", "text=it's $HOME\n`ls`", "--input", "key=k")

    #expect(outcome.output.contains("'message=it'\\''s $HOME\n`ls`'"), "\(outcome.output)")
    #expect(try graphflow("curl", try workflow(), "pots").code == 64)
    #expect(try graphflow("curl", try workflow(), "post", "--input", "text=a").code == 65)
  }

  @Test func `the line works in a shell`() throws {
    guard access("/usr/bin/curl", X_OK) == 0 else { return }
    let sandbox = try SandboxProcess(for: graphflow)
    func shell(_ line: String, _ more: [String: String] = [:]) throws -> JSON {
      let variables = ["PATH": "/usr/bin:/bin", "GRAPHFLOW_ACCESS_TOKEN": sandbox.pageToken]
      let process = try ChildProcess(
        ["/bin/sh", "-c", line], environment: variables.merging(more) { $1 }, input: [],
        folder: CommandFixture.root)
      _ = try process.wait()
      return try JSON(parsing: String(decoding: process.standardOutput, as: UTF8.self))
    }
    func line(_ name: String) throws -> String {
      try graphflow(
        "curl", "workflows/post-and-verify.yaml", name, "--graph-url", sandbox.url, "--input",
        "message=it's & \"more\" + äöü"
      ).output
    }

    let id = try #require(try shell(try line("status-post"))["id"]?.string)
    let answer = try shell(try line("read-back"), ["RESULT_STATUS_POST_ID": id])

    #expect(answer["id"]?.string == id)
    #expect(answer["message"]?.string == "it's & \"more\" + äöü")
  }
}
