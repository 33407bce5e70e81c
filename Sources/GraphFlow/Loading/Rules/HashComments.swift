/// Where ` #word` ends a text: a comment to YAML, a hashtag to most authors.
struct HashComments {
  /// For each line that has one, the first column behind which the comment begins.
  private let places: [Int: SourceLocation]

  /// Finds what may be a hashtag: a `#` behind a blank and before a letter.
  init(in source: SourceFile, _ lines: @autoclosure () -> SourceLines) {
    let starts = Self.candidates(in: source.bytes)
    guard !starts.isEmpty else {
      places = [:]
      return
    }
    let lines = lines()
    var places: [Int: SourceLocation] = [:]
    for range in starts {
      let place = lines.location(ofBytes: range)
      if places[place.line] == nil { places[place.line] = place }
    }
    self.places = places
  }

  /// The hashtag that follows a text without quotes on its line.
  func hashtag(behind location: SourceLocation) -> SourceLocation? {
    guard let place = places[location.line], place.column >= location.endColumn else { return nil }
    return place
  }

  private static func candidates(in bytes: [UInt8]) -> [Range<Int>] {
    bytes.withUnsafeBufferPointer { bytes in
      var found: [Range<Int>] = []
      for index in bytes.indices where bytes[index] == UInt8(ascii: "#") {
        guard index > 0, bytes[index - 1] == 0x20, index + 1 < bytes.count,
          isWordPart(bytes[index + 1])
        else { continue }
        let end = bytes[(index + 1)...].firstIndex { !isWordPart($0) } ?? bytes.count
        // The columns of what is not ASCII are not counted here.
        let isPlain = bytes[index..<end].allSatisfy { $0 < 0x80 }
        found.append(index..<(isPlain ? end : index + 1))
      }
      return found
    }
  }

  private static func isWordPart(_ byte: UInt8) -> Bool {
    WorkflowName.isPart(byte) && byte != UInt8(ascii: "-") || byte >= 0x80
  }
}

extension WorkflowReader {
  /// Parameters that hold what people write.
  private static let proseNames: Set<String> = [
    "caption", "description", "message", "name", "quote", "text", "title",
  ]

  /// Warns of a text that ends sooner than its author thinks, or has quotes in it that are none.
  mutating func checkProse(_ entry: YAMLNode.Entry) {
    guard case .scalar(let scalar) = entry.value.content, scalar.style == .plain else { return }
    if let first = scalar.text.utf8.first, first >= 0xc2 { checkQuotes(scalar, entry) }
    guard Self.proseNames.contains(entry.key),
      let hashtag = hashComments.hashtag(behind: entry.value.location),
      let line = lines.line(hashtag.line)
    else { return }
    let characters = Array(line.unicodeScalars.prefix(10_000))
    let between = characters.dropFirst(entry.value.location.endColumn - 1)
      .prefix(max(0, hashtag.column - entry.value.location.endColumn))
    guard between.allSatisfy({ $0 == " " || scalar.text.isEmpty && $0 == ":" }) else { return }
    var whole = String.UnicodeScalarView()
    let start = scalar.text.isEmpty ? hashtag.column : entry.value.location.column
    whole.append(contentsOf: characters.dropFirst(start - 1))
    let text = String(String(whole).trimmed)
    let isFlow = line.contains("{") || line.contains("[")
    warn(
      RuleID.hashComment,
      "a comment begins at this '#', so '\(YAMLFault.short(entry.key))' ends before it",
      at: hashtag,
      hint: isFlow || text.unicodeScalars.count > 60
        ? "put the text in quotes" : "write \(SyntaxErrorContext.quoted(text))"
    )
  }

  /// Warns of typographic quotes around a text: YAML knows only straight ones.
  private mutating func checkQuotes(_ scalar: YAMLNode.Scalar, _ entry: YAMLNode.Entry) {
    guard let first = scalar.text.unicodeScalars.first, let last = scalar.text.unicodeScalars.last,
      let confusable = ConfusableCharacter(first), confusable.isQuote
    else { return }
    let inner = scalar.text.unicodeScalars.dropFirst()
    // A quotation at the beginning of a text is one; in brackets a comma may have cut the text.
    let isClosed = ConfusableCharacter(last)?.isQuote == true
    guard isClosed || !inner.contains(where: { ConfusableCharacter($0)?.isQuote == true }) else {
      return
    }
    let plain = String(isClosed ? inner.dropLast() : inner)
    let isShort = plain.unicodeScalars.count <= 60
    warn(
      RuleID.typographicQuotes,
      "\(confusable.name) is part of the text, for only straight quotes are quotes",
      at: entry.value.location,
      hint: isShort ? "type \(SyntaxErrorContext.quoted(plain))" : "type \" in its place"
    )
  }
}
