import CommandHarness
import TestSupport
import Testing

/// Patterns of `.gitignore` and `.graphflowignore`, defined by https://git-scm.com/docs/gitignore.
struct IgnoreFileTests {
  /// A list of patterns, and the files that remain.
  struct Case: Sendable, CustomTestStringConvertible {
    let patterns: String
    let left: [String]
    var testDescription: String { patterns.debugDescription }
  }

  private static let files = ["a.yaml", "b/a.yaml", "b/c/d.yaml", "b/x-1.yaml", "c/d.yaml"]

  static let cases = [
    Case(patterns: "", left: files),
    Case(patterns: "# a.yaml\n\n   \n/\n", left: files),
    Case(patterns: "a.yaml", left: ["b/c/d.yaml", "b/x-1.yaml", "c/d.yaml"]),
    Case(patterns: "/a.yaml\r\n", left: ["b/a.yaml", "b/c/d.yaml", "b/x-1.yaml", "c/d.yaml"]),
    Case(patterns: "c", left: ["a.yaml", "b/a.yaml", "b/x-1.yaml"]),
    Case(patterns: "c/", left: ["a.yaml", "b/a.yaml", "b/x-1.yaml"]),
    Case(patterns: "/c/", left: ["a.yaml", "b/a.yaml", "b/c/d.yaml", "b/x-1.yaml"]),
    Case(patterns: "b/c", left: ["a.yaml", "b/a.yaml", "b/x-1.yaml", "c/d.yaml"]),
    Case(patterns: "a.yaml/", left: files),
    Case(patterns: "*.yaml\n!d.yaml", left: ["b/c/d.yaml", "c/d.yaml"]),
    Case(patterns: "b\n!b/a.yaml", left: ["a.yaml", "c/d.yaml"]),
    Case(patterns: "b/*\n!b/a.yaml", left: ["a.yaml", "b/a.yaml", "c/d.yaml"]),
    Case(patterns: "**/c/d.yaml", left: ["a.yaml", "b/a.yaml", "b/x-1.yaml"]),
    Case(patterns: "b/**/d.yaml", left: ["a.yaml", "b/a.yaml", "b/x-1.yaml", "c/d.yaml"]),
    Case(patterns: "b/**", left: ["a.yaml", "c/d.yaml"]),
    Case(patterns: "x-?.yaml", left: ["a.yaml", "b/a.yaml", "b/c/d.yaml", "c/d.yaml"]),
    Case(patterns: "x-[0-9].yaml", left: ["a.yaml", "b/a.yaml", "b/c/d.yaml", "c/d.yaml"]),
    Case(patterns: "x-[!0-9].yaml\nx-[^1].yaml", left: files),
    Case(patterns: "[]a].yaml", left: ["b/c/d.yaml", "b/x-1.yaml", "c/d.yaml"]),
    Case(patterns: "\\a.yaml\nx\\-1.yaml  ", left: ["b/c/d.yaml", "c/d.yaml"]),
    Case(patterns: "[a.yaml\n[z-a].yaml\n\\", left: files),
    Case(patterns: "*a*a*a*a*a*a*a*a*a*a*a*b", left: files),
  ]

  @Test(arguments: cases)
  func `patterns match as in Git`(_ example: Case) throws {
    let graphflow = try CommandFixture()
    for file in Self.files {
      if let slash = file.lastIndex(of: "/") {
        try graphflow.folder.makeFolder("w/" + file[..<slash])
      }
      try graphflow.folder.makeFolder("w")
      try graphflow.folder.write("graphflow: 1\nrequests: {}\n", to: "w/" + file)
    }
    try graphflow.folder.write(example.patterns, to: "w/.graphflowignore")

    let outcome = try graphflow.run(["validate"], in: graphflow.folder.path + "/w")

    let found = outcome.output.split(separator: "\n").filter { $0.contains(": error: ") }
    #expect(found.map { String($0.prefix { $0 != ":" }) } == example.left, "\(outcome.error)")
  }
}
