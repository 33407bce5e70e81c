import Testing

/// How the sources are laid out: which folder names whose types and members, and how much one type
/// may own.
///
/// A name counts where exactly one file of the sources declares it.
struct ArchitectureTests {
  /// One folder names something that another one declares.
  private struct Arrow: Hashable, CustomStringConvertible {
    let from: String
    let to: String

    var description: String { "\(from) → \(to)" }
  }

  private static let root = "Sources/GraphFlow"
  private static let page = "docs/internals/architecture.md"

  /// Words that are a name of one folder and something else in another.
  private static let accidents: Set<String> = [
    // The standard library's: `Unicode.Scalar`, `Range.lowerBound`.
    "Scalar", "endIndex", "lowerBound", "replacing", "startIndex",
    // Names of parameters and of local variables.
    "between", "candidate", "durably", "endedAt", "nameWidth",
    "ofGroup", "passed", "purpose", "timing",
  ]

  private static let words = SourceTree.files(under: ["Sources"], ending: ".swift").map {
    (path: $0.path, words: SourceWords($0))
  }

  private static func folder(of path: String) -> String {
    path.split(separator: "/").dropLast().joined(separator: "/")
  }

  /// The arrows between the folders of GraphFlow, and the names behind each.
  private static let arrows: [Arrow: Set<String>] = {
    var owners: [String: Set<String>] = [:]
    for (path, words) in words {
      for name in words.types.union(words.members) { owners[name, default: []].insert(path) }
    }
    var arrows: [Arrow: Set<String>] = [:]
    for (path, words) in words where path.hasPrefix(root + "/") {
      for name in Set(words.words) {
        guard let paths = owners[name], paths.count == 1, let owner = paths.first,
          owner.hasPrefix(root + "/"), folder(of: owner) != folder(of: path)
        else { continue }
        let arrow = Arrow(from: folder(of: path), to: folder(of: owner))
        arrows[arrow, default: []].insert(name)
      }
    }
    return arrows
  }()

  /// The folders, each after those that it names, as far as there is no cycle.
  private static func layers(_ arrows: Set<Arrow>) -> (order: [String], cycle: [String]) {
    var left = Set(words.map(\.path).filter { $0.hasPrefix(root + "/") }.map(folder))
    var order: [String] = []
    while true {
      let free = left.filter { folder in
        arrows.allSatisfy { $0.from != folder || !left.contains($0.to) }
      }
      guard !free.isEmpty else { return (order, left.sorted()) }
      order += free.sorted()
      left.subtract(free)
    }
  }

  @Test func `the folders of GraphFlow form a graph without cycles`() {
    let real = Self.arrows.filter { !$0.value.subtracting(Self.accidents).isEmpty }
    let cycle = Self.layers(Set(real.keys)).cycle
    for (arrow, names) in real where cycle.contains(arrow.from) && cycle.contains(arrow.to) {
      Issue.record("\(arrow): \(names.subtracting(Self.accidents).sorted())")
    }
  }

  @Test func `every accident of equal names is still one`() {
    for name in Self.accidents {
      #expect(Self.arrows.values.contains { $0.contains(name) }, "\(name)")
    }
  }

  @Test func `the drawing in the documentation is that of the sources`() throws {
    let real = Set(Self.arrows.filter { !$0.value.subtracting(Self.accidents).isEmpty }.keys)
    let (order, cycle) = Self.layers(real)
    try #require(cycle.isEmpty)
    var lines: [String] = []
    for folder in order.reversed() {
      let targets = real.filter { $0.from == folder }.map(\.to)
      // A folder that is reached through another one needs no arrow of its own.
      let direct = targets.filter { target in
        !targets.contains { $0 != target && Self.reaches(target, from: $0, real) }
      }
      let name = Self.short(folder)
      let names = direct.sorted().map(Self.short).joined(separator: ", ")
      lines.append(names.isEmpty ? name : "\(name) → \(names)")
    }
    let page = try #require(SourceTree.file(Self.page)).lines
    let start = try #require(page.firstIndex(of: "```folders"))
    let drawn = Array(page[(start + 1)...].prefix { $0 != "```" })
    #expect(drawn == lines, "it should be:\n\(lines.joined(separator: "\n"))")
  }

  private static func short(_ folder: String) -> String {
    folder == root ? "GraphFlow" : String(folder.dropFirst(root.count + 1))
  }

  private static func reaches(_ target: String, from start: String, _ arrows: Set<Arrow>) -> Bool {
    arrows.contains {
      $0.from == start && ($0.to == target || reaches(target, from: $0.to, arrows))
    }
  }

  // MARK: - Limits

  /// Values with more than twelve stored variables.
  private static let large: [String: Int] = [
    // The keys of a request, one by one, which rules and bindings read one by one.
    "RequestKeys": 15,
    // What a journal's first entry holds, and what a run is given: written as it is read.
    "RunStart": 18, "RunContext": 16,
    // The functions of a C library, found once and never changed.
    "LibPQ": 26,
  ]

  @Test func `a type lives in a few files`() {
    var files: [String: Set<String>] = [:]
    var declared: Set<String> = []
    for (path, words) in Self.words {
      let target = path.split(separator: "/")[1]
      declared.formUnion(words.types.map { "\(target).\($0)" })
      let extended = zip(words.words, words.words.dropFirst()).filter { $0.0 == "extension" }.map(
        \.1)
      for name in words.types.union(extended) {
        files["\(target).\(name)", default: []].insert(path)
      }
    }
    for (name, paths) in files where declared.contains(name) {
      #expect(paths.count <= 5, "\(name) is in \(paths.count) files")
    }
  }

  @Test func `a value has a few stored variables`() {
    for file in SourceTree.files(under: ["Sources"], ending: ".swift") {
      for (type, count) in file.storedVariables {
        let limit = Self.large[type] ?? 12
        #expect(count <= limit, "\(file.path): \(type) has \(count) stored variables")
      }
    }
  }

  @Test func `a source file has at most 400 lines`() {
    for file in SourceTree.files(under: ["Sources"], ending: ".swift") {
      #expect(file.lines.count <= 400, "\(file.path) has \(file.lines.count) lines")
    }
  }

  // MARK: - Traces

  @Test func `the files and functions of the traces exist`() throws {
    let page = try #require(SourceTree.file(Self.page)).lines
    let traces = page.drop { $0 != "## Two traces" }.dropFirst().prefix { !$0.hasPrefix("## ") }
    let rows = traces.filter { $0.hasPrefix("| `") }
    #expect(rows.count > 20)
    for row in rows {
      let cells = row.split(separator: "`").map(String.init)
      let (path, name) = (cells[1], cells[3])
      let file = try #require(SourceTree.file("Sources/\(path)"), "\(path)")
      let isDeclared = file.lines.contains { line in
        ["func", "var", "struct"].contains { line.contains("\($0) \(name)") }
          || name == "init" && line.contains("  init(")
      }
      #expect(isDeclared, "\(path) has no \(name)")
    }
  }

  @Test func `a trace enters no folder twice`() throws {
    let page = try #require(SourceTree.file(Self.page)).lines
    let traces = page.drop { $0 != "## Two traces" }.dropFirst().prefix { !$0.hasPrefix("## ") }
    for trace in traces.split(whereSeparator: { $0.hasPrefix("### ") }).dropFirst() {
      var folders: [String] = []
      for row in trace where row.hasPrefix("| `") {
        let folder = Self.folder(of: String(row.split(separator: "`")[1]))
        if folders.last != folder { folders.append(folder) }
      }
      #expect(Set(folders).count == folders.count, "\(folders)")
      #expect(folders.count > 2)
    }
  }
}

extension SourceTree.File {
  /// The stored variables of each type that the file declares, by the formatter's indentation.
  var storedVariables: [String: Int] {
    var counts: [String: Int] = [:]
    var open: [(name: String, indentation: Int)] = []
    for line in lines {
      let indentation = line.prefix { $0 == " " }.count
      let code = line.dropFirst(indentation)
      if code == "}", open.last?.indentation == indentation { open.removeLast() }
      let words = code.split(separator: " ")
      if let type = open.last, indentation == type.indentation + 2, !words.contains("static"),
        words.contains(where: { $0 == "let" || $0 == "var" }), !code.hasPrefix("//"),
        !code.contains("{") || code.contains("= {")
      {
        counts[type.name, default: 0] += 1
      }
      if code.hasSuffix("{"),
        let kind = words.firstIndex(where: { ["struct", "class", "actor"].contains($0) }),
        kind + 1 < words.count
      {
        let name = words[kind + 1].prefix { $0.isLetter || $0.isNumber }
        open.append((String(name), indentation))
      } else if code.hasSuffix("{"), words.contains("enum") || words.contains("extension") {
        open.append(("", indentation))
      }
    }
    counts[""] = nil
    return counts
  }
}
