import TestSupport
import Testing

@testable import GraphFlow

/// `graphflow fmt`: one form for each file, which means the same.
struct FormattingTests {
  private static let root = SharedFiles.packageRoot(of: #filePath)

  private func formatted(_ text: String, isWorkflow: Bool = true) -> String? {
    SourceFile(path: "a.yaml", bytes: Array(text.utf8)).formatted(isWorkflow: isWorkflow)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// What is written, and its form; the same text in both places stays as it is.
  static let examples: [(written: String, form: String)] = [
    // Indentation, white space, and the end of the file.
    (
      "graphflow: 1   \nrequests:\n     a:\n          get:   me\n          params:\n           x: 1\n\n\n",
      "graphflow: 1\nrequests:\n  a:\n    get: me\n    params:\n      x: 1\n"
    ),
    ("a:\r\n    - 1\r\n", "a:\n  - 1\n"),
    ("a:\n- 1\n-   b: 2\n    c: 3\n-\n  - 4\n", "a:\n  - 1\n  - b: 2\n    c: 3\n  - - 4\n"),
    // The order of the keys of a request, and of those of a group.
    (
      "requests:\n  b:\n    params: {x: 1}\n    unknown: 1\n    get: me\n  a: {expect: [x], get: me}\n",
      "requests:\n  b:\n    get: me\n    params: {x: 1}\n    unknown: 1\n  a: {expect: [x], get: me}\n"
    ),
    (
      "requests:\n  g:\n    requests:\n      a:\n        depends_on: [b]\n        post: me\n    for_each: [1]\n",
      "requests:\n  g:\n    for_each: [1]\n    requests:\n      a:\n        post: me\n        depends_on: [b]\n"
    ),
    // Comments stay with what they are above, behind, or at the end of.
    (
      "# top\n\na:   # behind\n    # above\n    b: 1    # one\n    # end of a\n# above c\nc: 2\n\n# end\n",
      "# top\n\na:   # behind\n  # above\n  b: 1    # one\n  # end of a\n# above c\nc: 2\n\n# end\n"
    ),
    (
      "requests:\n  a:\n    # why\n    params: {x: 1} # x\n    # what\n    get: me # path\n    # last\n",
      "requests:\n  a:\n    # what\n    get: me # path\n    # why\n    params: {x: 1} # x\n    # last\n"
    ),
    ("a:\n  - # dash\n    b: 1\n", "a:\n  - # dash\n    b: 1\n"),
    ("a: # key\n  text\n", "# key\na: text\n"),
    ("a: # empty\nb:\n", "a: # empty\nb:\n"),
    // Quotes.
    (
      "a: 'word'\n\"b\": \"id,message\"\nc: \"yes\"\nd: '1'\ne: \"{input=x}\"\nf: \"a: b\"\ng: ''\nh: \"me/feed\"\n",
      "a: word\nb: id,message\nc: \"yes\"\nd: '1'\ne: \"{input=x}\"\nf: \"a: b\"\ng: ''\nh: me/feed\n"
    ),
    // Empty lines: at most one, and between requests everywhere or nowhere.
    (
      "\n\na: 1\n\n\n\nb: 2\nrequests:\n\n  x: {get: me}\n  y: {get: me}\n\n  # z\n  z: {get: me}\n",
      "a: 1\n\nb: 2\nrequests:\n  x: {get: me}\n\n  y: {get: me}\n\n  # z\n  z: {get: me}\n"
    ),
    // What is on several lines moves as a whole, and blocks keep their text.
    (
      "a:\n    b: |\n        one\n          two  \n\n        three\n    c: >-\n      x\n      y\n    d: [1,\n        2]  # two\n    e: \"p\n      q\"\n",
      "a:\n  b: |\n      one\n        two  \n\n      three\n  c: >-\n    x\n    y\n  d: [1,\n      2]  # two\n  e: \"p\n    q\"\n"
    ),
    // Anchors, aliases, merge keys, tags and the start of a document.
    (
      "# one\n---\nx-a: &a\n    get: me\nrequests:\n    r:\n        params: {x: 1}\n        <<: *a\n    s: &s\n        get: me\n",
      "# one\n---\nx-a: &a\n  get: me\nrequests:\n  r:\n    <<: *a\n    params: {x: 1}\n  s: &s\n    get: me\n"
    ),
    // An anchor stays above its alias, although the method would come first.
    (
      "requests:\n    r:\n        params: {x: &x me}\n        get: *x\n",
      "requests:\n  r:\n    params: {x: &x me}\n    get: *x\n"
    ),
    // Wide and combined characters count as columns of the text.
    ("ä:\n    'é': \"e\u{301}\" # ü\n", "ä:\n  'é': \"e\u{301}\" # ü\n"),
  ]

  @Test(arguments: examples)
  func `a file has one form`(_ example: (written: String, form: String)) {
    #expect(formatted(example.written) == example.form)
    #expect(formatted(example.form) == example.form)
  }

  @Test func `what cannot be written in the form is refused`() {
    for text in ["a: [", "? a\n: 1\n", "a: 1\na: 2\n", "", "a: 1\n---\nb: 1\n"] {
      #expect(formatted(text) == nil, "\(text)")
    }
  }

  @Test func `the keys of other files keep their order`() {
    let text = "requests:\n  a:\n    params: {x: 1}\n    get: me\n"
    #expect(formatted(text, isWorkflow: false) == text)
  }

  /// The workflows, and the YAML blocks of the documentation.
  private static var texts: [(name: String, text: String)] {
    get throws {
      var texts: [(String, String)] = []
      for file in SourceTree.files(under: ["workflows", "Tests"], ending: ".yaml") {
        texts.append((file.path, file.lines.joined(separator: "\n")))
      }
      for file in SourceTree.files(under: ["docs"], ending: ".md") {
        let blocks = file.lines.joined(separator: "\n").components(of: "```yaml\n", to: "\n```")
        texts += blocks.enumerated().map { ("\(file.path) \($0)", $1) }
      }
      return texts
    }
  }

  @Test func `all files of the repository keep their meaning, and formatting twice is once`() throws
  {
    var count = 0
    for (name, text) in try Self.texts {
      guard let once = formatted(text) else { continue }
      count += 1
      #expect(formatted(once) == once, "\(name)")
      let source = { SourceFile(path: "a.yaml", bytes: Array(($0 as String).utf8)) }
      let (before, after) = (Workflow.reading(source(text)), Workflow.reading(source(once)))
      #expect(
        before.diagnostics.map(\.message).sorted() == after.diagnostics.map(\.message).sorted(),
        "\(name)")
      #expect(before.workflow?.requests.map(\.name) == after.workflow?.requests.map(\.name))
    }
    #expect(count > 300, "\(count)")
  }
}

extension String {
  fileprivate func components(of start: String, to end: String) -> [String] {
    split(separator: start, omittingEmptySubsequences: false).dropFirst().compactMap {
      $0.split(separator: end, maxSplits: 1, omittingEmptySubsequences: false).first.map(
        String.init)
    }
  }
}
