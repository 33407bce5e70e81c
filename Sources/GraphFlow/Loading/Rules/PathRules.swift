internal import GraphAPI

/// The rules about paths (docs/reference/language.md, "Requests").
struct PathRules {
  private static let placeholder: Character = "\u{0}"

  private let path: Template
  /// The path, with a NUL in place of each placeholder.
  private let text: String
  private var faults: [RuleFault] = []

  /// All faults of a path without its leading slash.
  static func faults(of path: Template) -> [RuleFault] {
    var rules = PathRules(path: path, text: path.text(placeholder: String(placeholder)))
    rules.check()
    return rules.faults
  }

  private init(path: Template, text: String) {
    self.path = path
    self.text = text
  }

  /// Whether a path cannot break any rule, as most cannot, and all its slashes separate something.
  static func isPlain(_ path: Template) -> Bool {
    guard let first = path.parts.first else { return false }
    if case .text(let text) = first, let byte = text.utf8.first, byte | 0x20 == UInt8(ascii: "v") {
      return false
    }
    return path.parts.allSatisfy { part in
      guard case .text(let text) = part else { return true }
      var last: UInt8 = 0
      for byte in text.utf8 {
        guard WorkflowName.isPart(byte) || byte == UInt8(ascii: "/") && byte != last else {
          return false
        }
        last = byte
      }
      return last != UInt8(ascii: "/") || part != path.parts.last
    }
  }

  private mutating func check() {
    // The query may contain a URL: ?id=https://example.com/.
    let route = text.prefix { $0 != "?" }
    if text.isEmpty { return report(.pathEmpty, "the path is empty", hint: "such as: me") }
    let lowered = route.lowercased()
    if PastedPath.isHost(lowered.prefix { $0 != "/" }) || lowered.contains("://")
      || lowered.hasPrefix("//")
    {
      let hint = hint(for: PastedPath(path.text))
      return report(.pathHost, "a path must not contain a host", hint: hint)
    }
    let verb = text.prefix { $0 != " " }
    if verb.endIndex < text.endIndex, ["get", "post", "delete"].contains(verb.lowercased()) {
      let hint = "write \(verb.lowercased()): \(PastedPath(text).path.short)"
      return report(.pathCharacter, "a path must not begin with the method", at: verb, hint: hint)
    }
    let segments = route.split(separator: "/", omittingEmptySubsequences: false)
    if let first = segments.first, Self.isVersion(first) {
      let hint = hint(for: PastedPath(path.text))
      report(.pathVersion, "a path must not contain a version", at: first, hint: hint)
    }
    for segment in segments where Self.isTraversal(segment) {
      report(
        .pathTraversal, "a path must not contain the segment '\(segment)'", at: segment,
        hint: "write the resolved path")
    }
    let forbidden =
      route.unicodeScalars.firstIndex { $0 == "{" || $0 == "}" || Self.isForbidden($0) }
      ?? text.unicodeScalars.firstIndex(where: Self.isForbidden)
    if let index = forbidden {
      report(
        .pathCharacter, "a path cannot hold \(Self.name(of: text.unicodeScalars[index]))",
        at: text[index...].prefix(1), hint: hint(forCharacterAt: index))
    }
    for pair in text[route.endIndex...].dropFirst().split(separator: "&") {
      let name = pair.prefix { $0 != "=" }
      guard var fault = ReservedParameter.fault(of: String(name)) else { continue }
      fault.characters = characters(of: name)
      faults.append(fault)
    }
  }

  private mutating func report(
    _ rule: RuleID, _ message: String, at part: Substring? = nil, hint: String?
  ) {
    faults.append(
      RuleFault(rule, message, hint: hint, characters: part.flatMap { characters(of: $0) }))
  }

  /// The position of a part of the path; nil after a placeholder, whose length is unknown here.
  private func characters(of part: Substring) -> Range<Int>? {
    let before = text[..<part.startIndex]
    guard !before.contains(Self.placeholder) else { return nil }
    let start = before.unicodeScalars.count
    return start..<start + max(1, part.unicodeScalars.count)
  }

  private func hint(for pasted: PastedPath) -> String {
    let path = pasted.path.isEmpty ? "the path alone" : pasted.path.short
    guard let version = pasted.version else { return "write \(path)" }
    return "write \(path), and add version: \(version)"
  }

  /// Whether a segment is a version: `v25.0`, or `v25`.
  static func isVersion(_ segment: Substring) -> Bool {
    guard segment.first == "v" || segment.first == "V" else { return false }
    let rest = segment.utf8.dropFirst()
    return rest.first.map(WorkflowName.isDigit) == true
      && rest.allSatisfy { WorkflowName.isDigit($0) || $0 == UInt8(ascii: ".") }
  }

  private static func isTraversal(_ segment: Substring) -> Bool {
    let plain = segment.lowercased().replacing("%2e", with: ".")
    return plain == ".." || plain == "."
  }

  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "#" || scalar == "\\" || scalar.value <= 0x20 && scalar.value != 0
      || scalar.value == 0x7f
      || (scalar.value > 0x7f
        && (scalar.properties.isWhitespace
          || ConfusableCharacter(scalar)?.isInvisibleOrQuote == true))
  }

  private static func name(of scalar: Unicode.Scalar) -> String {
    switch scalar {
    case " ": "a space"
    case "#": "a fragment ('#')"
    case "\\": "a backslash"
    case "{", "}": "a brace"
    default: ConfusableCharacter(scalar)?.name ?? "white space or control characters"
    }
  }

  private func hint(forCharacterAt index: String.Index) -> String? {
    let character = text.unicodeScalars[index]
    if ["#", "{", "}"].contains(character) { return nil }
    if ConfusableCharacter(character) != nil {
      return "type \(ConfusableCharacter.plain(path.text).withoutQuotes.short)"
    }
    let isOutside =
      text[..<index].allSatisfy { $0 == " " }
      || text[index...].prefix { $0 != "?" }.allSatisfy { $0 == " " }
    return isOutside ? "remove it" : "write it percent-encoded"
  }
}
