internal import GraphAPI
internal import JSONPath

/// Reads the path of a request: without host, version and leading slash.
///
/// See docs/reference/language.md, "Requests".
struct PathReader: PartReading {
  let reader: TemplateReader
  let place: TemplateReader.Place

  init(_ reader: TemplateReader, in place: TemplateReader.Place) {
    self.reader = reader
    self.place = TemplateReader.Place(
      request: place.request, group: place.group, hasItems: place.hasItems, isPath: true)
  }

  func path(_ node: YAMLNode, _ subject: Subject) -> Template? {
    guard let scalar = node.scalar else { return refuse(node, subject, takes: "a path") }
    guard let written = reader.template(node, subject, in: place) else { return nil }
    let path = Self.withoutSlash(written)
    let slashes = written.text.utf8.count - path.text.utf8.count
    if slashes > 0 || !PathRules.isPlain(path) {
      let faults = PathRules.faults(of: path)
      // A path with other faults has to be rewritten anyway.
      if faults.isEmpty {
        checkSlashes(in: written, node)
      } else {
        report(faults, in: scalar, at: node.location, after: slashes)
      }
    }
    checkJoined(path)
    return path
  }

  /// Reports queries that select several nodes in a path segment (docs/reference/language.md,
  /// "References").
  ///
  /// The values would be joined by commas, which is not an id. In the query string of a path such a
  /// list is allowed: `?ids=`.
  private func checkJoined(_ path: Template) {
    for part in path.parts {
      switch part {
      case .text(let text): if text.holds("?") { return }
      case .placeholder(let placeholder):
        guard placeholder.selectsSeveral else { continue }
        report(
          .joinedPath, "\(placeholder.text) selects several nodes, but a path segment takes one",
          at: placeholder.location,
          // Groups do not nest, so a request that already has items cannot get a `for_each`.
          hint: place.hasItems
            ? "select one of them, such as the first with [0]"
            : "send one request for each: for_each: \"\(placeholder.text)\", and {item} in the path"
        )
      }
    }
  }

  private func report(
    _ faults: [RuleFault], in scalar: YAMLNode.Scalar, at location: SourceLocation,
    after slashes: Int
  ) {
    let positions = reader.positions(of: scalar, at: location)
    // An escaped brace shifts the characters of the path against those of the file.
    let isVerbatim = !scalar.text.contains("{{")
    let hasBraces =
      faults.contains { $0.rule == .pathCharacter } && reportBraces(in: scalar.text, positions)
    for fault in faults where !hasBraces || fault.rule != .pathCharacter {
      var place = location
      if isVerbatim, let characters = fault.characters {
        let start = slashes + characters.lowerBound
        place = positions.location(ofCharacters: start..<start + characters.count)
      }
      report(fault, at: place)
    }
  }

  /// Reports names in braces, as the Graph API's documentation writes them: `{page-id}/feed`.
  ///
  /// - Returns: Whether there are any.
  private func reportBraces(in text: String, _ positions: TextPositions) -> Bool {
    guard TemplateScanner.mayHoldReference(text) else { return false }
    // After the question mark, braces are part of field expansion.
    let limit = text.utf8.prefix { $0 != UInt8(ascii: "?") }.count
    let found = TemplateScanner.scan(text).foreign.filter { $0.whole.bytes.upperBound <= limit }
    for placeholder in found {
      report(
        .pathCharacter, "a path cannot hold braces",
        at: positions.location(of: placeholder.whole.bytes),
        hint: reader.cure(for: placeholder, in: place))
    }
    return !found.isEmpty
  }

  // MARK: Slashes

  private static func withoutSlash(_ path: Template) -> Template {
    guard case .text(let first)? = path.parts.first, first.hasPrefix("/"), !first.hasPrefix("//")
    else { return path }
    var parts = path.parts
    parts[0] = .text(String(first.dropFirst()))
    if first.utf8.count == 1 { parts.removeFirst() }
    return Template(parts: parts, text: String(path.text.dropFirst()), location: path.location)
  }

  /// Reports slashes that separate nothing, as notes.
  private func checkSlashes(in path: Template, _ node: YAMLNode) {
    func report(_ index: Int, _ reason: String) {
      let written = path.text.prefix { $0 != "?" }
      let text =
        written.split(separator: "/").joined(separator: "/") + path.text[written.endIndex...]
      let characters = reader.positions(of: node)?.location(ofCharacters: index..<index + 1)
      findings.report(
        .pathSlash, "the slash \(reason)", as: .note, at: characters ?? node.location,
        hint: text.isEmpty ? nil : "write \(text.short)", fix: "")
    }
    let slash = UInt8(ascii: "/")
    if path.text.utf8.first == slash { report(0, "at the beginning is not needed") }
    var count = 0
    var last: UInt8 = 0
    var found: [(index: Int, reason: String)] = []
    for byte in path.text.utf8.prefix(while: { $0 != UInt8(ascii: "?") })
    where byte & 0b1100_0000 != 0b1000_0000 {
      if byte == slash, last == slash { found.append((count, "separates nothing")) }
      (last, count) = (byte, count + 1)
    }
    if last == slash, count > 1, found.last?.index != count - 1 {
      found.append((count - 1, "at the end is not needed"))
    }
    // A slash in a placeholder belongs to its query or default.
    guard !found.isEmpty, path.placeholders.allSatisfy({ !$0.text.utf8.contains(slash) }) else {
      return
    }
    for slash in found { report(slash.index, slash.reason) }
  }
}
