/// The lines of a `.gitignore` or `.graphflowignore` (https://git-scm.com/docs/gitignore).
struct IgnorePatterns {
  private struct Pattern {
    /// The globs that the names of a path must match, in order; nil matches any number of names.
    var names: [Glob?]
    var isNegated = false
    var isForFolders = false
  }

  private var patterns: [Pattern] = []

  init(_ bytes: [UInt8]) {
    let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    for line in bytes.dropFirst(hasMark ? 3 : 0).split(separator: UInt8(ascii: "\n")) {
      let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      if let pattern = Self.pattern(Array(String(decoding: text, as: UTF8.self).unicodeScalars)) {
        patterns.append(pattern)
      }
    }
  }

  /// Whether the last pattern that a path matches ignores it; nil if it matches none.
  ///
  /// The names are those of the path, relative to the folder of the file of patterns.
  func ignores(_ names: ArraySlice<String>, isFolder: Bool) -> Bool? {
    let names = names.map { Array($0.unicodeScalars) }
    let last = patterns.last { pattern in
      (isFolder || !pattern.isForFolders)
        && Wildcards.match(names[...], pattern.names[...]) { $1.matches($0) }
    }
    return last.map { !$0.isNegated }
  }

  private static func pattern(_ line: [Unicode.Scalar]) -> Pattern? {
    var text = line[...]
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
    pattern.names = parts.map { $0.elementsEqual("**".unicodeScalars) ? nil : Glob($0) }
    if !isTied, pattern.names[0] != nil { pattern.names.insert(nil, at: 0) }
    // `folder/**` matches at least one name below the folder.
    if case .some(nil) = pattern.names.last { pattern.names.append(Glob(["*"])) }
    return pattern
  }
}

/// A pattern for one name: `*`, `?`, `[a-z]`, and a backslash before a literal character.
private struct Glob {
  private enum Piece {
    case scalar(Unicode.Scalar)
    case any
    case range([ClosedRange<Unicode.Scalar>], isNegated: Bool)

    func matches(_ scalar: Unicode.Scalar) -> Bool {
      switch self {
      case .scalar(let own): own == scalar
      case .any: true
      case .range(let ranges, let isNegated):
        ranges.contains { $0.contains(scalar) } != isNegated
      }
    }
  }

  /// The pieces that the characters must match, in order; nil matches any number of characters.
  private var pieces: [Piece?] = []

  init(_ text: some Sequence<Unicode.Scalar>) {
    var rest = Array(text)[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "*": pieces.append(nil)
      case "?": pieces.append(.any)
      case "\\": pieces.append(.scalar(rest.popFirst() ?? "\\"))
      case "[": pieces.append(Self.range(&rest) ?? .scalar("["))
      default: pieces.append(.scalar(scalar))
      }
    }
  }

  func matches(_ name: [Unicode.Scalar]) -> Bool {
    Wildcards.match(name[...], pieces[...]) { $1.matches($0) }
  }

  /// Parses what follows a `[`, up to its `]`; nil if there is no `]`.
  private static func range(_ rest: inout ArraySlice<Unicode.Scalar>) -> Piece? {
    var inside = rest
    let isNegated = inside.first == "!" || inside.first == "^"
    if isNegated { inside.removeFirst() }
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    while let scalar = inside.popFirst() {
      if scalar == "]", !ranges.isEmpty {
        rest = inside
        return .range(ranges, isNegated: isNegated)
      }
      let low = scalar == "\\" ? inside.popFirst() ?? scalar : scalar
      var high = low
      if inside.first == "-", let next = inside.dropFirst().first, next != "]" {
        inside.removeFirst(2)
        high = next
      }
      // A reversed range matches its first character only, so that the brackets are not empty.
      ranges.append(low <= high ? low...high : low...low)
    }
    return nil
  }
}
