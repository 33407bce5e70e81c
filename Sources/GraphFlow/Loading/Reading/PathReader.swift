internal import GraphAPI

/// Reads the path of a request: without host, version and leading slash.
///
/// See docs/reference/language.md, "Requests".
struct PathReader {
  private let reader: TemplateReader
  private let place: TemplateReader.Place

  init(_ reader: TemplateReader, in place: TemplateReader.Place) {
    self.reader = reader
    self.place = TemplateReader.Place(
      request: place.request, group: place.group, hasItems: place.hasItems, isPath: true)
  }

  func path(_ node: YAMLNode, _ subject: Subject) -> Template? {
    guard case .scalar(let scalar) = node.content else {
      return reader.refuse(node, subject, takes: "a path")
    }
    guard let written = reader.template(node, subject, in: place) else { return nil }
    let path = Self.withoutSlash(written)
    let slashes = written.text.utf8.count - path.text.utf8.count
    let faults = PathRules.faults(of: path)
    // A path with other faults has to be rewritten anyway.
    if !faults.isEmpty {
      report(faults, in: scalar, at: node.location, after: slashes)
    } else if slashes > 0 || Self.mayHaveSuperfluousSlash(written.text) {
      let positions = reader.positions(of: scalar, at: node.location)
      reportSlashes(in: written, hasLeadingSlash: slashes > 0, positions)
    }
    for placeholder in JoinedPath.placeholders(in: path) {
      reader.report(
        .joinedPath, JoinedPath.message(placeholder), at: placeholder.location,
        hint: JoinedPath.hint(placeholder, hasItems: place.hasItems))
    }
    if let warning = RetiredNames.warning(forPath: path) {
      reader.findings.report(
        .retiredEdge, warning.message, as: warning.severity, at: node.location, hint: warning.hint)
    }
    return path
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
      reader.report(fault, at: place)
    }
  }

  /// Reports names in braces, as the Graph API's documentation writes them: `{page-id}/feed`.
  ///
  /// - Returns: Whether there are any.
  private func reportBraces(in text: String, _ positions: TextPositions) -> Bool {
    guard TemplateScanner.mayHoldReference(text) else { return false }
    // After the question mark, braces are part of field expansion.
    let query = text.utf8.firstIndex(of: UInt8(ascii: "?")) ?? text.endIndex
    let limit = text.utf8.distance(from: text.startIndex, to: query)
    let found = TemplateScanner.scan(text).foreign.filter { $0.whole.bytes.upperBound <= limit }
    for placeholder in found {
      var hint = reader.reference(meantBy: placeholder, in: place).map { "write \($0)" }
      if hint == nil, InputName(placeholder.name) != nil {
        let nearest = reader.suggestion(
          for: placeholder.name, among: reader.inputTypes.keys.sorted())
        hint =
          nearest.map { "write {input=\($0)}" }
          ?? "write {input=\(placeholder.name)}, and declare it under 'inputs'"
      }
      reader.report(
        .pathCharacter, "a path cannot hold braces",
        at: positions.location(of: placeholder.whole.bytes), hint: hint)
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
  private func reportSlashes(in path: Template, hasLeadingSlash: Bool, _ positions: TextPositions) {
    func report(_ index: Int, _ reason: String) {
      let written = path.text.prefix { $0 != "?" }
      let text =
        written.split(separator: "/").joined(separator: "/") + path.text[written.endIndex...]
      reader.findings.report(
        .pathSlash, "the slash \(reason)", as: .note,
        at: positions.location(ofCharacters: index..<index + 1),
        hint: text.isEmpty ? nil : "write \(YAMLFault.short(text))", fix: "")
    }
    if hasLeadingSlash { report(0, "at the beginning is not needed") }
    guard path.placeholders.allSatisfy({ !$0.text.utf8.contains(UInt8(ascii: "/")) })
    else { return }
    var last: Unicode.Scalar?
    let scalars = Array(path.text.prefix { $0 != "?" }.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      if scalar == "/", last == "/" {
        report(index, "separates nothing")
      } else if scalar == "/", index == scalars.count - 1, index > 0 {
        report(index, "at the end is not needed")
      }
      last = scalar
    }
  }

  /// Whether a slash ends the path or follows another slash.
  private static func mayHaveSuperfluousSlash(_ text: String) -> Bool {
    var last: UInt8 = 0
    for byte in text.utf8 {
      if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?"), last == UInt8(ascii: "/") {
        return true
      }
      last = byte
    }
    return last == UInt8(ascii: "/")
  }
}
