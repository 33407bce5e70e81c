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

  @Test(arguments: [
    // The workflow's version, in a batch; a request's own, in a batch and alone; one that is served.
    ("version: v18.0\n", "", ["v18.0"]), ("", ", version: v19.0", ["v19.0"]),
    ("", ", version: v19.0, batch: alone", ["v19.0"]),
    ("version: v18.0\n", ", version: v19.0", ["v18.0", "v19.0"]),
    ("version: v26.0\n", ", version: v25.0", []),
  ])
  func `the report says which versions Graph answered in another one`(
    _ version: String, _ own: String, _ expected: [String]
  ) throws {
    let graphflow = try CommandFixture()
    let file = try graphflow.folder.write(
      """
      graphflow: 1
      \(version)requests:
        a: {get: me, params: {fields: name}}
        b: {get: me, params: {fields: name}\(own)}

      """, to: "old.yaml")
    let outcome = try graphflow(
      "run", file, "--sandbox", "--report", graphflow.folder.path + "/report.json")
    let report = try JSON(parsing: text(of: graphflow.folder.path + "/report.json"))
    let pairs = report["run"]?["other_versions"]?.array ?? []

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(pairs.map { $0["asked"]?.string } == expected)
    #expect(pairs.allSatisfy { $0["served"] == "v20.0" })
    let lines = outcome.error.split(separator: "\n").filter { $0.hasPrefix("version     ") }
    #expect(lines.count == expected.count, "\(outcome.error)")
  }
}
