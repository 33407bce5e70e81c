extension TemplateScanner {
  /// Reads the reference or fault that begins with the brace at the current offset, and moves past
  /// it.
  ///
  /// It is nil for ordinary text; the offset may then be anywhere after the brace.
  mutating func partInBraces() -> Part? {
    start = offset
    move(to: offset + 1)
    let word = piece(while: WorkflowName.isStart)
    do throws(TemplateFault) {
      if let keyword = ScannedReference.Keyword(rawValue: word.text),
        let reference = try reference(keyword)
      {
        return .reference(reference)
      }
      try checkMistyped()
      return nil
    } catch { return .fault(error) }
  }

  /// Reads what follows a keyword; nil if it is ordinary text, or mistyped.
  private mutating func reference(
    _ keyword: ScannedReference.Keyword
  ) throws(TemplateFault) -> ScannedReference? {
    var name: ScannedReference.Piece?
    var query: ScannedReference.Piece?
    var fallback: ScannedReference.Piece?
    switch (keyword, byte()) {
    case (.item, UInt8(ascii: "}")), (.index, UInt8(ascii: "}")), (.row, UInt8(ascii: "}")): break
    case (.item, UInt8(ascii: "=")), (.row, UInt8(ascii: "=")): query = try readQuery()
    case (.input, UInt8(ascii: "=")), (.run, UInt8(ascii: "=")): name = try readName(after: keyword)
    case (.result, UInt8(ascii: "=")):
      name = try readRequestName()
      if byte() == UInt8(ascii: ":") { query = try readQuery() }
    case (.date, UInt8(ascii: "=")): name = try readDate()
    default: return nil
    }
    if byte() == UInt8(ascii: "|") { fallback = try readDefault() }
    move(to: offset + 1)
    return ScannedReference(
      keyword: keyword, name: name, query: query, operands: operands(in: query), fallback: fallback,
      whole: piece(start..<offset))
  }

  private func operands(in query: ScannedReference.Piece?) -> [Part] {
    guard let query, Self.mayHoldReference(query.text) else { return [] }
    var scanner = self
    scanner.bytes.removeSubrange(query.bytes.upperBound...)
    scanner.offset = query.bytes.lowerBound
    return scanner.operands()
  }

  /// Reads `=NAME`, up to `}`, `:` or `|`.
  private mutating func readRequestName() throws(TemplateFault) -> ScannedReference.Piece {
    move(to: offset + 1)
    let name = piece { WorkflowName.isPart($0) || $0 == UInt8(ascii: ".") }
    guard !name.text.isEmpty else {
      throw malformed(
        "a request's name must follow 'result='",
        hint: "write {result=NAME:\(rest(from: name.bytes.lowerBound, default: "$.id"))}")
    }
    if byte() == UInt8(ascii: "}") || byte() == UInt8(ascii: ":") { return name }
    let here = offset
    skipSpaces()
    if byte() == UInt8(ascii: "|") { return name }
    offset = here
    let own = name.text.prefix { $0 != "." }
    let isDotted = own.endIndex < name.text.endIndex
    throw malformed(
      "expected ':' and a query, or '}', after '\(own.short)'",
      hint: "write {result=\(own):$\(isDotted ? "" : ".id")}",
      dotted: isDotted ? rest(from: name.bytes.lowerBound, default: name.text) : nil)
  }

  /// Reads `=NAME`, up to `}`.
  private mutating func readName(
    after keyword: ScannedReference.Keyword
  ) throws(TemplateFault) -> ScannedReference.Piece {
    move(to: offset + 1)
    let name = piece(while: WorkflowName.isPart)
    if !name.text.isEmpty, byte() == UInt8(ascii: "}") { return name }
    skipSpaces()
    let example = keyword == .run ? "id" : name.text.isEmpty ? "NAME" : name.text
    throw malformed(
      "'{\(keyword.rawValue)=' takes a name and '}'",
      hint: byte() == UInt8(ascii: "|")
        ? "an input's default belongs under 'inputs'" : "write {\(keyword.rawValue)=\(example)}")
  }

  /// Reads the rest of a date, up to `}`.
  private mutating func readDate() throws(TemplateFault) -> ScannedReference.Piece {
    move(to: offset + 1)
    let date = piece(while: DateReader.isPart)
    if !date.text.isEmpty, byte() == UInt8(ascii: "}") { return date }
    let isDefault = byte() == UInt8(ascii: "|")
    let written = date.text.isEmpty ? "today" : date.text
    let meant = rest(from: date.bytes.lowerBound, default: written).filter { $0 != " " }
    throw malformed(
      isDefault ? "a date has no default" : "'{date=' takes a date without spaces, and '}'",
      hint: isDefault
        ? "a format follows ':', as in {date=\(written):unix}" : "write {date=\(meant.short)}")
  }

  /// Reads the query, up to the brace or bar outside its brackets, parentheses and quotes.
  private mutating func readQuery() throws(TemplateFault) -> ScannedReference.Piece {
    move(to: offset + 1)
    let queryStart = offset
    var quote: (mark: UInt8, place: Int)?
    var openers: [Int] = []
    var index = offset
    search: while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "\\") where quote != nil: index += 1
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        if quote == nil { quote = (byte, index) } else if quote?.mark == byte { quote = nil }
      case _ where quote != nil: break
      case UInt8(ascii: "["), UInt8(ascii: "("): openers.append(index)
      case UInt8(ascii: "]"), UInt8(ascii: ")"): _ = openers.popLast()
      // Another reference begins, which only a filter can contain.
      case UInt8(ascii: "}"), UInt8(ascii: "|"), UInt8(ascii: "{"):
        if openers.isEmpty { break search }
      default: break
      }
      index += 1
    }
    move(to: index)
    guard let end = byte(), end != UInt8(ascii: "{") else {
      throw unclosed(query: queryStart, inner: byte() == nil ? quote?.place ?? openers.last : nil)
    }
    return trimmedPiece(from: queryStart)
  }

  /// Reads `| DEFAULT`, up to `}`: JSON with balanced braces, or bare text up to the first brace.
  private mutating func readDefault() throws(TemplateFault) -> ScannedReference.Piece {
    move(to: offset + 1)
    if byte() == UInt8(ascii: "|") {
      throw malformed("a default follows one '|', not two", hint: "write | none")
    }
    skipSpaces()
    let textStart = offset
    let isJSON = byte().map { "{[\"".utf8.contains($0) } ?? false
    var isQuoted = false
    var depth = 0
    while let byte = byte(), byte != UInt8(ascii: "}") || isQuoted || depth != 0 {
      if isJSON {
        switch byte {
        case UInt8(ascii: "\\") where isQuoted: move(to: offset + 1)
        case UInt8(ascii: "\""): isQuoted.toggle()
        case UInt8(ascii: "{") where !isQuoted, UInt8(ascii: "[") where !isQuoted: depth += 1
        case UInt8(ascii: "}") where !isQuoted, UInt8(ascii: "]") where !isQuoted: depth -= 1
        default: break
        }
      }
      move(to: offset + 1)
    }
    guard byte() == nil else { return trimmedPiece(from: textStart) }
    throw TemplateFault(
      message: isJSON
        ? "the default is not valid JSON: a quote or bracket in it is never closed"
        : "this reference is never closed",
      hint: isJSON ? "close it, or write text that begins with a letter" : "end it with '}'",
      bytes: isJSON ? textStart..<offset : start..<textStart)
  }

  /// The text up to the current offset without trailing spaces.
  private func trimmedPiece(from start: Int) -> ScannedReference.Piece {
    let last = bytes[start..<offset].lastIndex { $0 != UInt8(ascii: " ") }
    return piece(start..<(last.map { $0 + 1 } ?? start))
  }

  /// The fault of a reference without a closing brace before the current offset.
  ///
  /// If there is an unclosed quote or bracket in the reference, that is what is wrong.
  private func unclosed(query queryStart: Int, inner: Int?) -> TemplateFault {
    if let inner {
      let mark = Character(Unicode.Scalar(bytes[inner]))
      let closing: Character = mark == "[" ? "]" : mark == "(" ? ")" : mark
      return TemplateFault(
        message: "this \(mark) is never closed, so the reference is not closed either",
        hint: "close it with \(closing)", bytes: inner..<inner + 1)
    }
    let word = bytes[start..<offset].prefix(60).prefix { $0 > 0x20 }
    return TemplateFault(
      message: "this reference is never closed",
      hint: "write \(String(decoding: word, as: UTF8.self))}", bytes: start..<queryStart)
  }

  /// The text from a position to the closing brace, if the brace is near; else a given text.
  private func rest(from start: Int, default other: String) -> String {
    let rest = bytes[start...].prefix(80)
    guard let brace = rest.firstIndex(of: UInt8(ascii: "}")), brace > start else { return other }
    return String(decoding: rest[..<brace], as: UTF8.self)
  }

  /// A fault that covers the reference up to its closing brace or, if that is far, to the current
  /// offset.
  private mutating func malformed(
    _ message: String, hint: String, dotted: String? = nil
  ) -> TemplateFault {
    skipBrace(within: 80)
    return TemplateFault(message: message, hint: hint, dotted: dotted, bytes: start..<offset)
  }

  private mutating func skipBrace(within length: Int) {
    let rest = bytes[offset...].prefix(length)
    if let brace = rest.firstIndex(of: UInt8(ascii: "}")) { move(to: brace + 1) }
  }
}

// MARK: Mistyped placeholders

extension TemplateScanner {
  /// Reads a brace that opens no reference; throws if it is a mistyped placeholder.
  ///
  /// Text is sent unchanged, so only a close resemblance to a reference is a fault: the keyword in
  /// another case, with spaces, with `:` or `.` for `=`, or with a wrong letter or two.
  private mutating func checkMistyped() throws(TemplateFault) {
    move(to: start + 1)
    skipSpaces()
    let word = piece(while: WorkflowName.isStart)
    guard !word.text.isEmpty, word.text.utf8.count <= 16 else { return }
    skipSpaces()
    guard let separator = byte(), let keyword = keyword(meantBy: word.text, before: separator)
    else { return }
    let isSpaced = word.bytes != start + 1..<offset
    if keyword.rawValue != word.text, separator == UInt8(ascii: "="), !isSpaced {
      // Only the keyword is wrong, so only the keyword is marked and can be replaced.
      skipBrace(within: 120)
      throw TemplateFault(
        message: "'{\(word.text)=' is not a reference",
        hint: "did you mean '\(keyword.rawValue)'? For literal text write '{{'",
        fix: keyword.rawValue, bytes: word.bytes)
    }
    move(to: offset + (separator == UInt8(ascii: "}") ? 0 : 1))
    skipSpaces()
    let date = rest(from: offset, default: "today").filter { $0 != " " }
    let rest = piece { WorkflowName.isPart($0) || $0 == UInt8(ascii: ".") }
    skipBrace(within: 120)
    let written = piece(start..<offset)
    throw TemplateFault(
      message: "'\(written.text.short)' is not a reference",
      hint:
        "write \(keyword.example(keyword == .date ? date : rest.text)); for literal text write '{{'",
      bytes: written.bytes)
  }

  private func keyword(meantBy word: String, before separator: UInt8) -> ScannedReference.Keyword? {
    typealias Keyword = ScannedReference.Keyword
    let isAssigned = separator == UInt8(ascii: "=")
    guard isAssigned || ":.}".utf8.contains(separator) else { return nil }
    let lowered = word.lowercased()
    // Without `=`, {date} is a placeholder of another tool.
    let isDated = isAssigned && isFollowedByDay
    if let keyword = Keyword(rawValue: lowered) {
      return keyword != .date || isAssigned ? keyword : nil
    }
    let letters = Array(lowered.utf8)
    for keyword in Keyword.allCases where letters.first == keyword.rawValue.utf8.first {
      let distance = NearestName.distance(letters, Array(keyword.rawValue.utf8))
      if distance <= (isAssigned && letters.count >= 5 ? 2 : 1), letters.count >= 3 {
        if keyword == .date, !isDated { continue }
        // Without a separator only `item` and `index` are references: {items}, but not {resut}.
        if separator == UInt8(ascii: "}"), keyword != .item, keyword != .index { continue }
        return keyword
      }
    }
    // After any word, `=NAME:$` can only be meant as a reference.
    return isAssigned && isFollowedByQuery ? .result : nil
  }

  private var isFollowedByDay: Bool {
    let rest = bytes[offset...].dropFirst().drop { $0 == UInt8(ascii: " ") }
    return DateExpression.BaseTime.allCases.contains { rest.starts(with: $0.rawValue.utf8) }
  }

  private var isFollowedByQuery: Bool {
    let rest = bytes[offset...].dropFirst()
    let name = rest.prefix(while: WorkflowName.isPart)
    let tail = bytes[name.endIndex...]
    return !name.isEmpty && tail.starts(with: ":$".utf8)
  }
}

extension ScannedReference.Keyword {
  /// The correct form of a reference, with the name that was found, if any.
  fileprivate func example(_ name: String) -> String {
    let path = name.split(separator: ".").joined(separator: ".")
    return switch self {
    case .result: "{result=\(path.isEmpty ? "NAME" : path):$.id}"
    case .input: "{input=\(path.isEmpty ? "NAME" : path)}"
    case .item: path.isEmpty ? "{item}" : "{item=$.\(path)}"
    case .index: "{index}"
    case .row: path.isEmpty ? "{row}" : "{row=$.\(path)}"
    case .run: path.contains("start") ? "{run=started_at}" : "{run=id}"
    case .date: "{date=\(path.isEmpty ? "today" : path)}"
    }
  }
}
