import GraphFlow
import Testing

/// What a release consists of agrees with its version, and with what the README promises.
struct ReleaseTests {
  private static func lines(_ path: String) throws -> [String] {
    try #require(SourceTree.file(path)).lines
  }

  @Test func `the hook installs the wheel of this version`() throws {
    let project = try Self.lines("pyproject.toml")

    #expect(project.contains("version = \"\(toolVersion)\""))
    #expect(project.contains("dependencies = [\"graphflow-cli==\(toolVersion)\"]"))
  }

  @Test func `the changelog has a section of this version`() throws {
    let headings = try Self.lines("CHANGELOG.md").filter { $0.hasPrefix("## ") }

    #expect(headings.dropFirst().first?.hasPrefix("## \(toolVersion) - 20") == true)
  }

  @Test(arguments: ["docs/guide/pre-commit.md", "docs/guide/ci.md"])
  func `examples for other repositories name this version`(_ page: String) throws {
    let lines = try Self.lines(page)
    let named = lines.filter { $0.contains("rev: v") || $0.contains("graphflow@v") }

    #expect(!named.isEmpty)
    for line in named { #expect(line.contains("v\(toolVersion)"), "\(page): \(line)") }
  }

  @Test func `the packages of a release are listed with versions that the manifest accepts`() throws
  {
    var listed: [Substring: Substring] = [:]
    for line in try Self.lines("packaging/versions.txt") where !line.hasPrefix("#") {
      let match = try #require(
        line.wholeMatch(of: /(github\.com\/[\w.-]+\/[\w.-]+) (\d+\.\d+\.\d+) [0-9a-f]{40}/),
        "\(line)")
      listed[match.1] = match.2
    }
    for line in try Self.lines("Package.swift") {
      guard let match = line.firstMatch(of: /"https:\/\/([^"]+?)(?:\.git)?", from: "([^"]+)"/)
      else { continue }
      let version = try #require(listed[match.1], "\(match.1)")
      func numbers(_ text: Substring) -> [Int] { text.split(separator: ".").compactMap { Int($0) } }
      #expect(numbers(version).first == numbers(match.2).first)
      #expect(!numbers(version).lexicographicallyPrecedes(numbers(match.2)), "\(match.1)")
    }
  }

  /// The README says "no telemetry": no host but those of Facebook is in the code.
  @Test func `the sources name no host that could get data`() {
    // Sources of statements and formats, which are printed and never opened, and this machine.
    let printed: Set = [
      "developers.facebook.com", "github.com", "www.rfc-editor.org", "www.w3.org",
      "json.schemastore.org", "HOST", "localhost", "127.0.0.1",
      // Addresses in answers of the sandbox, and in the name of what sends Graph's webhooks.
      "scontent.example", "www.instagram.com", "fb.me",
    ]
    let allowed = printed.union(["graph.facebook.com", "www.facebook.com"])
    let files =
      SourceTree.files(under: ["Sources"], ending: ".swift")
      + SourceTree.files(under: ["Sources/GraphFlow/Reporting/Page"], ending: "")
    #expect(files.count > 100)
    for file in files {
      for line in file.lines where !line.drop(while: { $0 == " " }).hasPrefix("//") {
        for match in line.matches(of: /(?:https?|wss?):\/\/([A-Za-z0-9.-]*[A-Za-z0-9])/) {
          #expect(allowed.contains(String(match.1)), "\(file.path) names \(match.1)")
        }
      }
    }
  }
}
