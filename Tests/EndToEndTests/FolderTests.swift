import CommandHarness
import JSONPath
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// `validate` with folders, and with anything that is not a regular file.
struct FolderTests {
  private let graphflow: CommandFixture
  private static let valid = "graphflow: 1\nrequests:\n  a: {get: me}\n"
  private static let broken = "graphflow: 1\nrequests:\n  a: {get: me, retyr: false}\n"
  private static let foreign = "services: {web: {image: nginx}}\n"

  init() throws {
    graphflow = try CommandFixture()
    try graphflow.folder.makeFolder("w")
  }

  /// Validates the folder `w`, or the given paths in it.
  private func validate(_ arguments: String...) throws -> Outcome {
    try graphflow.run(["validate"] + arguments, in: graphflow.folder.path + "/w")
  }

  private func path(_ name: String) -> String { graphflow.folder.path + "/w/" + name }

  private func write(_ text: String, to name: String, mode: mode_t = 0o644) throws {
    if let slash = name.lastIndex(of: "/") {
      try graphflow.folder.makeFolder("w/" + name[..<slash])
    }
    try graphflow.folder.write(text, to: "w/" + name, mode: mode)
  }

  /// The reported files, in the order of their first diagnostic.
  private func files(in outcome: Outcome) throws -> [String] {
    let found = try JSON(parsing: outcome.output).array ?? []
    return try found.map { try #require($0.object?["file"]?.string) }
  }

  @Test func `anything in a folder that is not a file is skipped`() throws {
    try write(Self.valid, to: "a.yaml")
    #expect(mkfifo(path("pipe.yaml"), 0o600) == 0)
    try graphflow.folder.makeFolder("w/folder.yaml")
    #expect(symlink("pipe.yaml", path("to-pipe.yaml")) == 0)

    let outcome = try validate()

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.error == "1 file is valid\n")
  }

  @Test(arguments: [["validate"], ["plan"], ["run", "--sandbox"], ["query", "$"]])
  func `a named pipe on the command line is an error, without waiting for it`(
    _ command: [String]
  ) throws {
    #expect(mkfifo(path("pipe.yaml"), 0o600) == 0)

    let outcome = try graphflow.run(command + ["pipe.yaml"], in: graphflow.folder.path + "/w")

    #expect(outcome.code == 66)
    #expect(outcome.error == "error: cannot read 'pipe.yaml': It is a named pipe\n")
  }

  @Test(arguments: ["/dev/stdin", "/dev/fd/0"])
  func `a descriptor that the shell opened may be a pipe`(_ name: String) throws {
    let outcome = try graphflow("validate", name, input: Self.broken)

    #expect(outcome.code == 65)
    #expect(outcome.output.hasPrefix("\(name):3:16: error: unknown key 'retyr'"))
  }

  @Test func `broken and circular links are named, and other files are checked`() throws {
    try write(Self.broken, to: "z.yaml")
    #expect(symlink("nothing", path("dangling.yaml")) == 0)
    #expect(symlink("circle.yaml", path("circle.yaml")) == 0)
    #expect(symlink(".", path("self")) == 0)
    #expect(symlink("../w", path("back")) == 0)

    let outcome = try validate()

    #expect(outcome.code == 66)
    #expect(
      outcome.error == """
        error: cannot read 'circle.yaml': Too many levels of symbolic links
        error: cannot read 'dangling.yaml': The link leads to nothing

        """)
    #expect(outcome.output.hasPrefix("z.yaml:3:16: error: unknown key 'retyr'"))
  }

  @Test(.enabled(if: getuid() != 0))
  func `unreadable files are named, and the others are checked`() throws {
    try write(Self.broken, to: "z.yaml")
    try write(Self.valid, to: "closed.yaml", mode: 0)
    try graphflow.folder.makeFolder("w/locked")
    chmod(path("locked"), 0)
    defer { chmod(path("locked"), 0o700) }

    let outcome = try validate()

    #expect(outcome.code == 66)
    #expect(outcome.error.contains("cannot read 'closed.yaml': Permission denied"))
    #expect(outcome.error.contains("cannot read 'locked': Permission denied"))
    #expect(outcome.output.hasPrefix("z.yaml:3:16:"))
  }

  @Test func `other YAML is skipped and counted`() throws {
    try write(Self.valid, to: "a.yaml")
    try write("\"graphflow\": 1\nrequests:\n  a: {get: me}\n", to: "b/quoted.yml")
    try write(Self.foreign, to: "compose.yaml")
    try write("# graphflow: no key\n", to: "b/comment.yaml")
    try write(Self.foreign, to: "notes.txt")

    #expect(try validate().error == "2 files are valid, 2 skipped: no graphflow key\n")
    #expect(try validate("--quiet").error == "")
    try write(Self.broken, to: "c.yaml")
    let outcome = try validate("--format", "json")
    #expect(outcome.error == "3 files checked, 2 skipped: no graphflow key\n")
    #expect(outcome.code == 65)
    // A file that is named explicitly is never skipped.
    #expect(try validate("compose.yaml").code == 65)
  }

  @Test func `a folder without a workflow is an error`() throws {
    try write(Self.foreign, to: "compose.yaml")

    let outcome = try validate()

    #expect(outcome.code == 66)
    #expect(outcome.error.hasPrefix("error: there is no workflow file in '.'\n"))
  }

  @Test func `hidden folders, node_modules and ignored files are not visited`() throws {
    for name in [
      ".hidden/a.yaml", ".a.yaml", "node_modules/x/a.yaml", "deep/node_modules/a.yaml",
      "out/a.yaml", "deep/out/a.yaml", "deep/tests/a.yaml", "deep/er/draft.yaml", "draft.yaml",
    ] { try write(Self.broken, to: name) }
    for name in ["build/kept.yaml", "deep/kept.yaml", "tests/kept.yaml", "z.yaml"] {
      try write(Self.broken, to: name)
    }
    try write("out/\n/tests\n# a comment\n", to: ".gitignore")
    try write("!/tests/\ndraft.*\n", to: ".graphflowignore")
    try write("tests\n", to: "deep/.graphflowignore")

    let outcome = try validate("--format", "json")

    #expect(
      try files(in: outcome) == ["build/kept.yaml", "deep/kept.yaml", "tests/kept.yaml", "z.yaml"])
    // A path that is named explicitly is always checked.
    #expect(try files(in: try validate("--format", "json", "draft.yaml")) == ["draft.yaml"])
    #expect(try files(in: try validate("--format", "json", "out")) == ["out/a.yaml"])
  }

  @Test func `a file is checked once, however often it is named`() throws {
    try write(Self.broken, to: "a.yaml")
    try write(Self.foreign, to: "b.yaml")
    #expect(symlink("a.yaml", path("link.yaml")) == 0)

    let outcome = try validate("--format", "json", ".", "./a.yaml", "link.yaml", "b.yaml")

    let found = try files(in: outcome)
    #expect(found.first == "a.yaml")
    #expect(found.count { $0 == "a.yaml" } == 1)
    // The file was found in the folder first and named later, so it must be a workflow.
    #expect(found.contains("b.yaml"))
    #expect(Set(found) == ["a.yaml", "b.yaml"])
    #expect(
      try validate("--fix", "a.yaml", "./a.yaml", "link.yaml").error.hasPrefix("fixed 1 problem"))
  }

  @Test func `the repository's own folder is valid`() throws {
    let outcome = try graphflow("validate", in: CommandFixture.root)

    #expect(outcome.code == 0, "\(outcome.output)")
    #expect(outcome.error.firstMatch(of: /^\d+ files are valid/) != nil, "\(outcome.error)")
  }
}
