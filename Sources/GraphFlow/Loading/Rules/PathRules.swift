internal import GraphAPI

/// The rules about paths (docs/reference/language.md, "Requests").
enum PathRules {
  private static let placeholder: Character = "\u{0}"

  /// All faults of a path without its leading slash.
  static func faults(of path: Template) -> [RuleFault] {
    if isPlain(path) { return [] }
    let text = path.parts.map { part in
      guard case .text(let text) = part else { return String(placeholder) }
      return text
    }.joined()
    if text.isEmpty { return [RuleFault(.pathEmpty, "the path is empty", hint: "such as: me")] }
    if let fault = hostFault(of: text, in: path) { return [fault] }
    if let fault = verbFault(of: text) { return [fault] }
    let end = text.firstIndex(of: "?") ?? text.endIndex
    let segments = text[..<end].split(separator: "/", omittingEmptySubsequences: false)
    var faults: [RuleFault] = []
    if let first = segments.first, isVersion(first) {
      faults.append(
        RuleFault(
          .pathVersion, "a path must not contain a version", hint: hint(for: PastedPath(path.text)),
          characters: characters(of: first, in: text)))
    }
    for segment in segments where isTraversal(segment) {
      faults.append(
        RuleFault(
          .pathTraversal, "a path must not contain the segment '\(segment)'",
          hint: "write the resolved path", characters: characters(of: segment, in: text)))
    }
    let forbidden =
      text[..<end].unicodeScalars.firstIndex { $0 == "{" || $0 == "}" || isForbidden($0) }
      ?? text.unicodeScalars.firstIndex(where: isForbidden)
    if let index = forbidden {
      let character = text.unicodeScalars[index]
      faults.append(
        RuleFault(
          .pathCharacter, "a path cannot hold \(name(of: character))",
          hint: hint(for: character, at: index, in: text, path),
          characters: characters(of: text[index...].prefix(1), in: text)))
    }
    if end < text.endIndex { faults += queryFaults(of: text[end...].dropFirst(), in: text) }
    return faults
  }

  /// Whether a path cannot break any rule, as most cannot.
  private static func isPlain(_ path: Template) -> Bool {
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

  /// The position of a part of a path; nil after a placeholder, whose length is unknown here.
  private static func characters(of part: Substring, in text: String) -> Range<Int>? {
    let before = text[..<part.startIndex]
    guard !before.contains(placeholder) else { return nil }
    let start = before.unicodeScalars.count
    return start..<start + max(1, part.unicodeScalars.count)
  }

  private static func hostFault(of text: String, in written: Template) -> RuleFault? {
    // The query may contain a URL: ?id=https://example.com/.
    let query = text.firstIndex(of: "?") ?? text.endIndex
    let path = text[..<query].lowercased()
    let isHost = PastedPath.isHost(path.prefix { $0 != "/" })
    guard isHost || path.contains("://") || path.hasPrefix("//") else { return nil }
    return RuleFault(
      .pathHost, "a path must not contain a host", hint: hint(for: PastedPath(written.text)))
  }

  private static func hint(for pasted: PastedPath) -> String {
    let path = pasted.path.isEmpty ? "the path alone" : YAMLFault.short(pasted.path)
    guard let version = pasted.version else { return "write \(path)" }
    return "write \(path), and add version: \(version)"
  }

  /// The fault of `GET me/feed`: the method is the key.
  private static func verbFault(of text: String) -> RuleFault? {
    let verb = text.prefix { $0 != " " }
    guard verb.utf8.count < text.utf8.count,
      ["get", "post", "delete"].contains(verb.lowercased())
    else { return nil }
    return RuleFault(
      .pathCharacter, "a path must not begin with the method",
      hint: "write \(verb.lowercased()): \(YAMLFault.short(PastedPath(text).path))",
      characters: 0..<verb.unicodeScalars.count)
  }

  /// Whether a segment is a version: `v25.0`, or `v25`.
  static func isVersion(_ segment: Substring) -> Bool {
    guard segment.first == "v" || segment.first == "V" else { return false }
    let rest = segment.dropFirst()
    return rest.utf8.first.map(WorkflowName.isDigit) == true
      && rest.utf8.allSatisfy { WorkflowName.isDigit($0) || $0 == UInt8(ascii: ".") }
  }

  private static func isTraversal(_ segment: Substring) -> Bool {
    let plain = segment.lowercased().split(separator: "%2e", omittingEmptySubsequences: false)
      .joined(separator: ".")
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

  private static func hint(
    for character: Unicode.Scalar, at index: String.Index, in text: String, _ path: Template
  ) -> String? {
    if ["#", "{", "}"].contains(character) { return nil }
    if ConfusableCharacter(character) != nil {
      return
        "type \(YAMLFault.short(ConfusableCharacter.plain(path.text).filter { $0 != "\"" && $0 != "'" }))"
    }
    let isOutside =
      text[..<index].allSatisfy { $0 == " " }
      || text[index...].prefix { $0 != "?" }.allSatisfy { $0 == " " }
    return isOutside ? "remove it" : "write it percent-encoded"
  }

  private static func queryFaults(of query: Substring, in text: String) -> [RuleFault] {
    query.split(separator: "&").compactMap { pair in
      let name = pair.prefix { $0 != "=" }
      var fault = ReservedParameter.fault(of: String(name))
      fault?.characters = characters(of: name, in: text)
      return fault
    }
  }
}

/// A query that selects several nodes in a path segment (docs/reference/language.md,
/// "References").
///
/// The values would be joined by commas, which is not an id. In the query string of a path such a
/// list is allowed: `?ids=`.
enum JoinedPath {
  static func placeholders(in path: Template) -> [Placeholder] {
    var found: [Placeholder] = []
    for part in path.parts {
      switch part {
      case .text(let text):
        if text.utf8.contains(UInt8(ascii: "?")) { return found }
      case .placeholder(let placeholder):
        if placeholder.selectsSeveral { found.append(placeholder) }
      }
    }
    return found
  }

  static func message(_ placeholder: Placeholder) -> String {
    "\(placeholder.text) selects several nodes, but a path segment takes one"
  }

  /// The hint; groups do not nest, so a request that already has items cannot get a `for_each`.
  static func hint(_ placeholder: Placeholder, hasItems: Bool) -> String {
    hasItems
      ? "select one of them, such as the first with [0]"
      : "send one request for each: for_each: \"\(placeholder.text)\", and {item} in the path"
  }
}
