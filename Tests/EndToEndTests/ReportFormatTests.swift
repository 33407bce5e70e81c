import CommandHarness
import JSONPath
import TestSupport
import Testing

/// The formats of reports, as the command writes them.
struct ReportFormatTests {
  private static let streamed = ["jsonl", "csv", "xml", "md", "sarif", "prom", "html"]
  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  private func counts(in path: String, as ending: String) throws -> ReportCounts {
    try #require(ReportCounts(try text(of: path), as: ending), "\(path)")
  }

  @Test func `one run leaves reports in all formats, and so does its journal`() throws {
    let folder = graphflow.folder.path
    let places = Self.streamed.flatMap { ["--report", "\(folder)/{name}.\($0)"] }
    let arguments =
      [
        "run", "workflows/faults/doubt.yaml", "--sandbox", "--faults",
        "workflows/faults/doubt.faults.yaml", "--progress", "none",
      ] + places
    let outcome = try graphflow.run(arguments)
    #expect(outcome.code == 3, "\(outcome.error)")

    let again = Self.streamed.flatMap { ["--report", "\(folder)/again.\($0)"] }
    let report = try graphflow.run(["report", "latest"] + again)
    #expect(report.code == 0, "\(report.error)")

    for ending in Self.streamed {
      let counts = try counts(in: "\(folder)/doubt.\(ending)", as: ending)
      #expect(counts == ReportCounts(skipped: 1, inDoubt: 1).seen(in: ending), "\(ending)")
      #expect(try text(of: "\(folder)/doubt.\(ending)") == text(of: "\(folder)/again.\(ending)"))
      #expect(graphflow.folder.mode(of: "doubt.\(ending)") == (ending == "prom" ? 0o644 : 0o600))
    }
    #expect(!graphflow.folder.files().contains { $0.contains(".tmp") })
  }

  @Test func `several runs are one report with --merge, and are refused without`() throws {
    let folder = graphflow.folder.path
    for _ in 0..<2 {
      let outcome = try graphflow("run", "workflows/post-and-verify.yaml", "--sandbox", "--quiet")
      #expect(outcome.code == 0, "\(outcome.error)")
    }
    let runs = try JSON(parsing: try graphflow("runs", "list", "--format", "json").output)
    let ids = try runs.all("$[*].id").compactMap(\.string)
    #expect(ids.count == 2)
    let places = Self.streamed.flatMap { ["--report", "\(folder)/both.\($0)"] }
    let merged = try graphflow.run(["report"] + ids + ids + ["--merge"] + places)
    #expect(merged.code == 0, "\(merged.error)")
    for ending in Self.streamed {
      let counts = try counts(in: "\(folder)/both.\(ending)", as: ending)
      #expect(counts == ReportCounts(succeeded: 4).seen(in: ending), "\(ending)")
    }
    let list = try JSON(parsing: try graphflow.run(["report"] + ids + ["--merge"]).output)
    #expect(try list.all("$[*].run.id").compactMap(\.string) == ids.sorted())

    #expect(try graphflow.run(["report"] + ids).code == 64)
    let other = try graphflow("run", "workflows/cleanup.yaml", "--sandbox", "--quiet")
    #expect(other.code == 0, "\(other.error)")
    let mixed = try graphflow.run(["report", "latest"] + ids + ["--merge"])
    #expect(mixed.code == 64)
    #expect(mixed.error.contains("of several workflows: cleanup, post-and-verify"))
  }

  #if os(Linux)
  @Test func `--open shows the page of a run in the browser of the desktop`() throws {
    let folder = graphflow.folder.path
    let seen = folder + "/seen"
    _ = try graphflow.folder.write(
      "#!/bin/sh\necho \"$1\" > '\(seen)'\n", to: "xdg-open", mode: 0o755)
    let outcome = try graphflow("run", "workflows/post-and-verify.yaml", "--sandbox", "--quiet")
    #expect(outcome.code == 0, "\(outcome.error)")

    let path = ["PATH": folder + ":/usr/bin:/bin"]
    let without = try graphflow.run(["report", "latest", "--open"], environment: path)
    #expect(without.code == 0, "\(without.error)")
    #expect(without.output.hasSuffix(".html\n") && !graphflow.folder.files().contains("seen"))

    let shown = try graphflow.run(
      ["report", "latest", "--open"], environment: path.merging(["DISPLAY": ":0"]) { $1 })
    #expect(shown.code == 0 && shown.output == without.output, "\(shown.error)")
    #expect(try text(of: seen) == shown.output)
    #expect(try text(of: String(shown.output.dropLast())).hasPrefix("<!doctype html>"))
  }
  #endif

  @Test func `the page of a job of GitHub Actions gets the figures of every run`() throws {
    let page = try graphflow.folder.write("before\n", to: "summary.md")
    let environment = ["GITHUB_STEP_SUMMARY": page]
    for name in ["post-and-verify", "cleanup"] {
      let outcome = try graphflow.run(
        ["run", "workflows/\(name).yaml", "--sandbox", "--quiet"], environment: environment)
      #expect(outcome.code == 0, "\(outcome.error)")
    }
    let text = try text(of: page)
    #expect(text.hasPrefix("before\n"))
    #expect(text.contains("## post-and-verify succeeded") && text.contains("## cleanup succeeded"))

    let own = graphflow.folder.path + "/own.md"
    let outcome = try graphflow.run(
      ["run", "workflows/cleanup.yaml", "--sandbox", "--quiet", "--report", own],
      environment: environment)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try TestSupport.text(of: page) == text)
  }

  @Test func `a page of a job that cannot be written is only a warning`() throws {
    let outcome = try graphflow.run(
      ["run", "workflows/cleanup.yaml", "--sandbox", "--progress", "none"],
      environment: ["GITHUB_STEP_SUMMARY": graphflow.folder.path + "/missing/summary.md"])

    #expect(outcome.code == 0)
    #expect(outcome.error.contains("warning: no summary of the job: cannot create"))
  }
}
