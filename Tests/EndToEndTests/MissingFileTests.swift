import CommandHarness
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Missing files are reported before anything is sent.
struct MissingFileTests {
  private let graphflow: CommandFixture

  init() throws {
    graphflow = try CommandFixture()
    try graphflow.folder.makeFolder("w/photos")
    try graphflow.folder.write("secret", to: "outside.png")
    try graphflow.folder.write("a photo", to: "w/photos/red.png")
    try graphflow.folder.write("id\n1\n", to: "w/rows.csv")
    #expect(symlink("../../outside.png", graphflow.folder.path + "/w/photos/link.png") == 0)
    #expect(mkfifo(graphflow.folder.path + "/w/photos/pipe.png", 0o600) == 0)
  }

  private static let commands = [["validate"], ["plan"], ["run", "--sandbox"]]

  private func run(_ words: [String], input: String = "") throws -> Outcome {
    try graphflow.run(words, input: Array(input.utf8), in: graphflow.folder.path + "/w")
  }

  /// Every sent call is recorded in the state directory, which is created before the first.
  private var hasSent: Bool { graphflow.folder.files().contains { $0.hasPrefix("state") } }

  private static let missing = """
    graphflow: 1
    requests:
      a:
        for_each: {file: row.csv}
        get: me
      b:
        post: me/photos
        idempotent: true
        files: {a: photos/red.png, b: photos/rde.png, c: photos/link.png, d: photos, e: photos/pipe.png}

    """

  private static let messages = [
    "4:22: error: there is no file 'row.csv' [missing-file]",
    "9:35: error: there is no file 'photos/rde.png' [missing-file]",
    "9:54: error: a link on this path leaves the workflow's folder [file-outside]",
    "9:74: error: 'photos' cannot be read as a file: Is a directory [missing-file]",
    "9:85: error: 'photos/pipe.png' cannot be read as a file: It is a named pipe [missing-file]",
  ]

  @Test(arguments: commands)
  func `the files that a workflow names must exist`(_ command: [String]) throws {
    try graphflow.folder.write(Self.missing, to: "w/a.yaml")

    for (name, input) in [("a.yaml", ""), ("-", Self.missing)] {
      let outcome = try run(command + [name], input: input)

      let text = command == ["validate"] ? outcome.output : outcome.error
      let errors = text.split(separator: "\n").filter { $0.contains(": error: ") }
      #expect(errors.map(String.init) == Self.messages.map { "\(name):\($0)" }, "\(text)")
      #expect(outcome.code == 65)
      #expect(!hasSent)
    }
  }

  @Test(arguments: commands)
  func `existing files are accepted from every folder`(_ command: [String]) throws {
    let file = try graphflow.folder.write(
      """
      graphflow: 1
      token: page
      requests:
        a: {for_each: {file: ./rows.csv}, get: me}
        b: {post: me/photos, idempotent: true, files: {source: photos/../photos/red.png}}

      """, to: "w/a.yaml")

    #expect(try graphflow.run(command + [file], in: "/").code == 0)
    #expect(try run(command + ["a.yaml"]).code == 0)
  }

  private static let inputs = """
    graphflow: 1
    inputs:
      photo: {type: file, default: photos/none.png}
      name: {type: string, default: none}
      all: {type: list, items: file, default: [photos/red.png, photos/gone.png]}
    requests:
      a: {for_each: {file: "{input=name}.csv"}, get: me}
      b:
        for_each: "{input=all}"
        post: me/photos
        idempotent: true
        files: {a: "{input=photo}", b: "photos/{input=name}.png", c: "{item}"}

    """

  @Test func `all values of inputs are checked before a run`() throws {
    try graphflow.folder.write(Self.inputs, to: "w/a.yaml")

    let outcome = try run(["run", "--sandbox", "a.yaml"])

    #expect(
      outcome.error == """
        error: the input 'photo': 'photos/none.png' is not in the workflow's folder
        error: the input 'all': 'photos/gone.png' is not in the workflow's folder
        error: a.yaml:7: the items of 'a': 'none.csv' is not in the workflow's folder

        """)
    #expect(outcome.code == 65)
    #expect(!hasSent)
    let link = try run([
      "plan", "a.yaml", "--input", "photo=photos/link.png", "--input", "name=rows",
      "--input", "all=[]",
    ])
    #expect(
      link.error == """
        error: the input 'photo': 'photos/link.png' lies outside the workflow's folder
        error: a.yaml:12: the file 'b' of 'b': 'photos/rows.png' is not in the workflow's folder

        """)
    #expect(link.code == 65)
    // Their values are not known yet.
    #expect(try run(["validate", "a.yaml"]).code == 0)
  }

  @Test(
    arguments: [
      ("none/r.json", "No such file or directory", "there is no folder 'none'"),
      ("none/r.jsonl", "No such file or directory", "there is no folder 'none'"),
      ("rows.csv/r.json", "Not a directory", "there is no folder 'rows.csv'"),
      ("photos.json", "Is a directory", nil),
    ] as [(String, String, String?)])
  func `a report that cannot be written is reported before the run`(
    _ path: String, _ reason: String, _ hint: String?
  ) throws {
    try graphflow.folder.makeFolder("w/photos.json")
    try graphflow.folder.write("graphflow: 1\nrequests: {a: {get: me}}\n", to: "w/a.yaml")

    let outcome = try run(["run", "--sandbox", "a.yaml", "--report", path])

    let way = hint.map { "  \($0)\n" } ?? ""
    #expect(outcome.error == "error: cannot create \(path): \(reason)\n\(way)")
    #expect(outcome.code == 73)
    #expect(!hasSent)
  }

  @Test func `a run continues although its file was deleted after it was sent`() throws {
    let file = try graphflow.folder.write(
      """
      graphflow: 1
      requests:
        a: {post: me/photos, idempotent: true, files: {source: photos/red.png}}
        b: {get: nothing/at/all, depends_on: [a]}

      """, to: "w/a.yaml")
    let sandbox = try SandboxProcess(for: graphflow)
    #expect(try graphflow("run", file, environment: sandbox.environment).code == 1)
    remove(graphflow.folder.path + "/w/photos/red.png")

    let outcome = try graphflow("resume", "latest", environment: sandbox.environment)

    #expect(outcome.code == 1, "\(outcome.error)")
    #expect(!outcome.error.contains("red.png"))
  }
}
