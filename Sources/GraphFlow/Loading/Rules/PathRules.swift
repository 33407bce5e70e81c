internal import GraphAPI

/// What a written path may not hold (language.md §13).
enum PathRules {
  /// Something that is wrong with a path.
  struct Fault {
    let rule: RuleID
    let message: String
    var hint: String?
    /// Which of the path's characters are wrong; nil for the whole path.
    var characters: Range<Int>?
  }

  /// Stands for what fills a hole; it cannot occur in YAML text.
  private static let hole: Character = "\u{0}"

  /// Everything that is wrong with a path whose leading slash is gone.
  static func faults(of path: Template) -> [Fault] {
    if isPlain(path) { return [] }
    let text = path.parts.map { part in
      guard case .text(let text) = part else { return String(hole) }
      return text
    }.joined()
    if text.isEmpty {
      return [Fault(rule: RuleID.pathEmpty, message: "the path is empty", hint: "such as: me")]
    }
    if let fault = hostFault(of: text) { return [fault] }
    let end = text.firstIndex(of: "?") ?? text.endIndex
    let segments = text[..<end].split(separator: "/", omittingEmptySubsequences: false)
    var faults: [Fault] = []
    if let first = segments.first, isVersion(first) {
      faults.append(
        Fault(
          rule: RuleID.pathVersion,
          message: "a path names no version",
          hint: "write version: \(first)\(first.contains(".") ? "" : ".0")",
          characters: characters(of: first, in: text)
        )
      )
    }
    for segment in segments where isClimbing(segment) {
      faults.append(
        Fault(
          rule: RuleID.pathClimbing,
          message: "a path may not climb with '\(segment)'",
          hint: "write the path itself",
          characters: characters(of: segment, in: text)
        )
      )
    }
    if let index = text.unicodeScalars.firstIndex(where: isForbidden) {
      let character = text.unicodeScalars[index]
      faults.append(
        Fault(
          rule: RuleID.pathCharacter,
          message: "a path cannot hold \(name(of: character))",
          hint: character == "#" ? nil : "write it percent-encoded",
          characters: characters(of: text[index...].prefix(1), in: text)
        )
      )
    }
    if end < text.endIndex { faults += queryFaults(of: text[end...].dropFirst(), in: text) }
    return faults
  }

  /// Whether a path holds nothing that any rule is about, as most do.
  private static func isPlain(_ path: Template) -> Bool {
    guard let first = path.parts.first else { return false }
    if case .text(let text) = first, let byte = text.utf8.first, byte | 0x20 == UInt8(ascii: "v") {
      return false
    }
    return path.parts.allSatisfy { part in
      guard case .text(let text) = part else { return true }
      return text.utf8.allSatisfy { WorkflowName.isPart($0) || $0 == UInt8(ascii: "/") }
        && !text.utf8.starts(with: "//".utf8)
    }
  }

  /// Where a part of a path stands in it, unless there is a hole before.
  ///
  /// What was written in the hole is not known here.
  private static func characters(of part: Substring, in text: String) -> Range<Int>? {
    let before = text[..<part.startIndex]
    guard !before.contains(hole) else { return nil }
    let start = before.unicodeScalars.count
    return start..<start + max(1, part.unicodeScalars.count)
  }

  private static func hostFault(of text: String) -> Fault? {
    // A URL may stand in the query: ?id=https://example.com/.
    let query = text.firstIndex(of: "?") ?? text.endIndex
    let path = text[..<query].lowercased()
    let isHost = ["graph.facebook.com", "graph.instagram.com", "www.facebook.com", "facebook.com"]
      .contains { path == $0 || path.hasPrefix($0 + "/") }
    guard isHost || path.contains("://") || path.hasPrefix("//") else { return nil }
    return Fault(
      rule: RuleID.pathHost,
      message: "a path names no host",
      hint: "write what follows the host and the version; --graph-url sets the host"
    )
  }

  /// `v25.0`, and what is meant by it: `v25`.
  private static func isVersion(_ segment: Substring) -> Bool {
    guard segment.first == "v" || segment.first == "V" else { return false }
    let rest = segment.dropFirst()
    return rest.utf8.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } == true
      && rest.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".")
      }
  }

  private static func isClimbing(_ segment: Substring) -> Bool {
    let plain = segment.lowercased().split(separator: "%2e", omittingEmptySubsequences: false)
      .joined(separator: ".")
    return plain == ".." || plain == "."
  }

  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "#" || scalar == "\\" || scalar.value <= 0x20 && scalar.value != 0
      || scalar.value == 0x7f || (scalar.value > 0x7f && scalar.properties.isWhitespace)
  }

  private static func name(of scalar: Unicode.Scalar) -> String {
    switch scalar {
    case " ": "a space"
    case "#": "a fragment ('#')"
    case "\\": "a backslash"
    default: "white space or control characters"
    }
  }

  private static func queryFaults(of query: Substring, in text: String) -> [Fault] {
    query.split(separator: "&").compactMap { pair in
      let name = pair.prefix { $0 != "=" }
      guard ReservedParameter.names.contains(String(name)) else { return nil }
      return Fault(
        rule: RuleID.reservedParameter,
        message: ReservedParameter.message(String(name)),
        hint: ReservedParameter.hint(String(name)),
        characters: characters(of: name, in: text)
      )
    }
  }
}
