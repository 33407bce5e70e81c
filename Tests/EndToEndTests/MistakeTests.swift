import CommandHarness
import TestSupport
import Testing

/// Examples with one mistake each: the message is a golden file, to the last character.
struct MistakeTests {
  /// A mistake: a text of an example, and its replacement.
  struct Mistake: Sendable, CustomTestStringConvertible {
    let workflow: String
    let name: String
    let right: String
    let wrong: String
    var testDescription: String { "\(workflow)/\(name)" }
  }

  static let mistakes = [
    Mistake(
      workflow: "post-and-verify", name: "unknown-reference",
      right: "{result=status-post:$.id}\"\n    params",
      wrong: "{result=status-pots:$.id}\"\n    params"),
    Mistake(
      workflow: "latest-status", name: "unknown-key",
      right: "    params:\n      fields: id,message,created_time",
      wrong: "    parms:\n      fields: id,message,created_time"),
    Mistake(
      workflow: "photo-batch", name: "file-outside", right: "photos/red.png",
      wrong: "../photos/red.png"),
    Mistake(
      workflow: "page-post", name: "unknown-input", right: "message: \"{input=message}\"",
      wrong: "message: \"{input=mesage}\""),
    Mistake(
      workflow: "permissions-audit", name: "invalid-expression",
      right: "@.permission == 'pages_manage_posts' && @.status",
      wrong: "@.permission = 'pages_manage_posts' && @.status"),
    Mistake(
      workflow: "friends-by-ids", name: "invalid-query", right: "$.data[*].id}\"",
      wrong: "$.data[*]id}\""),
    Mistake(
      workflow: "cleanup", name: "dependency-cycle", right: "    get: \"{result=draft:$.id}\"",
      wrong:
        "    depends_on: [remove]\n    get: \"{result=draft:$.id}\""),
    Mistake(
      workflow: "publish-from-csv", name: "item-outside",
      right: "post_ids: \"{result=publish.post:$[*].id}\"", wrong: "post_ids: \"{item=$.sku}\""),
    Mistake(
      workflow: "all-comments", name: "unknown-key", right: "max_items: 1000",
      wrong: "max_item: 1000"),
    Mistake(
      workflow: "publish-and-wait", name: "invalid-value", right: "interval: 2s",
      wrong: "interval: 20ms"),
    Mistake(
      workflow: "confirm-post", name: "confirm-takes-first",
      right: "$.data[?@.message == {input=message}]", wrong: "$.data[0]"),
  ]

  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  @Test(arguments: mistakes)
  func `a mistake is reported at its location`(_ mistake: Mistake) throws {
    let original = try text(of: CommandFixture.root + "/workflows/\(mistake.workflow).yaml")
    let parts = original.split(separator: mistake.right, omittingEmptySubsequences: false)
    try #require(parts.count == 2, "the text to replace occurs \(parts.count - 1) times")
    try graphflow.folder.write(
      parts.joined(separator: mistake.wrong), to: "\(mistake.workflow).yaml")

    // `validate` checks that the files of the examples exist.
    try graphflow.folder.makeFolder("photos")
    for name in ["photos/red.png", "photos/green.png", "photos/blue.gif", "posts.csv"] {
      try graphflow.folder.write("", to: name)
    }

    let outcome = try graphflow("validate", "\(mistake.workflow).yaml", in: graphflow.folder.path)

    expectGolden(outcome.output, named: "diagnostics/\(mistake.workflow).txt")
    #expect(outcome.output.contains("[\(mistake.name)]"))
    #expect(outcome.error == "")
    #expect(outcome.code == 65)
  }

  @Test func `run shows the same diagnostics on standard error and sends nothing`() throws {
    let file = try graphflow.folder.write(
      "graphflow: 1\nrequests:\n  a:\n    get: \"{result=b:$.id}\"\n", to: "broken.yaml")

    let validated = try graphflow("validate", file)
    let ran = try graphflow("run", file, "--sandbox")

    #expect(ran.error == validated.output)
    #expect(ran.output == "")
    #expect(ran.code == 65)
    #expect(!graphflow.folder.files().contains { $0.hasPrefix("state") })
  }
}
