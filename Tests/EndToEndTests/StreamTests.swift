import CommandHarness
import JSONPath
import TestSupport
import Testing

/// What goes to standard output and what to standard error, and how it is formatted.
struct StreamTests {
  private static let main = "workflows/post-and-verify.yaml"

  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  @Test func `standard output holds the outputs as one line of JSON and nothing else`() throws {
    let outcome = try graphflow("run", StreamTests.main, "--sandbox")

    #expect(outcome.output.hasSuffix("}\n"))
    #expect(outcome.output.split(separator: "\n").count == 1)
    let outputs = try JSON(parsing: outcome.output)
    #expect(outputs.object?.names == ["post_id"])
  }

  @Test func `a report on standard output is the only output`() throws {
    let outcome = try graphflow("run", StreamTests.main, "--sandbox", "--report", "-")

    let report = try JSON(parsing: outcome.output)
    #expect(report["graphflow_report"] == 1)
    #expect(outcome.error.contains("1 call (lower bound 1)"))
  }

  @Test func `--quiet prints nothing on success`() throws {
    let outcome = try graphflow("run", StreamTests.main, "--sandbox", "--quiet")

    #expect(outcome.output == "")
    #expect(outcome.error == "")
    #expect(outcome.code == 0)
    #expect(graphflow.folder.files().contains { $0.hasSuffix("/report.json") })
  }

  @Test func `--outputs writes the outputs also under --quiet`() throws {
    let path = graphflow.folder.path + "/post-and-verify.outputs.json"
    let file = graphflow.folder.path + "/{name}.outputs.json"

    let written = try graphflow("run", StreamTests.main, "--sandbox", "-q", "--outputs", file)
    let printed = try graphflow("run", StreamTests.main, "--sandbox", "-q", "--outputs", "-")

    #expect(written.output == "" && written.error == "")
    for line in [try text(of: path), printed.output] {
      #expect(line.hasSuffix("}\n") && line.split(separator: "\n").count == 1)
      #expect(try JSON(parsing: line).object?.names == ["post_id"])
    }
  }

  @Test func `outputs that cannot be written are refused before anything is sent`() throws {
    let folder = try graphflow(
      "run", StreamTests.main, "--sandbox", "--outputs", graphflow.folder.path + "/none/x.json")
    let twice = try graphflow(
      "run", StreamTests.main, "--sandbox", "--outputs", "-", "--report", "-")

    #expect(folder.code == 73 && folder.output == "")
    #expect(folder.error.contains("there is no folder"))
    #expect(twice.code == 64)
    #expect(!graphflow.folder.files().contains { $0.hasSuffix(".sqlite") })
  }

  @Test func `--quiet prints a failure`() throws {
    let file = try graphflow.folder.write(
      "graphflow: 1\nrequests:\n  a:\n    get: me/nothing\n", to: "failing.yaml")

    let outcome = try graphflow("run", file, "--sandbox", "--quiet")

    #expect(outcome.output == "")
    #expect(outcome.error.contains("failed"))
    #expect(outcome.error.contains("1 call (lower bound 1)"))
    #expect(outcome.code == 1)
  }

  @Test func `--progress none leaves the summary`() throws {
    let outcome = try graphflow("run", StreamTests.main, "--sandbox", "--progress", "none")

    #expect(outcome.error.hasPrefix("succeeded"))
    #expect(outcome.error.contains("1 call (lower bound 1)"))
  }

  @Test(arguments: [
    ([:], false), (["CLICOLOR_FORCE": "1"], true), (["CLICOLOR_FORCE": "0"], false),
    (["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false),
    (["CLICOLOR_FORCE": "1", "TERM": "dumb"], true), (["TERM": "xterm-256color"], false),
  ])
  func `colours are used only where they are wanted`(
    _ variables: [String: String], _ isColored: Bool
  ) throws {
    let run = try graphflow("run", StreamTests.main, "--sandbox", environment: variables)
    let diagnostics = try graphflow(
      "validate", "-", input: "graphflow: 2\n", environment: variables)

    #expect(run.error.contains("\u{1B}[") == isColored)
    #expect(!run.output.contains("\u{1B}["))
    #expect(diagnostics.output.contains("\u{1B}[") == isColored)
    #expect(diagnostics.code == 65)
  }

  @Test func `a server's text cannot control the terminal`() throws {
    let outcome = try graphflow(
      "post", "me/feed", "message=\u{1B}[2J\u{202E}red", "--sandbox", "--profile", "page",
      "--select", "$.id")
    let feed = try graphflow(
      "run",
      try graphflow.folder.write(
        """
        graphflow: 1
        token: page
        requests:
          a:
            post: me/feed
            params: {message: "\\e[2J\\u202e"}
          b:
            get: "{result=a:$.id}"
            params: {fields: message}
        outputs:
          text: "{result=b:$.message}"

        """, to: "hostile.yaml"), "--sandbox")

    #expect(outcome.code == 0)
    #expect(feed.code == 0)
    #expect(!feed.output.contains("\u{1B}") && !feed.output.contains("\u{202E}"))
    #expect(!feed.error.contains("\u{1B}") && !feed.error.contains("\u{202E}"))
    #expect(try JSON(parsing: feed.output)["text"] == "\u{1B}[2J\u{202E}")
  }

  @Test func `diagnostics in JSON are a list of objects`() throws {
    let outcome = try graphflow(
      "validate", "--format", "json", "-", input: "graphflow: 1\nrequets:\n")

    let list = try JSON(parsing: outcome.output)
    #expect(outcome.code == 65)
    let first = try #require(list[0]?.object)
    #expect(
      first.names
        == ["file", "line", "column", "end_column", "severity", "rule", "message", "fix"])
    #expect(try list.all("$[*].rule").contains("unknown-key"))
  }

  @Test func `a valid file in JSON is an empty list`() throws {
    let outcome = try graphflow("validate", "--format", "json", "workflows/latest-status.yaml")

    #expect(outcome.output == "[]\n")
    #expect(outcome.error == "")
    #expect(outcome.code == 0)
  }

  @Test func `several workflows run in order, and the worst exit code is used`() throws {
    let file = try graphflow.folder.write(
      "graphflow: 1\nname: broken\nrequests:\n  a:\n    get: me/nothing\n", to: "failing.yaml")
    let reports = graphflow.folder.path + "/report-{name}.json"

    let outcome = try graphflow("run", file, StreamTests.main, "--sandbox", "--report", reports)

    #expect(outcome.code == 1)
    let written = graphflow.folder.files().filter { $0.hasPrefix("report-") }
    #expect(written == ["report-broken.json", "report-post-and-verify.json"])
  }

  @Test func `all of several workflows are checked before the first is sent`() throws {
    func file(_ name: String, _ text: String) throws -> String {
      try graphflow.folder.write("graphflow: 1\n" + text, to: name)
    }
    let good = try file("good.yaml", "requests: {a: {get: me}}\n")
    let cases = [
      ("nowhere.yaml", Int32(66)), (try file("bad.yaml", "requests: {a: {gte: me}}\n"), 65),
      (try file("input.yaml", "inputs: {x: string}\nrequests: {a: {get: \"{input=x}\"}}\n"), 65),
      (try file("missing.yaml", "requests: {a: {for_each: {file: no.csv}, get: me}}\n"), 65),
    ]
    for (bad, code) in cases {
      let outcome = try graphflow("run", good, bad, "--sandbox")
      #expect(outcome.code == code, "\(bad)")
      #expect(outcome.error.contains("nothing was sent because of '\(bad)'"), "\(outcome.error)")
    }
    let unknown = try graphflow("run", good, good, "--sandbox", "--input", "y=1")
    #expect(unknown.code == 65)
    #expect(!graphflow.folder.files().contains { $0.hasPrefix("state") })
  }

  @Test func `two reports never share one path`() throws {
    try graphflow.folder.makeFolder("other")
    let text = "graphflow: 1\nrequests: {a: {get: me}}\n"
    let files = try ["same.yaml", "other/same.yaml"].map {
      try graphflow.folder.write(text, to: $0)
    }
    for report in ["-", "r.json", graphflow.folder.path + "/{name}.json"] {
      let outcome = try graphflow.run(["run"] + files + ["--sandbox", "--report", report])
      #expect(outcome.code == 64, "\(report): \(outcome.error)")
    }
    #expect(!graphflow.folder.files().contains { $0.hasPrefix("state") })
  }

  @Test func `a failure that occurs a hundred times is not printed a hundred times`() throws {
    let file = try graphflow.folder.write(
      "graphflow: 1\nrequests: {a: {for_each: \(Array(0..<150)), get: \"{item}\"}}\n",
      to: "many.yaml")

    let outcome = try graphflow("run", file, "--quiet")

    #expect(outcome.code == 77)
    let lines = outcome.error.split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("failed ") } == 1)
    #expect(lines.contains { $0.hasPrefix("failed      a × 150") }, "\(outcome.error)")
    #expect(lines.contains("            a[0], a[1], a[2] … a[149]"), "\(outcome.error)")
    #expect(lines.count <= 20)
  }

  @Test func `--quiet hides warnings`() throws {
    let file = try graphflow.folder.write(
      "graphflow: 1\ninputs: {unused: {type: string, default: x}}\nrequests: {a: {get: me/statuses}}\n",
      to: "warned.yaml")

    let verbose = try graphflow("run", file, "--sandbox", "--dry-run")
    let quiet = try graphflow("run", file, "--sandbox", "--dry-run", "--quiet")

    #expect(verbose.error.contains("warning:"))
    #expect(quiet.error == "")
  }

  @Test func `--dry-run shows inputs, permissions and plan`() throws {
    let outcome = try graphflow("run", StreamTests.main, "--sandbox", "--dry-run")

    #expect(outcome.code == 0)
    #expect(outcome.error == "")
    expectGolden(outcome.output, named: "runs/dry-run.txt")
    #expect(!graphflow.folder.files().contains { $0.hasPrefix("state") })
  }
}
