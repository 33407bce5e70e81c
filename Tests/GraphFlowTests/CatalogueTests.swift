import Testing

/// The documentation of the four libraries: its examples are lines of tests.
struct CatalogueTests {
  private static let libraries = ["JSONPath", "GraphAPI", "GraphFlow", "GraphSandbox"]

  @Test(arguments: libraries)
  func `every example of a catalogue is a part of a test`(_ library: String) throws {
    let page = try #require(SourceTree.file("Sources/\(library)/\(library).docc/\(library).md"))
    let tests = SourceTree.files(under: ["Tests"], ending: ".swift")
      .map { Self.code(in: $0.lines) }
    let examples = page.lines.split(separator: "```swift").dropFirst()
    #expect(!examples.isEmpty)
    for example in examples {
      let lines = Array(example.prefix { $0 != "```" })
      let code = Self.code(in: lines)
      #expect(tests.contains { $0.contains(code) }, "no test holds \(lines)")
    }
  }

  @Test(arguments: libraries)
  func `every public type is a topic of its catalogue`(_ library: String) throws {
    let page = try #require(SourceTree.file("Sources/\(library)/\(library).docc/\(library).md"))
    for file in SourceTree.files(under: ["Sources/\(library)"], ending: ".swift") {
      for line in file.lines where line.hasPrefix("public ") && !line.contains("import ") {
        let words = line.split(separator: " ")
        let kinds = ["struct", "enum", "class", "protocol", "actor"]
        guard let kind = words.firstIndex(where: { kinds.contains(String($0)) }) else { continue }
        let name = words[kind + 1].prefix { $0.isLetter || $0.isNumber }
        #expect(page.lines.contains("- ``\(name)``"), "\(file.path): \(name) is not a topic")
      }
    }
  }

  @Test func `the public interface stays small and is documented`() {
    let files = SourceTree.files(under: ["Sources"], ending: ".swift")
    var count = 0
    for file in files {
      for (index, line) in file.lines.enumerated() {
        let code = line.drop { $0 == " " }
        guard code.hasPrefix("public ") else { continue }
        count += 1
        guard !code.hasPrefix("public import") else { continue }
        let before = file.lines[..<index].last { !$0.drop { $0 == " " }.hasPrefix("@") } ?? ""
        let isDocumented = before.drop { $0 == " " }.hasPrefix("///")
        #expect(isDocumented, "\(file.path):\(index + 1) has no documentation")
      }
    }
    #expect(count <= 350)
  }

  /// The lines without white space, because the formatter breaks lines by their indentation.
  private static func code(in lines: [String]) -> String {
    lines.joined().filter { $0 != " " }
  }
}
