import Testing

/// Checks of the source tree: a violation of style fails a test with its path and line.
struct TidyTests {
  static let files = SourceTree.files(under: ["Sources", "Tests"], ending: ".swift")

  @Test func `the tree is found`() { #expect(Self.files.count > 100) }

  @Test(arguments: files)
  func `a file is short and its functions are shorter`(_ file: SourceTree.File) {
    #expect(file.lines.count <= 500, "\(file.path) has \(file.lines.count) lines")
    for function in file.functions {
      #expect(function.length <= 60, "\(file.path):\(function.line) has \(function.length) lines")
    }
  }

  @Test func `a folder of sources has no more than twenty files`() {
    let sources = Self.files.filter { $0.path.hasPrefix("Sources/") }
    let counts = Dictionary(grouping: sources) { file in
      file.path.split(separator: "/").dropLast().joined(separator: "/")
    }
    for (folder, files) in counts {
      #expect(files.count <= 20, "\(folder) has \(files.count) files")
    }
  }

  @Test func `half of the source files are under a hundred lines`() {
    let counts = Self.files.filter { $0.path.hasPrefix("Sources/") }.map(\.lines.count).sorted()
    #expect(counts[counts.count / 2] < 100)
  }

  @Test(arguments: files)
  func `there are no leftovers and no forced unwrapping`(_ file: SourceTree.File) {
    // The words are concatenated here so that this file does not contain them.
    let words = [
      "TO" + "DO", "FIX" + "ME", "XX" + "X:", "@unche" + "cked", "try" + "!", "fatal" + "Error(",
    ]
    let text = file.lines.joined(separator: "\n")
    for word in words where text.contains(word) { Issue.record("\(file.path) holds '\(word)'") }
  }

  /// Full Foundation costs milliseconds at every start; Apple's systems have no smaller one.
  @Test(arguments: files)
  func `Foundation is only imported if FoundationEssentials is missing`(_ file: SourceTree.File) {
    for (index, line) in file.lines.enumerated() where line.hasSuffix("import Foundation") {
      #expect(index > 0 && file.lines[index - 1] == "#else", "\(file.path):\(index + 1)")
    }
  }

  @Test(arguments: [
    ("CLibYAML", "Sources/GraphFlow/Loading/"), ("CLinux", "Sources/GraphFlowCLI/System/"),
    ("CSQLite", "Sources/GraphFlow/Journal/"),
    ("AsyncHTTPClient", "Sources/GraphAPI/Transport/"),
    ("NIOHTTP2", "Sources/GraphAPI/Transport/"),
    ("ArgumentParser", "Sources/GraphFlowCLI/"),
  ])
  func `another module is imported in one place`(_ module: String, _ door: String) {
    let users = Self.files.filter { file in
      file.path.hasPrefix("Sources/")
        && file.lines.contains { $0.hasSuffix("import \(module)") }
    }
    #expect(!users.isEmpty)
    for user in users { #expect(user.path.hasPrefix(door), "\(user.path) imports \(module)") }
  }

  @Test func `TLS is for the transport and for the sandbox's server`() {
    let users = Self.files.filter { file in
      file.path.hasPrefix("Sources/") && file.lines.contains { $0.hasSuffix("import NIOSSL") }
    }
    let doors = ["Sources/GraphAPI/Transport/", "Sources/GraphSandbox/Server/"]
    for door in doors { #expect(users.contains { $0.path.hasPrefix(door) }) }
    for user in users { #expect(doors.contains { user.path.hasPrefix($0) }, "\(user.path)") }
  }

  @Test func `lines do not end with spaces`() {
    let texts = SourceTree.files(under: ["docs", "workflows", "schemas", "scripts"], ending: "")
    for file in (Self.files + texts).filter({ !$0.isBinary }) {
      for (index, line) in file.lines.enumerated() where line.hasSuffix(" ") {
        Issue.record("\(file.path):\(index + 1) ends in a blank")
      }
    }
  }

  @Test func `the changelog begins with the unreleased changes`() throws {
    let lines = try #require(SourceTree.file("CHANGELOG.md")).lines
    #expect(lines.first == "# Changelog")
    let headings = lines.filter { $0.hasPrefix("## ") }
    #expect(headings.first == "## Unreleased")
    let kinds = Set(lines.filter { $0.hasPrefix("### ") })
    #expect(kinds.isSubset(of: ["### Added", "### Changed", "### Fixed", "### Removed"]))
  }

  /// `make sabotage` takes an hour to find this error; the test takes a second.
  @Test func `the text of every deliberate bug is in its file exactly once`() throws {
    let bugs = try #require(SourceTree.file("Tests/Sabotage/sabotage.txt")).lines
    var name = ""
    var file: SourceTree.File?
    var text: [String]?
    var count = 0
    for line in bugs {
      if let lines = text {
        guard line == "===" else {
          text?.append(line)
          continue
        }
        let source = "\n" + (file?.lines ?? []).joined(separator: "\n") + "\n"
        let parts = source.split(
          separator: lines.joined(separator: "\n"), omittingEmptySubsequences: false)
        let place = file?.path ?? "a file that is missing"
        #expect(parts.count == 2, "\(name) is \(parts.count - 1) times in \(place)")
        (text, count) = (nil, count + 1)
      } else if line.hasPrefix("[") {
        name = String(line.dropFirst().prefix { $0 != "]" })
      } else if line.hasPrefix("file: ") {
        file = SourceTree.file(String(line.dropFirst("file: ".count)))
      } else if line == "<<<" {
        text = []
      }
    }
    #expect(count > 150)
    #expect(bugs.count { $0 == ">>>" } == count, "a bug does not end with >>>")
  }

  @Test func `every golden file is an input of some test`() throws {
    for suite in ["GraphFlowTests", "EndToEndTests"] {
      let golden = SourceTree.files(under: ["Tests/\(suite)/Golden"], ending: "")
      let tests = Self.files.filter { $0.path.hasPrefix("Tests/\(suite)/") }
      for folder in Set(golden.map(\.goldenFolder)) {
        #expect(
          tests.contains { file in file.lines.contains { $0.contains("\(folder)") } },
          "no test of \(suite) names Golden/\(folder)")
      }
    }
  }
}
