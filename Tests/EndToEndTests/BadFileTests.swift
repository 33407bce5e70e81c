import CommandHarness
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Files that are not workflows: a diagnostic with a location, never a crash.
struct BadFileTests {
  /// The contents of a file.
  struct Contents: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    var testDescription: String { name }
  }

  static let contents = [
    Contents(name: "empty", bytes: []),
    Contents(name: "a byte order mark", bytes: [0xEF, 0xBB, 0xBF]),
    Contents(name: "zeros", bytes: Array(repeating: 0, count: 4096)),
    Contents(name: "all bytes", bytes: Array(0...255)),
    Contents(name: "an executable", bytes: Array("\u{7F}ELF\u{2}\u{1}".utf8) + [0xFF, 0xFE]),
    Contents(name: "UTF-16", bytes: [0xFF, 0xFE, 0x61, 0x00, 0x3A, 0x00]),
    Contents(name: "a list", bytes: Array("- graphflow: 1\n".utf8)),
    Contents(name: "a text", bytes: Array("graphflow\n".utf8)),
    Contents(name: "two documents", bytes: Array("graphflow: 1\n---\ngraphflow: 1\n".utf8)),
    Contents(name: "tabs", bytes: Array("graphflow: 1\nrequests:\n\ta:\n\t\tget: me\n".utf8)),
    Contents(name: "brackets", bytes: Array(repeating: UInt8(ascii: "["), count: 100_000)),
    Contents(
      name: "an alias bomb",
      bytes: Array(
        ("graphflow: 1\nx-0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
          + (1...12).map {
            "x-\($0): &a\($0) ["
              + Array(repeating: "*a\($0 - 1)", count: 10)
              .joined(separator: ", ") + "]\n"
          }.joined()).utf8)),
  ]

  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  @Test(arguments: contents)
  func `every command refuses it with a location`(_ contents: Contents) throws {
    for command in [["validate", "-"], ["plan", "-"], ["run", "-", "--sandbox"]] {
      let outcome = try graphflow.run(command, input: contents.bytes)

      #expect(outcome.code == 65, "\(command): \(outcome.error)")
      let text = command[0] == "validate" ? outcome.output : outcome.error
      #expect(text.firstMatch(of: /^-:\d+:\d+: error: .* \[[a-z-]+\]/) != nil, "\(text)")
    }
  }

  @Test(arguments: ["/", "/dev/zero"])
  func `only regular files are read`(_ path: String) throws {
    let outcome = try graphflow("run", path, "--sandbox")

    #expect(outcome.code == 66)
    #expect(outcome.error.hasPrefix("error: cannot read '\(path)': "))
  }

  @Test(.enabled(if: getuid() != 0))
  func `an unreadable file is named`() throws {
    let file = try graphflow.folder.write("graphflow: 1\n", to: "closed.yaml", mode: 0)

    #expect(try graphflow("validate", file).code == 66)
  }

  @Test func `a folder with one broken file names it and checks the others`() throws {
    try graphflow.folder.write("graphflow: 1\nrequests:\n  a:\n    get: me\n", to: "good.yaml")
    try graphflow.folder.write("graphflow: 1\nrequests: 3\n", to: "bad.yml")
    try graphflow.folder.write("other: yaml\n", to: "other.yaml")

    let outcome = try graphflow("validate", in: graphflow.folder.path)

    #expect(outcome.code == 65)
    #expect(outcome.output.hasPrefix("bad.yml:2:"))
    #expect(!outcome.output.contains("good.yaml"))
    #expect(!outcome.output.contains("other.yaml"))
  }

  @Test func `a file that a workflow sends must lie in its folder, links resolved`() throws {
    try graphflow.folder.makeFolder("inside")
    try graphflow.folder.write("secret", to: "outside.png")
    let link = graphflow.folder.path + "/inside/photo.png"
    #expect(symlink("../outside.png", link) == 0)
    let file = try graphflow.folder.write(
      """
      graphflow: 1
      requests:
        a:
          post: me/photos
          files: {source: photo.png}

      """, to: "inside/upload.yaml")

    let outcome = try graphflow("run", file, "--sandbox")

    #expect(outcome.code == 65)
    #expect(outcome.error.contains("leaves the workflow's folder [file-outside]"))
  }
}
