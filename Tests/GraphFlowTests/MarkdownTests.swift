import Testing

/// Checks of the Markdown files: links, the width of lines, and the index of the pages.
struct MarkdownTests {
  static let files =
    ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "Benchmarks/README.md"]
    .compactMap(SourceTree.file) + SourceTree.files(under: ["docs", "Tests"], ending: ".md")

  @Test func `the files are found`() { #expect(Self.files.count > 20) }

  @Test(arguments: files)
  func `a relative link points to a file and a heading`(_ file: SourceTree.File) {
    for link in file.links where link.prefixMatch(of: /[a-z]+:/) == nil {
      let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let target = parts[0].isEmpty ? file.path : file.path(linked: parts[0])
      #expect(SourceTree.exists(target), "\(file.path): \(link)")
      guard parts.count == 2 else { continue }
      let anchors = SourceTree.file(target)?.anchors ?? []
      #expect(anchors.contains(String(parts[1])), "\(file.path): \(link)")
    }
  }

  @Test(arguments: files)
  func `prose lines have at most a hundred columns`(_ file: SourceTree.File) {
    for (index, line) in file.prose.enumerated() where line.count > 100 && !line.hasPrefix("|") {
      // An address is one word and cannot be broken.
      #expect(!line.contains(" "), "\(file.path):\(index + 1) has \(line.count) columns")
    }
  }

  @Test func `the index lists every page once, in its section`() throws {
    let index = try #require(SourceTree.file("docs/README.md"))
    var shelf = ""
    var listed: [String] = []
    for line in index.prose {
      if line.hasPrefix("## ") { shelf = line.dropFirst(3).lowercased() }
      guard let link = line.firstMatch(of: /^- \[[^\]]+\]\(([^)]+)\)/) else { continue }
      #expect(link.1.hasPrefix(shelf + "/"), "\(line)")
      listed.append("docs/" + link.1)
    }
    let pages = Self.files.map(\.path).filter { $0.hasPrefix("docs/") && $0 != index.path }
    #expect(listed.sorted() == pages.sorted())
  }
}

extension SourceTree.File {
  /// The lines of a Markdown file outside of code blocks; inside, empty ones.
  var prose: [String] {
    var isCode = false
    return lines.map { line in
      let isFence = line.drop { $0 == " " }.hasPrefix("```")
      if isFence { isCode.toggle() }
      return isFence || isCode ? "" : line
    }
  }

  /// The targets of the links and images.
  fileprivate var links: [Substring] {
    prose.flatMap { line in line.matches(of: /\]\(([^)\s]+)\)/).map(\.output.1) }
  }

  /// The anchors of this page: the headings as GitHub writes them in addresses.
  fileprivate var anchors: Set<String> {
    let headings = prose.filter { $0.hasPrefix("#") }
    return Set(
      headings.map { heading in
        heading.drop { $0 == "#" }.dropFirst().lowercased()
          .filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
          .replacing(" ", with: "-")
      })
  }

  /// The path from the root to the target of a link on this page.
  fileprivate func path(linked link: Substring) -> String {
    var parts = path.split(separator: "/").dropLast()
    for part in link.split(separator: "/") {
      if part == ".." && !parts.isEmpty { parts.removeLast() } else { parts.append(part) }
    }
    return parts.joined(separator: "/")
  }
}
