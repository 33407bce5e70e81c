/// The places where ` #word` ends a text: YAML reads a comment where authors mean a hashtag.
struct HashComments {
  /// The first such comment of each line that has one.
  private var places: [Int: SourceLocation] = [:]

  init(in source: SourceFile, _ lines: () -> SourceLines) {
    source.bytes.withUnsafeBufferPointer { bytes in
      for index in bytes.indices.dropFirst() where bytes[index] == UInt8(ascii: "#") {
        guard bytes[index - 1] == 0x20, index + 1 < bytes.count, Self.isWordPart(bytes[index + 1])
        else { continue }
        let end = bytes[(index + 1)...].firstIndex { !Self.isWordPart($0) } ?? bytes.count
        // The length in columns is known for ASCII only.
        let isPlain = bytes[index..<end].allSatisfy { $0 < 0x80 }
        let place = lines().location(ofBytes: index..<(isPlain ? end : index + 1))
        if places[place.line] == nil { places[place.line] = place }
      }
    }
  }

  /// The hashtag that follows an unquoted text on its line.
  func hashtag(after location: SourceLocation) -> SourceLocation? {
    guard let place = places[location.line], place.column >= location.endColumn else { return nil }
    return place
  }

  private static func isWordPart(_ byte: UInt8) -> Bool {
    WorkflowName.isPart(byte) && byte != UInt8(ascii: "-") || byte >= 0x80
  }
}

extension TemplateReader {
  /// Parameters that hold text for people.
  private static let proseNames = [
    "caption", "description", "message", "name", "quote", "text", "title",
  ]

  /// Warns if a comment cuts a text short, or if typographic quotes are around it.
  func checkProse(_ entry: YAMLNode.Entry) {
    guard let scalar = entry.value.scalar, scalar.style == .plain else { return }
    if let first = scalar.text.utf8.first, first >= 0xc2 { checkQuotes(scalar, entry) }
    guard Self.proseNames.contains(entry.key),
      let hashtag = hashComments.hashtag(after: entry.value.location),
      let line = lines.line(hashtag.line)
    else { return }
    let characters = Array(line.unicodeScalars.prefix(10_000))
    let between = characters.dropFirst(entry.value.location.endColumn - 1).prefix(
      max(0, hashtag.column - entry.value.location.endColumn))
    guard between.allSatisfy({ $0 == " " || scalar.text.isEmpty && $0 == ":" }) else { return }
    var whole = String.UnicodeScalarView()
    let start = scalar.text.isEmpty ? hashtag.column : entry.value.location.column
    whole.append(contentsOf: characters.dropFirst(start - 1))
    let text = String(whole).trimmed
    let isFlow = line.contains("{") || line.contains("[")
    warn(
      .hashComment, "a comment begins at this '#', so '\(entry.key.short)' ends before it",
      at: hashtag,
      hint: isFlow || text.unicodeScalars.count > 60
        ? "put the text in quotes" : "write \(SyntaxErrorContext.quoted(text))")
  }

  /// Warns of typographic quotes around a text: to YAML they are ordinary characters.
  private func checkQuotes(_ scalar: YAMLNode.Scalar, _ entry: YAMLNode.Entry) {
    guard let first = scalar.text.unicodeScalars.first, let last = scalar.text.unicodeScalars.last,
      let confusable = ConfusableCharacter(first), confusable.isQuote
    else { return }
    let inner = scalar.text.unicodeScalars.dropFirst()
    // A text that only begins with a quotation is meant that way. An opening quote without a
    // closing one is not: in a flow collection a comma may have cut the text.
    let isClosed = ConfusableCharacter(last)?.isQuote == true
    guard isClosed || !inner.contains(where: { ConfusableCharacter($0)?.isQuote == true }) else {
      return
    }
    let plain = String(isClosed ? inner.dropLast() : inner)
    let isShort = plain.unicodeScalars.count <= 60
    warn(
      .typographicQuotes, "\(confusable.name) is part of the text; YAML quotes are straight",
      at: entry.value.location,
      hint: isShort ? "type \(SyntaxErrorContext.quoted(plain))" : "type \" in its place")
  }
}
