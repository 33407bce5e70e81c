import CommandHarness
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Links that lead out of the workflow's folder: their targets are neither shown nor written.
struct LinkedFileTests {
  private let graphflow: CommandFixture
  private static let broken = "graphflow: 1\nrequests:\n  a: {gte: me}  # a-secret-line\n"

  init() throws {
    graphflow = try CommandFixture()
    try graphflow.folder.makeFolder("w")
    try graphflow.folder.makeFolder("outside")
  }

  private func path(_ name: String) -> String { graphflow.folder.path + "/" + name }

  private func link(_ name: String, to target: String) throws {
    try #require(symlink(target, path("w/" + name)) == 0)
  }

  private func run(_ words: String..., old: Bool = false) throws -> Outcome {
    let library = PreloadedLibrary.swap ?? ""
    return try graphflow.run(
      words, in: path("w"), environment: old ? ["LD_PRELOAD": library, "SWAP_OLD": "1"] : [:])
  }

  @Test(arguments: [["validate"], ["plan"], ["run", "--sandbox"], ["explain"]])
  func `no line of a workflow outside the folder is shown`(_ command: [String]) throws {
    try graphflow.folder.write(Self.broken, to: "outside/a.yaml")
    try link("a.yaml", to: "../outside/a.yaml")

    let name = command == ["explain"] ? ["a"] : []
    let outcome = try graphflow.run(command + ["a.yaml"] + name, in: path("w"))

    #expect(outcome.code == 65)
    let text = outcome.output + outcome.error
    #expect(text.contains("a.yaml:3:7: error: unknown key 'gte'"))
    #expect(!text.contains("a-secret-line"))
    // In its own folder the line is shown.
    let shown = try graphflow.run(command + ["a.yaml"] + name, in: path("outside"))
    #expect((shown.output + shown.error).contains("a-secret-line"))
  }

  @Test func `in a folder only the lines of files inside it are shown`() throws {
    try graphflow.folder.makeFolder("w/sub")
    try graphflow.folder.write(Self.broken, to: "outside/a.yaml")
    try graphflow.folder.write(Self.broken.replacing("secret", with: "plain"), to: "w/z.yaml")
    try link("sub/a.yaml", to: "../../outside/a.yaml")
    try link("sub/b.yaml", to: "../z.yaml")

    let outcome = try run("validate", ".")

    #expect(outcome.code == 65)
    #expect(outcome.output.contains("sub/a.yaml:3:7: error: unknown key 'gte'"))
    #expect(!outcome.output.contains("a-secret-line"))
    #expect(outcome.output.contains("a-plain-line"))
  }

  @Test(arguments: ["validate", "plan", "run"])
  func `nothing is shown of an outside file that is not a workflow`(_ command: String) throws {
    try graphflow.folder.write("password: x\nroot:x:0:0\n", to: "outside/secrets.yaml")
    try link("a.yaml", to: "../outside/secrets.yaml")

    let outcome = try run(command, "a.yaml")

    #expect(outcome.code == 66)
    #expect(outcome.output == "")
    #expect(
      outcome.error == "error: cannot read 'a.yaml': The link leads out of its folder, to a file "
        + "without a key 'graphflow'\n")
  }

  @Test func `a link is never fixed, but its target is if it was also named`() throws {
    let outside = try graphflow.folder.write(Self.broken, to: "outside/a.yaml")
    let inside = try graphflow.folder.write(Self.broken, to: "w/z.yaml")
    try link("a.yaml", to: "../outside/a.yaml")
    try link("b.yaml", to: "z.yaml")

    let named = try run("validate", "--fix", "b.yaml")
    #expect(named.code == 74)
    #expect(
      named.error
        == "error: cannot write 'b.yaml': It is a link\n  name the file that it leads to\n")
    #expect(try text(of: inside) == Self.broken)

    let found = try run("validate", "--fix", ".")
    #expect(found.code == 74)
    #expect(found.error.contains("cannot write 'a.yaml': It is a link"))
    #expect(try text(of: outside) == Self.broken)
    #expect(try text(of: inside) == Self.broken.replacing("gte", with: "get"))
    #expect(FileKind(of: path("w/b.yaml"))?.isFolder == false)
    #expect(try run("validate", "--fix", "b.yaml", "z.yaml").code == 0)
  }

  @Test(arguments: [false, true])
  func `a link may lead anywhere inside the folder, even by an absolute path`(
    _ isOldKernel: Bool
  ) throws {
    guard !isOldKernel || PreloadedLibrary.swap != nil else { return }
    try graphflow.folder.makeFolder("w/data")
    try graphflow.folder.write("id\n1\n", to: "w/data/rows.csv")
    try graphflow.folder.write("id\n1\n", to: "outside/rows.csv")
    try graphflow.folder.makeFolder("w-beside")
    try graphflow.folder.write("id\n1\n", to: "w-beside/rows.csv")
    try link("absolute.csv", to: path("w/data/rows.csv"))
    try link("relative.csv", to: "data/../data/rows.csv")
    try link("folder", to: "data")
    try link("out.csv", to: path("outside/rows.csv"))
    try link("beside.csv", to: path("w-beside/rows.csv"))
    let names = ["absolute.csv", "relative.csv", "folder/rows.csv", "out.csv", "beside.csv"]
    for (index, name) in names.enumerated() {
      try graphflow.folder.write(
        "graphflow: 1\nrequests: {a: {for_each: {file: \(name)}, get: me}}\n", to: "w/a.yaml")

      let outcome = try run("run", "a.yaml", "--sandbox", "--quiet", old: isOldKernel)

      #expect(outcome.code == (index < 3 ? 0 : 65), "\(name): \(outcome.error)")
      #expect(outcome.error.contains("[file-outside]") == (index >= 3))
    }
  }
}
