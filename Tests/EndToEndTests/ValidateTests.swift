import CommandHarness
import JSONPath
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// `validate` with several files, in its formats for programs, and with `--fix`.
struct ValidateTests {
  private let graphflow: CommandFixture
  private static let valid = "graphflow: 1\nrequests:\n  a: {get: me}\n"
  private static let warned = "graphflow: 1\ninputs: {x: string}\nrequests:\n  a: {get: me}\n"
  private static let broken = "graphflow: 1\nrequests:\n  a: {gte: me}   # why\n"

  init() throws { graphflow = try CommandFixture() }

  private func validate(_ arguments: String..., input: String = "") throws -> Outcome {
    try graphflow.run(["validate"] + arguments, input: Array(input.utf8), in: graphflow.folder.path)
  }

  @Test func `many files are reported in the order of the command line`() throws {
    let names = (0..<60).map { "f\(($0 * 37) % 60).yaml" }
    for name in names { try graphflow.folder.write(Self.broken, to: name) }

    for _ in 0..<3 {
      let outcome = try graphflow.run(["validate"] + names, in: graphflow.folder.path)

      let found = outcome.output.split(separator: "\n").filter {
        $0.contains(": error: unknown key")
      }
      #expect(found.map { String($0.prefix { $0 != ":" }) } == names)
      #expect(outcome.code == 65)
    }
  }

  @Test(arguments: [
    // The request's own version, the configuration's, and the tool's are the other side.
    (", version: v21.0", "", "Graph v26.0"), ("", "version: v21.0\n", "Graph v26.0"),
    (", version: v21.0", "version: v25.0\n", "Graph v26.0"), ("", "", "Graph"),
  ])
  func `what is lost up to another version is reported`(
    _ own: String, _ configuration: String, _ loser: String
  ) throws {
    try graphflow.configure(configuration)
    try graphflow.folder.write(
      """
      graphflow: 1
      requests:
        a: {get: act_1/adcreatives, params: {fields: instagram_actor_id}\(own)}

      """, to: "ads.yaml")
    let lost = "\(loser) no longer has the field 'instagram_actor_id', since v22.0"

    let text = try validate("--graph-version", "v26.0", "ads.yaml")
    let json = try validate("--format", "json", "--graph-version", "v26.0", "ads.yaml")
    let found = try JSON(parsing: json.output).array?.filter { $0["rule"] == "retired-field" }

    #expect(text.code == 0 && text.output.contains("warning: \(lost) [retired-field]\n"))
    #expect(found?.map { $0["message"]?.string } == ["\(lost); use instagram_user_id"])
    #expect(try validate("--strict", "--graph-version", "v26.0", "ads.yaml").code == 65)
    #expect(try !validate("ads.yaml").output.contains("v26.0"))
    #expect(try validate("--graph-version", "26", "ads.yaml").code == 64)
    let ended = try validate("--graph-version", "v18.0", "ads.yaml")
    #expect(ended.error.contains("Graph treats v18.0 as its oldest available version, since"))
  }

  @Test func `only --strict treats a warning as an error`() throws {
    try graphflow.folder.write(Self.warned, to: "a.yaml")

    #expect(try validate("a.yaml").code == 0)
    #expect(try validate("--strict", "a.yaml").code == 65)
  }

  @Test func `one unreadable file does not hide the others`() throws {
    try graphflow.folder.write(Self.broken, to: "a.yaml")

    let outcome = try validate("none.yaml", "a.yaml")

    #expect(outcome.code == 66)
    #expect(outcome.error.contains("cannot read 'none.yaml'"))
    #expect(outcome.output.contains("a.yaml:3:7: error: unknown key 'gte'"))
  }

  @Test func `SARIF is one JSON document for all files`() throws {
    try graphflow.folder.write(Self.broken, to: "a.yaml")
    try graphflow.folder.write(Self.valid, to: "b.yaml")

    let outcome = try validate("--format", "sarif", "a.yaml", "b.yaml")

    let log = try JSON(parsing: outcome.output)
    #expect(try log.one("$.version") == "2.1.0")
    #expect(try log.all("$.runs[*].results[*]").count == 1)
    #expect(outcome.code == 65)
    let clean = try JSON(parsing: try validate("--format", "sarif", "b.yaml").output)
    #expect(try clean.all("$.runs[0].results[*]").isEmpty)
  }

  @Test func `the GitHub format is workflow commands`() throws {
    try graphflow.folder.write(Self.warned, to: "a.yaml")

    let outcome = try validate("--format", "github", "a.yaml")

    #expect(
      outcome.output == "::warning file=a.yaml,line=2,endLine=2,col=10,endColumn=11,"
        + "title=unused-input::the input 'x' is never used; use it with {input=x}, "
        + "or remove it [unused-input]\n")
  }

  @Test func `a fix keeps the mode and all other bytes, and applies once`() throws {
    let path = try graphflow.folder.write(Self.broken, to: "a.yaml", mode: 0o640)

    let outcome = try validate("--fix", "a.yaml")

    #expect(outcome.code == 0, "\(outcome.output)")
    #expect(outcome.error == "fixed 1 problem\n1 file is valid\n")
    #expect(try text(of: path) == "graphflow: 1\nrequests:\n  a: {get: me}   # why\n")
    #expect(graphflow.folder.mode(of: "a.yaml") == 0o640)
    #expect(graphflow.folder.files().filter { !$0.hasPrefix("home") } == ["a.yaml"])
    #expect(try validate("--fix", "a.yaml").error == "1 file is valid\n")
  }

  @Test func `standard input is never fixed`() throws {
    let outcome = try validate("--fix", "-", input: Self.broken)

    #expect(outcome.code == 64)
    #expect(outcome.output == "")
  }

  @Test(.enabled(if: getuid() != 0))
  func `a read-only file is reported and kept`() throws {
    let path = try graphflow.folder.write(Self.broken, to: "a.yaml", mode: 0o444)

    #expect(try validate("--fix", "a.yaml").code == 74)
    #expect(try text(of: path) == Self.broken)
  }

  @Test func `a file name cannot contain a command`() throws {
    try graphflow.folder.write(Self.broken, to: "::error::x.yaml")

    let outcome = try validate("::error::x.yaml")

    #expect(outcome.code == 65)
    for line in (outcome.output + outcome.error).split(separator: "\n") {
      #expect(!line.drop { $0 == " " }.hasPrefix("::"), "\(line)")
    }
  }
}
