import CommandHarness
import JSONPath
import TestSupport
import Testing

/// `run --preview` as people and scripts see it.
struct PreviewTests {
  private let graphflow: CommandFixture
  private let sandbox: SandboxProcess

  init() throws {
    let graphflow = try CommandFixture()
    sandbox = try SandboxProcess(for: graphflow)
    self.graphflow = graphflow
  }

  private func writes() throws -> Int {
    try sandbox.calls().flatMap(\.operations).count { $0.method != "GET" }
  }

  @Test func `without a terminal the writes are shown and not sent`() throws {
    let outcome = try graphflow(
      "run", "--preview", "workflows/post-and-verify.yaml", "--input", "message=Hello",
      environment: sandbox.environment)

    #expect(outcome.code == 75)
    #expect(outcome.output.isEmpty)
    #expect(
      outcome.error == """
        preview of 'post-and-verify': 1 write
          status-post: 1 write
            POST me/feed
              message=Hello
        error: there is no terminal to ask whether to send this; no write was sent
          --yes sends it without asking

        """)
    #expect(try writes() == 0)
    #expect(!graphflow.folder.files().contains { $0.hasPrefix("state/runs") })
  }

  @Test func `the id of a write is shown as such in text and in JSON`() throws {
    let file = try graphflow.folder.write(
      #"""
      graphflow: 1
      token: page
      inputs: {text: string}
      requests:
        post: {post: me/feed, params: {message: Hello}}
        note:
          post: me/feed
          params:
            message: "see {result=post:$.id}"
            feed_targeting: {ids: ["{result=post:$.id}"], text: "{input=text}"}

      """#, to: "ids.yaml")
    // A value that only looks like the marks of a reference is shown as it is.
    let outcome = try graphflow(
      "run", "--preview", file, "--input", #"text=\u0000{{result=post:$.id}\u0000"#,
      environment: sandbox.environment)

    #expect(outcome.code == 75, "\(outcome.error)")
    #expect(outcome.error.contains("message=see <id of post>\n"), "\(outcome.error)")
    #expect(
      outcome.error.contains(
        #"feed_targeting={"ids":["<id of post>"],"text":"\\u0000{{result=post:$.id}\\u0000"}"#),
      "\(outcome.error)")
  }

  @Test func `--yes sends what was shown`() throws {
    let (outcome, report) = try graphflow.report(
      "run", "--preview", "--yes", "workflows/post-and-verify.yaml", "--input",
      "message={{ at {run=id}", environment: sandbox.environment)

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try writes() == 1)
    #expect(report["requests"]?[0]?["status"] == "succeeded")
    #expect(try graphflow("run", "--yes", "workflows/post-and-verify.yaml").code == 64)
    #expect(
      try graphflow("run", "--preview", "--dry-run", "workflows/post-and-verify.yaml").code == 64)
  }

  @Test func `a file that changes after the preview is not sent, also by a resumed run`() throws {
    let folder = graphflow.folder.path
    // The token is obtained once for the preview and once for the run.
    try graphflow.folder.write(
      "echo x >> \(folder)/count\n"
        + "if [ $(wc -l < \(folder)/count) -eq 2 ]; then printf changed > \(folder)/p.png; fi\n"
        + "echo \(sandbox.pageToken)\n", to: "token.sh")
    try graphflow.configure(
      "graph_url: \(sandbox.url)\nprofiles: {default: {command: [sh, \(folder)/token.sh]}}\n")
    try graphflow.folder.write("original", to: "p.png")
    let file = try graphflow.folder.write(
      """
      graphflow: 1
      requests:
        me: {get: me, params: {fields: id}}
        photo: {post: me/photos, files: {source: p.png}, depends_on: [me], idempotent: false}

      """, to: "w.yaml")

    let (outcome, report) = try graphflow.report("run", "--preview", "--yes", file)

    #expect(outcome.code == 1, "\(outcome.error)")
    #expect(outcome.error.contains("file source=p.png, 8 bytes"))
    #expect(report["requests"]?[1]?["error"]?["reason"] == "not_approved")
    #expect(try writes() == 0)
    #expect(try graphflow("resume", "latest").code == 1)
    #expect(try writes() == 0)
    try graphflow.folder.write("original", to: "p.png")
    _ = try graphflow("resume", "latest")
    #expect(try writes() == 1)
  }
}
