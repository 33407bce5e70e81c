/// Searches a folder for YAML files, at any depth, in the order of their names.
///
/// It skips hidden entries, `node_modules`, links to folders, everything but files, and what a
/// `.gitignore` or `.graphflowignore` in the folder or below it names.
struct FolderSearch {
  private static let maximumDepth = 64
  private static let ignoreLimit = 1 << 20
  /// The files of patterns; the later one overrides the earlier one.
  private static let ignoreFiles = [".gitignore", ".graphflowignore"]
  private let root: String
  private var found: [WorkflowFiles.Candidate] = []
  /// The patterns of the folders from the root, each with the depth of its folder.
  private var ignored: [(depth: Int, patterns: IgnorePatterns)] = []

  /// The files in a folder, and the folders that could not be read.
  static func candidates(in root: String) throws -> [WorkflowFiles.Candidate] {
    var search = FolderSearch(root: root)
    try search.search(root == "." ? "" : root, below: [])
    return search.found
  }

  private mutating func search(_ folder: String, below names: [String]) throws {
    guard names.count < Self.maximumDepth else { return }
    let entries = try FileReading.entries(of: folder.isEmpty ? "." : folder)
    let prefix = folder.isEmpty || folder.hasSuffix("/") ? folder : folder + "/"
    let count = ignored.count
    defer { ignored.removeSubrange(count...) }
    for name in Self.ignoreFiles where FileStatus(prefix + name) != nil {
      do {
        let bytes = try FileReading.bytes(of: prefix + name, limit: Self.ignoreLimit)
        ignored.append((names.count, IgnorePatterns(bytes)))
      } catch {
        found.append(.unreadable(CommandFailure(error)))
      }
    }
    for name in entries {
      let path = prefix + name
      let (names, status) = (names + [name], FileStatus(path, ofLink: true))
      // Links to folders may lead back. Reading a link to nothing reports it.
      let isFile =
        status?.isLink == true ? FileStatus(path)?.isFile != false : status?.isFile == true
      if status?.isFolder == true, name != "node_modules", !isIgnored(names, isFolder: true) {
        do { try search(path, below: names) } catch {
          found.append(.unreadable(CommandFailure(error)))
        }
      } else if isFile, name.hasSuffix(".yaml") || name.hasSuffix(".yml"),
        !isIgnored(names, isFolder: false)
      {
        let name = names.joined(separator: "/")
        found.append(.found(FilePlace(path: path, folder: root, name: name)))
      }
    }
  }

  private func isIgnored(_ names: [String], isFolder: Bool) -> Bool {
    for (depth, patterns) in ignored.reversed() {
      if let decision = patterns.ignores(names[depth...], isFolder: isFolder) { return decision }
    }
    return false
  }
}

/// The lines of a `.gitignore` or `.graphflowignore` (https://git-scm.com/docs/gitignore).
struct IgnorePatterns {
  private struct Pattern {
    /// The patterns that the names of a path must match, in order (`fnmatch`); nil matches any number
    /// of names.
    var names: [String?]
    var isNegated = false
    var isForFolders = false
  }

  private var patterns: [Pattern] = []

  init(_ bytes: [UInt8]) {
    // Wildcards match characters, not bytes.
    setlocale(LC_CTYPE, "C.UTF-8")
    let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    for line in bytes.dropFirst(hasMark ? 3 : 0).split(separator: UInt8(ascii: "\n")) {
      let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      if let pattern = Self.pattern(String(decoding: text, as: UTF8.self)) {
        patterns.append(pattern)
      }
    }
  }

  /// Whether the last pattern that a path matches ignores it; nil if it matches none.
  ///
  /// The names are those of the path, relative to the folder of the file of patterns.
  func ignores(_ names: ArraySlice<String>, isFolder: Bool) -> Bool? {
    let last = patterns.last { pattern in
      (isFolder || !pattern.isForFolders)
        && Wildcards.match(names, pattern.names[...]) { fnmatch($1, $0, 0) == 0 }
    }
    return last.map { !$0.isNegated }
  }

  private static func pattern(_ line: String) -> Pattern? {
    var text = line.unicodeScalars[...]
    while text.last == " ", text.dropLast().last != "\\" { text.removeLast() }
    guard let first = text.first, first != "#" else { return nil }
    var pattern = Pattern(names: [])
    if first == "!" {
      pattern.isNegated = true
      text.removeFirst()
    }
    if text.last == "/" {
      pattern.isForFolders = true
      text.removeLast()
    }
    // A slash at the start or inside ties a pattern to the file's own folder.
    let isTied = text.contains("/")
    let parts = text.split(separator: "/")
    guard !parts.isEmpty else { return nil }
    pattern.names = parts.map { $0.elementsEqual("**".unicodeScalars) ? nil : String($0) }
    if !isTied, pattern.names[0] != nil { pattern.names.insert(nil, at: 0) }
    // `folder/**` matches at least one name below the folder.
    if case .some(nil) = pattern.names.last { pattern.names.append("*") }
    return pattern
  }
}

/// Matches wildcards, in time proportional to the product of both lengths at most.
enum Wildcards {
  /// Whether elements match patterns, in order; a pattern that is nil matches any number of elements.
  static func match<Element, Pattern>(
    _ elements: ArraySlice<Element>, _ patterns: ArraySlice<Pattern?>,
    _ matches: (Element, Pattern) -> Bool
  ) -> Bool {
    var element = elements.startIndex
    var pattern = patterns.startIndex
    /// Where to continue if the patterns after the last wildcard did not match.
    var retry: (element: Int, pattern: Int)?
    while element < elements.endIndex {
      if pattern < patterns.endIndex {
        guard let own = patterns[pattern] else {
          pattern += 1
          retry = (element, pattern)
          continue
        }
        if matches(elements[element], own) {
          element += 1
          pattern += 1
          continue
        }
      }
      guard let last = retry else { return false }
      element = last.element + 1
      pattern = last.pattern
      retry = (element, pattern)
    }
    return patterns[pattern...].allSatisfy { $0 == nil }
  }
}
