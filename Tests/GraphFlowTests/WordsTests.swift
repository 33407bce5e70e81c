import Testing

/// Sources, tests and documentation use the words of Swift, HTTP, SQL and scheduling.
struct WordsTests {
  /// Phrases that earlier versions used, and what to write instead.
  private static let replacements: [String: String] = [
    "anew": "again", "in vain": "blocked by a failure", "by turns": "alternating",
    "slip of the pen": "typo", "mend": "fix", "mends": "fixes", "mended": "fixed",
    "mending": "fixing", "so many": "a number", "whoever": "the caller, anyone who",
    "goes on": "continues", "go on": "continue",
    "went on": "continued", "going on": "continuing", "is told": "receives, is notified",
    "are told": "receive", "was told": "received", "tells of": "reports", "told of": "reported",
    "is over": "has finished, has ended", "are over": "have finished", "was over": "had finished",
    "culprit": "the operation that fails", "manners": "behaviors", "ballast": "reserved space",
    "climbing": "path traversal", "homework": "its own check", "stands twice": "duplicate",
    "came to": "the result, reached", "rehearsal": "sandbox run",
    "what became of": "the outcome of", "looked for": "checked, searched for",
    "longer than nothing": "greater than zero", "last word": "final failure",
    "hand over": "flush", "put aside": "isolate", "put off": "postponed",
  ]

  @Test(arguments: ["Sources", "Tests", "docs", "schemas", "workflows", "scripts"])
  func `the words of the field are used`(_ folder: String) {
    let files = SourceTree.files(under: [folder], ending: "")
    #expect(!files.isEmpty)
    for file in files where !file.isBinary && !Self.isExempt(file.path) { Self.check(file) }
  }

  @Test(arguments: [
    "README.md", "CONTRIBUTING.md", "SECURITY.md", "Makefile", "Benchmarks/README.md",
    "action.yml",
  ])
  func `the words of the field are used in the files of the root`(_ path: String) throws {
    Self.check(try #require(SourceTree.file(path)))
  }

  private static func check(_ file: SourceTree.File) {
    var isCode = false
    for (index, line) in file.lines.enumerated() {
      if file.path.hasSuffix(".md"), line.hasPrefix("```") { isCode.toggle() }
      if isCode { continue }
      let words = " " + line.lowercased().split { !$0.isLetter }.joined(separator: " ") + " "
      for (phrase, replacement) in replacements where words.contains(" \(phrase) ") {
        Issue.record("\(file.path):\(index + 1): '\(phrase)'; write: \(replacement)")
      }
    }
  }

  /// This file, and what others wrote or what is data.
  private static func isExempt(_ path: String) -> Bool {
    path.hasSuffix("/WordsTests.swift") || path.contains("/Golden/")
      || path.hasSuffix("/RunStart+Members.swift") || path.hasSuffix(".svg")
  }
}
