import CommandHarness
import JSONPath
import TestSupport
import Testing

/// The whole answer of a failed request is in the report, and tokens in it are not.
struct FailedAnswerTests {
  private static let token = "EAAG" + String(repeating: "aB3", count: 40)

  private static let faults = """
    graphflow-faults: 1
    faults:
      - path: me
        operation: {error: {code: 100, message: "Cannot use \(token)", user_title: Sorry}}
      - {path: me/albums, operation: {error: 2}}
      - {path: me/photos, call: {error: 803}}
      - {path: me/videos, call: {page: 502}}

    """

  @Test func `the report has the whole answer of a failed request, without tokens`() throws {
    let graphflow = try CommandFixture()
    let faults = try graphflow.folder.write(Self.faults, to: "faults.yaml")
    let file = try graphflow.folder.write(
      """
      graphflow: 1
      token: page
      defaults: {on_error: continue}
      requests:
        leak: {get: me, params: {fields: id}}
        kept: {get: me, params: {fields: name}, omit_response: true}
        again: {get: me/albums, params: {fields: id}, retry: {max_attempts: 2, initial_delay: 10ms}}
        alone: {get: me/photos, batch: alone, params: {fields: id}}
        page: {get: me/videos, batch: alone, params: {fields: id}, retry: {max_attempts: 1}}
        fine: {get: me/feed, params: {fields: id}}
        missing: {get: "{result=leak:$.id}/feed", params: {fields: id}}

      """, to: "failing.yaml")
    let path = graphflow.folder.path + "/report.json"
    let outcome = try graphflow(
      "run", file, "--sandbox", "--faults", faults, "--report", path)
    let report = try JSON(parsing: text(of: path))
    let errors = Dictionary(
      (report["requests"]?.array ?? []).map { ($0["name"]?.string ?? "", $0["error"]) },
      uniquingKeysWith: { $1 })

    #expect(outcome.code == 1, "\(outcome.error)")
    let leaked = try #require(errors["leak"]??["answer"]?["error"], "\(errors)")
    #expect(leaked["error_user_title"] == "Sorry")
    #expect(leaked["message"]?.string?.hasPrefix("Cannot use ***") == true, "\(leaked)")
    #expect(errors["kept"]??["message"] != nil)
    #expect(errors["kept"]??["answer"] == nil)
    #expect(errors["again"]??["answer"]?["error"]?["code"] == 2)
    #expect(errors["alone"]??["answer"]?["error"]?["code"] == 803)
    #expect(errors["page"]??["answer"]?.string?.contains("502 Bad Gateway") == true)
    #expect(errors["fine"] == .some(.null))
    #expect(errors["missing"]??["answer"] == nil)

    // A later report has it from the journal.
    let later = try graphflow("report", "latest", "--report", "-")
    #expect(try JSON(parsing: later.output) == report)
    for name in graphflow.folder.files() where name != "faults.yaml" {
      let bytes = try contents(of: graphflow.folder.path + "/" + name)
      #expect(bytes.firstRange(of: Array(Self.token.utf8)) == nil, "\(name)")
    }
  }
}
