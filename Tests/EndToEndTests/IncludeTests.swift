import CommandHarness
import JSONPath
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Files that include others, as the commands read them.
struct IncludeTests {
  private var graphflow: CommandFixture

  init() throws {
    graphflow = try CommandFixture()
    try graphflow.folder.makeFolder("w/shared")
    _ = try graphflow.folder.write(
      """
      graphflow: 1
      token: page
      inputs: {message: {type: string, default: Hello}}
      requests:
        post: {post: me/feed, params: {message: "{input=message}"}}

      """, to: "w/shared/page.yaml")
    _ = try graphflow.folder.write(
      """
      graphflow: 1
      include: [shared/page.yaml]
      requests:
        read: {get: "{result=post:$.id}"}
      outputs: {post: "{result=post:$.id}"}

      """, to: "w/main.yaml")
  }

  private var folder: String { graphflow.folder.path + "/w" }

  @Test func `a run sends the requests of included files, and reports where they are`() throws {
    let (run, report) = try graphflow.report("run", folder + "/main.yaml", "--sandbox")

    #expect(run.code == 0, "\(run.error)")
    #expect(try report.one("$.outputs.post").string != nil)
    #expect(try report.one("$.requests[0].file").string == folder + "/shared/page.yaml")
    #expect(try report.one("$.requests[0].line").integer == 5)
    #expect(report["requests"]?[1]?["file"] == nil)
  }

  @Test func `tables and pages say in which file a request is`() throws {
    let names = ["csv", "md", "html"].map { "\(folder)/report.\($0)" }
    _ = try graphflow.folder.write(
      """
      graphflow: 1
      token: page
      requests:
        post: {post: me/feed, params: {message: ""}}

      """, to: "w/shared/page.yaml")
    let run = try graphflow.run(
      ["run", folder + "/main.yaml", "--sandbox"] + names.flatMap { ["--report", $0] })
    let texts = try names.map { try text(of: $0) }
    let place = folder + "/shared/page.yaml"

    #expect(run.code == 1, "\(run.error)")
    #expect(texts[0].contains(",\(place)\r\n"), "\(texts[0])")
    #expect(texts[1].contains("\(place):4"), "\(texts[1])")
    #expect(texts[2].contains("4 of \(place)"))
  }

  @Test func `other commands read them, too`() throws {
    let main = folder + "/main.yaml"
    let plan = try graphflow("plan", main)
    let explain = try graphflow("explain", main, "post")
    let curl = try graphflow("curl", main, "post")
    let only = try graphflow("run", main, "--sandbox", "--only", "post")

    #expect(plan.output.hasPrefix("main: 2 operations"), "\(plan.error)")
    #expect(explain.output.contains("(line 5 of \(folder)/shared/page.yaml)"), "\(explain.output)")
    #expect(curl.code == 0 && curl.output.contains("me/feed"), "\(curl.error)")
    #expect(only.code == 0, "\(only.error)")
  }

  @Test func `an included file is valid without requests, but cannot be run`() throws {
    let defaults = try graphflow.folder.write(
      "graphflow: 1\ndefaults: {timeout: 3s}\n", to: "w/defaults.yaml")

    let all = try graphflow("validate", folder)
    let run = try graphflow("run", defaults, "--sandbox")

    #expect(all.code == 0, "\(all.output)")
    #expect(all.error.contains("3 files are valid"), "\(all.error)")
    #expect(run.code == 65)
    #expect(run.error.contains("needs 'requests'"))
  }

  @Test func `no file outside of the folder is read`() throws {
    let secret = try graphflow.folder.write(
      "graphflow: 1\nrequests: {secret: {get: me}}\n", to: "secret.yaml")
    #expect(symlink(secret, folder + "/shared/link.yaml") == 0)
    for path in ["../secret.yaml", secret, "shared/link.yaml", "shared/../../secret.yaml"] {
      let file = try graphflow.folder.write(
        "graphflow: 1\ninclude: [\(path)]\nrequests: {a: {get: me}}\n", to: "w/outside.yaml")

      let plan = try graphflow("plan", file)

      #expect(plan.code == 65, "\(path)")
      #expect(plan.error.contains("[file-outside]"), "\(plan.error)")
      #expect(!plan.error.contains("secret: {"), "\(plan.error)")
    }
  }

  @Test func `a mistake in an included file is fixed there`() throws {
    let shared = try graphflow.folder.write(
      "graphflow: 1\nrequests: {post: {gte: me}}\n", to: "w/shared/page.yaml")

    let found = try graphflow("validate", folder + "/main.yaml")
    let fixed = try graphflow("validate", "--fix", folder + "/main.yaml")

    #expect(found.output.contains("\(shared):2:19: error: unknown key 'gte'"), "\(found.output)")
    #expect(fixed.code == 0, "\(fixed.output)")
    #expect(try text(of: shared) == "graphflow: 1\nrequests: {post: {get: me}}\n")
  }

  @Test mutating func `a run is not resumed with another included file`() throws {
    let sandbox = try SandboxProcess(for: graphflow)
    graphflow.environment = sandbox.environment
    let main = try graphflow.folder.write(
      """
      graphflow: 1
      include: [shared/page.yaml]
      requests:
        read: {get: "{result=post:$.id}", depends_on: [post]}
        more: {get: me, token: "default", batch: alone, depends_on: [read]}

      """, to: "w/main.yaml")
    let stopped = try graphflow("run", main, "--budget", "calls=1")
    let shared = folder + "/shared/page.yaml"
    let old = try text(of: shared)
    _ = try graphflow.folder.write(old + "# changed\n", to: "w/shared/page.yaml")

    let refused = try graphflow("resume", "latest", "--budget", "calls=9")
    _ = try graphflow.folder.write(old, to: "w/shared/page.yaml")
    let resumed = try graphflow("resume", "latest", "--budget", "calls=9")

    #expect(stopped.code == 75, "\(stopped.error)")
    #expect(refused.code == 65)
    #expect(refused.error.contains("has changed since the run"), "\(refused.error)")
    #expect(resumed.code == 0, "\(resumed.error)")
  }
}
