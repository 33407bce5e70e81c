import JSONPath
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Journals that version 1 of the schema has left: `Golden/journals` was recorded by it.
///
/// Their workflow files are in the current folder, by way of `/proc`.
@Suite(.enabled(if: access("/proc/self/cwd", R_OK) == 0))
struct OldJournalTests {
  private static let ids = [
    "doubt": "01M7YFVJ42SWAJXRT4EYN2Y7F3", "failed": "01M7YFVK95A8THRAZ5P9QESMXK",
  ]

  private let graphflow: GraphFlow

  private let refusing: LoopbackPort

  init() throws {
    graphflow = try GraphFlow()
    refusing = try #require(LoopbackPort())
  }

  /// Puts a recorded run into the state directory, and its file into the folder.
  private func putBack(_ name: String) throws -> (journal: String, report: String) {
    let source = GraphFlow.root + "/Tests/EndToEndTests/Golden/journals/" + name
    let run = try #require(OldJournalTests.ids[name])
    try graphflow.folder.makeFolder("state/runs/" + run)
    let place = graphflow.folder.path + "/state/runs/\(run)/journal.sqlite"
    let copy = try #require(fopen(place, "wb"))
    let bytes = try contents(of: source + "/journal.sqlite")
    #expect(fwrite(bytes, 1, bytes.count, copy) == bytes.count)
    fclose(copy)
    let file = name == "doubt" ? "doubt.yaml" : "whole.yaml"
    try graphflow.folder.write(try text(of: source + "/" + file), to: file)
    return (place, try text(of: source + "/report.json"))
  }

  @Test(arguments: ["doubt", "failed"])
  func `they are listed and reported as they were, and stay as they are`(_ name: String) throws {
    let (journal, report) = try putBack(name)
    let before = try contents(of: journal)

    let runs = try JSON(parsing: try graphflow("runs", "--format", "json").output)
    let again = try graphflow("report", "latest")

    #expect(try runs.one("$[0].exit_code") == (name == "doubt" ? 3 : 1))
    #expect(again.output == report)
    #expect(try graphflow("runs", "show", "latest").code == 0)
    #expect(try contents(of: journal) == before)
  }

  @Test func `they go on`() throws {
    _ = try putBack("doubt")

    let outcome = try graphflow(
      "resume",
      "latest",
      "--applied",
      "first=1_2",
      "--graph-url",
      "http://127.0.0.1:18999",
      in: graphflow.folder.path
    )

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.output == "{\"id\":\"1_2\"}\n")
    let report = try JSON(parsing: try graphflow("report", "latest").output)
    #expect(try report.one("$.run.status") == "succeeded")
    #expect(try report.one("$.run.resumed") == 1)
  }

  @Test func `one that a refused resume has looked at is missed when it is gone`() throws {
    _ = try putBack("doubt")
    let id = try #require(OldJournalTests.ids["doubt"])
    func start(_ words: String...) throws -> Outcome {
      try graphflow.run(
        words + ["--graph-url", "http://127.0.0.1:18999"],
        in: graphflow.folder.path,
        environment: ["GRAPHFLOW_ACCESS_TOKEN": "t0ken"]
      )
    }
    #expect(try start("resume", "latest", "--not-applied", "frist").code == 64)
    for file in graphflow.folder.files() where file.hasPrefix("state/runs/") {
      remove(graphflow.folder.path + "/" + file)
    }
    rmdir(graphflow.state + "/runs/" + id)

    let outcome = try start("run", "doubt.yaml")

    #expect(outcome.code == 65, "\(outcome.error)")
    #expect(outcome.error.contains("the run \(id) of 'doubt.yaml' is damaged: its journal is gone"))
  }

  @Test func `a doubt in one refuses the next run of its file`() throws {
    _ = try putBack("doubt")
    // The earlier version left an empty file beside the run.
    try graphflow.folder.makeFolder("state/locks")
    let busy = try graphflow.start(
      ["run", "/proc/self/cwd/doubt.yaml", "--graph-url", refusing.url],
      in: graphflow.folder.path,
      environment: ["GRAPHFLOW_ACCESS_TOKEN": "t0ken"]
    )
    _ = try busy.wait()
    let lock = try #require(graphflow.folder.files().first { $0.hasSuffix(".lock") })
    try graphflow.folder.write("", to: lock)
    for file in graphflow.folder.files()
    where file.hasPrefix("state/runs/") && !file.contains(OldJournalTests.ids["doubt"] ?? "?") {
      remove(graphflow.folder.path + "/" + file)
    }

    let outcome = try graphflow(
      "run",
      "doubt.yaml",
      "--graph-url",
      refusing.url,
      in: graphflow.folder.path,
      environment: ["GRAPHFLOW_ACCESS_TOKEN": "t0ken"]
    )

    #expect(outcome.code == 3, "\(outcome.error)")
    #expect(outcome.error.contains(OldJournalTests.ids["doubt"] ?? "?"))
  }
}
