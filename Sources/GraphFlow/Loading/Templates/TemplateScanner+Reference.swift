extension TemplateScanner {
  /// Reads the reference or fault that begins with the brace at the current offset, and moves past
  /// it.
  ///
  /// It is nil for ordinary text; the offset may then be anywhere after the brace.
  mutating func partInBraces() -> Part? {
    start = offset
    move(to: offset + 1)
    let word = piece(while: WorkflowName.isStart)
    guard let keyword = ScannedReference.Keyword(rawValue: word.text) else {
      return mistypedPlaceholder()
    }
    let reference = ScannedReference(keyword: keyword, whole: word)
    switch (keyword, byte()) {
    case (.result, UInt8(ascii: "=")): return naming(reference)
    case (.input, UInt8(ascii: "=")), (.run, UInt8(ascii: "=")): return namingOnly(reference)
    case (.item, UInt8(ascii: "=")):
      move(to: offset + 1)
      return addingQuery(to: reference)
    case (.item, UInt8(ascii: "}")), (.index, UInt8(ascii: "}")): return closing(reference)
    default: return mistypedPlaceholder()
    }
  }

  /// Reads `=NAME}` or `=NAME:QUERY}`, either with `| DEFAULT`.
  private mutating func naming(_ found: ScannedReference) -> Part {
    var reference = found
    move(to: offset + 1)
    let name = piece { WorkflowName.isPart($0) || $0 == UInt8(ascii: ".") }
    reference.name = name
    guard !name.text.isEmpty else {
      return malformed(
        "a request's name must follow 'result='",
        hint: "write {result=NAME:\(rest(from: name.bytes.lowerBound, default: "$.id"))}")
    }
    switch byte() {
    case UInt8(ascii: "}"): return closing(reference)
    case UInt8(ascii: ":"):
      move(to: offset + 1)
      return addingQuery(to: reference)
    case UInt8(ascii: " "), UInt8(ascii: "|"):
      let here = offset
      skipSpaces()
      if byte() == UInt8(ascii: "|") { return addingDefault(to: reference) }
      offset = here
    default: break
    }
    let own = name.text.prefix { $0 != "." }
    let isDotted = own.endIndex < name.text.endIndex
    return malformed(
      "expected ':' and a query, or '}', after '\(own.short)'",
      hint: "write {result=\(own):$\(isDotted ? "" : ".id")}",
      dotted: isDotted ? rest(from: name.bytes.lowerBound, default: name.text) : nil)
  }

  private mutating func namingOnly(_ found: ScannedReference) -> Part {
    var reference = found
    let keyword = found.keyword
    move(to: offset + 1)
    let name = piece(while: WorkflowName.isPart)
    reference.name = name
    if !name.text.isEmpty, byte() == UInt8(ascii: "}") { return closing(reference) }
    skipSpaces()
    let example = keyword == .run ? "id" : name.text.isEmpty ? "NAME" : name.text
    return malformed(
      "'{\(keyword.rawValue)=' takes a name and '}'",
      hint: byte() == UInt8(ascii: "|")
        ? "an input's default belongs under 'inputs'" : "write {\(keyword.rawValue)=\(example)}")
  }

  /// Reads the query, up to the brace or bar outside its brackets, parentheses and quotes.
  private mutating func addingQuery(to found: ScannedReference) -> Part {
    var reference = found
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
      case UInt8(ascii: "}") where openers.isEmpty, UInt8(ascii: "|") where openers.isEmpty:
        break search
      // Another reference begins, which a query cannot contain.
      case UInt8(ascii: "{") where openers.isEmpty:
        return unclosed(query: queryStart, to: index, inner: nil)
      default: break
      }
      index += 1
    }
    guard index < bytes.count else {
      let inner = quote?.place ?? openers.last
      return unclosed(query: queryStart, to: bytes.count, inner: inner)
    }
    reference.query = trimmedPiece(queryStart..<index)
    move(to: index)
    if bytes[index] == UInt8(ascii: "|") { return addingDefault(to: reference) }
    return closing(reference)
  }

  /// Reads `| DEFAULT}`: JSON with balanced braces, or bare text up to the first brace.
  private mutating func addingDefault(to found: ScannedReference) -> Part {
    var reference = found
    move(to: offset + 1)
    if byte() == UInt8(ascii: "|") {
      return malformed("a default follows one '|', not two", hint: "write | none")
    }
    skipSpaces()
    let textStart = offset
    let isJSON = byte().map { "{[\"".utf8.contains($0) } ?? false
    var isQuoted = false
    var depth = 0
    var index = offset
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "}"), !isQuoted, depth == 0 { break }
      if isJSON {
        switch byte {
        case UInt8(ascii: "\\") where isQuoted: index += 1
        case UInt8(ascii: "\""): isQuoted.toggle()
        case UInt8(ascii: "{") where !isQuoted, UInt8(ascii: "[") where !isQuoted: depth += 1
        case UInt8(ascii: "}") where !isQuoted, UInt8(ascii: "]") where !isQuoted: depth -= 1
        default: break
        }
      }
      index += 1
    }
    guard index < bytes.count else {
      move(to: bytes.count)
      return .fault(
        TemplateFault(
          message: isJSON
            ? "the default is not valid JSON: a quote or bracket in it is never closed"
            : "this reference is never closed",
          hint: isJSON ? "close it, or write text that begins with a letter" : "end it with '}'",
          bytes: isJSON ? textStart..<offset : start..<textStart))
    }
    reference.fallback = trimmedPiece(textStart..<index)
    move(to: index)
    return closing(reference)
  }

  /// The reference, up to the closing brace at the current offset.
  private mutating func closing(_ reference: ScannedReference) -> Part {
    move(to: offset + 1)
    var reference = reference
    reference.whole = piece(start..<offset)
    return .reference(reference)
  }

  /// Some bytes of the text without trailing spaces.
  private func trimmedPiece(_ range: Range<Int>) -> ScannedReference.Piece {
    let last = bytes[range].lastIndex { $0 != UInt8(ascii: " ") }
    return piece(range.lowerBound..<(last.map { $0 + 1 } ?? range.lowerBound))
  }

  /// The fault of a reference without a closing brace before an end; the offset is moved there.
  ///
  /// If there is an unclosed quote or bracket in the reference, that is what is wrong.
  private mutating func unclosed(query queryStart: Int, to end: Int, inner: Int?) -> Part {
    move(to: end)
    if let inner {
      let mark = Character(Unicode.Scalar(bytes[inner]))
      let closing: Character = mark == "[" ? "]" : mark == "(" ? ")" : mark
      return .fault(
        TemplateFault(
          message: "this \(mark) is never closed, so the reference is not closed either",
          hint: "close it with \(closing)", bytes: inner..<inner + 1))
    }
    let word = bytes[start..<end].prefix(60).prefix { $0 > 0x20 }
    return .fault(
      TemplateFault(
        message: "this reference is never closed",
        hint: "write \(String(decoding: word, as: UTF8.self))}", bytes: start..<queryStart))
  }

  /// The text from a position to the closing brace, if the brace is near; else a given text.
  private func rest(from start: Int, default other: String) -> String {
    let rest = bytes[start...].prefix(80)
    guard let brace = rest.firstIndex(of: UInt8(ascii: "}")), brace > start else { return other }
    return String(decoding: rest[..<brace], as: UTF8.self)
  }

  /// A fault that covers the reference up to its closing brace or, if that is far, to the current
  /// offset.
  private mutating func malformed(_ message: String, hint: String, dotted: String? = nil) -> Part {
    skipBrace(within: 80)
    return .fault(
      TemplateFault(message: message, hint: hint, dotted: dotted, bytes: start..<offset))
  }

  private mutating func skipBrace(within length: Int) {
    let rest = bytes[offset...].prefix(length)
    if let brace = rest.firstIndex(of: UInt8(ascii: "}")) { move(to: brace + 1) }
  }
}

// MARK: Mistyped placeholders

extension TemplateScanner {
  /// Reads a brace that opens no reference: a fault if it is a mistyped placeholder, nil for text.
  ///
  /// Text is sent unchanged, so only a close resemblance to a reference is a fault: the keyword in
  /// another case, with spaces, with `:` or `.` for `=`, or with a wrong letter or two.
  private mutating func mistypedPlaceholder() -> Part? {
    move(to: start + 1)
    skipSpaces()
    let word = piece(while: WorkflowName.isStart)
    guard !word.text.isEmpty, word.text.utf8.count <= 16 else { return nil }
    skipSpaces()
    guard let separator = byte(), let keyword = keyword(meantBy: word.text, before: separator)
    else { return nil }
    let isSpaced = word.bytes != start + 1..<offset
    if keyword.rawValue != word.text, separator == UInt8(ascii: "="), !isSpaced {
      // Only the keyword is wrong, so only the keyword is marked and can be replaced.
      let fault = TemplateFault(
        message: "'{\(word.text)=' is not a reference",
        hint: "did you mean '\(keyword.rawValue)'? For literal text write '{{'",
        fix: keyword.rawValue, bytes: word.bytes)
      skipBrace(within: 120)
      return .fault(fault)
    }
    move(to: offset + (separator == UInt8(ascii: "}") ? 0 : 1))
    skipSpaces()
    let rest = piece { WorkflowName.isPart($0) || $0 == UInt8(ascii: ".") }
    skipBrace(within: 120)
    let written = piece(start..<offset)
    return .fault(
      TemplateFault(
        message: "'\(written.text.short)' is not a reference",
        hint: "write \(keyword.example(rest.text)); for literal text write '{{'",
        bytes: written.bytes))
  }

  private func keyword(meantBy word: String, before separator: UInt8) -> ScannedReference.Keyword? {
    typealias Keyword = ScannedReference.Keyword
    let isAssigned = separator == UInt8(ascii: "=")
    guard isAssigned || ":.}".utf8.contains(separator) else { return nil }
    let lowered = word.lowercased()
    if let keyword = Keyword(rawValue: lowered) { return keyword }
    let letters = Array(lowered.utf8)
    for keyword in Keyword.allCases where letters.first == keyword.rawValue.utf8.first {
      let distance = NearestName.distance(letters, Array(keyword.rawValue.utf8))
      if distance <= (isAssigned && letters.count >= 5 ? 2 : 1), letters.count >= 3 {
        // Without a separator only `item` and `index` are references: {items}, but not {resut}.
        if separator == UInt8(ascii: "}"), keyword != .item, keyword != .index { continue }
        return keyword
      }
    }
    // After any word, `=NAME:$` can only be meant as a reference.
    return isAssigned && isFollowedByQuery ? .result : nil
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
    case .run: path.contains("start") ? "{run=started_at}" : "{run=id}"
    }
  }
}

extension TemplateFault {
  /// The fault of a reference inside quotes in an expression.
  static func quoted(_ reference: ScannedReference) -> TemplateFault {
    TemplateFault(
      message: "in quotes '\(reference.whole.text.short)' is text, not a reference",
      hint: "remove the quotes around it", bytes: reference.whole.bytes)
  }
}
