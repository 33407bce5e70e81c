internal import GraphAPI

/// What a written path may not hold (language.md §13).
enum PathRules {
  /// Something that is wrong with a path.
  struct Fault {
    let rule: String
    let message: String
    var hint: String?
  }

  /// Stands for what fills a hole; it cannot occur in YAML text.
  private static let hole: Character = "\u{0}"

  /// Everything that is wrong with a path whose leading slash is gone.
  static func faults(of path: Template) -> [Fault] {
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
          hint: "write version: \(first)"
        )
      )
    }
    if segments.contains(where: isClimbing) {
      faults.append(
        Fault(
          rule: RuleID.pathClimbing,
          message: "a path may not climb with '..'",
          hint: "write the path itself"
        )
      )
    }
    if let character = text.unicodeScalars.first(where: isForbidden) {
      faults.append(
        Fault(
          rule: RuleID.pathCharacter,
          message: "a path cannot hold \(name(of: character))",
          hint: character == "#" ? nil : "write it percent-encoded"
        )
      )
    }
    if end < text.endIndex { faults += queryFaults(of: text[end...].dropFirst()) }
    return faults
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
      || scalar.value == 0x7f || scalar.properties.isWhitespace
  }

  private static func name(of scalar: Unicode.Scalar) -> String {
    switch scalar {
    case " ": "a space"
    case "#": "a fragment ('#')"
    case "\\": "a backslash"
    default: "white space or control characters"
    }
  }

  private static func queryFaults(of query: Substring) -> [Fault] {
    query.split(separator: "&").compactMap { pair in
      let name = String(pair.prefix { $0 != "=" })
      guard ReservedParameter.names.contains(name) else { return nil }
      return Fault(
        rule: RuleID.reservedParameter,
        message: ReservedParameter.message(name),
        hint: ReservedParameter.hint(name)
      )
    }
  }
}
