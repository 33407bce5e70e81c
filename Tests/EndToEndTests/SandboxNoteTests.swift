import CommandHarness
import JSONPath
import TestSupport
import Testing

/// What a run on the sandbox reports of requests that Graph would have answered otherwise.
struct SandboxNoteTests {
  @Test func `the report names ignored parameters and what only Graph serves`() throws {
    let graphflow = try CommandFixture()
    let file = try graphflow.folder.write(
      """
      graphflow: 1
      token: page
      requests:
        post: {post: me/feed, params: {message: Hello, place: "123"}}
        read: {get: me/feed, params: {limit: 1, with: location}, depends_on: [post]}
        figures: {get: me/ids_for_apps, token: default}
        typo: {get: me/ids_for_ap}
        plain: {get: me, params: {fields: name}}
      """, to: "notes.yaml")
    let outcome = try graphflow(
      "run", file, "--sandbox", "--report", graphflow.folder.path + "/report.json")
    let report = try JSON(parsing: text(of: graphflow.folder.path + "/report.json"))
    let notes = Dictionary(
      (report["requests"]?.array ?? []).map { ($0["name"]?.string ?? "", $0["note"]?.string) },
      uniquingKeysWith: { $1 })

    #expect(outcome.code == 1, "\(outcome.error)")
    #expect(notes["post"] == "Graph would obey place, the sandbox does not")
    #expect(notes["read"] == "Graph would obey with, the sandbox does not")
    #expect(notes["figures"] == "Graph serves this, the sandbox does not")
    #expect(notes["typo"] == .some(nil))
    #expect(notes["plain"] == .some(nil))
    #expect(outcome.error.contains("note: Graph serves this"), "\(outcome.error)")
  }
}
