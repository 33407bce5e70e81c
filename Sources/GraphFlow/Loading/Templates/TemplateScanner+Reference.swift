extension TemplateScanner {
  /// Reads the reference or fault that begins with the brace at the current offset, and moves past
  /// it.
  ///
  /// It is nil for ordinary text; the offset may then be anywhere after the brace.
  mutating func partInBraces() -> Part? {
    let start = offset
    move(to: offset + 1)
    let word = piece(while: WorkflowName.isStart)
    let keyword = ScannedReference.Keyword(rawValue: word.text)
    switch (keyword, byte()) {
    case (.result?, UInt8(ascii: "=")): return resultReference(from: start)
    case (.input?, UInt8(ascii: "=")): return namedReference(.input, from: start)
    case (.run?, UInt8(ascii: "=")): return namedReference(.run, from: start)
    case (.item?, UInt8(ascii: "=")):
      move(to: offset + 1)
      return addingQuery(to: reference(.item, from: start), from: start)
    case (.item?, UInt8(ascii: "}")), (.index?, UInt8(ascii: "}")):
      return closing(reference(keyword ?? .item, from: start), from: start)
    default:
      offset = start
      return mistypedPlaceholder()
    }
  }

  private func reference(_ keyword: ScannedReference.Keyword, from start: Int) -> ScannedReference {
    ScannedReference(keyword: keyword, whole: piece(start..<offset))
  }

  /// Reads `=NAME}` or `=NAME:QUERY}`, either with `| DEFAULT`.
  private mutating func resultReference(from start: Int) -> Part {
    move(to: offset + 1)
    var reference = reference(.result, from: start)
    let name = piece { WorkflowName.isPart($0) || $0 == UInt8(ascii: ".") }
    reference.name = name
    guard !name.text.isEmpty else {
      return .fault(
        malformed(
          "a request's name must follow 'result='",
          hint: "write {result=NAME:\(rest(from: name.bytes.lowerBound, default: "$.id"))}",
          from: start))
    }
    switch byte() {
    case UInt8(ascii: "}"): return closing(reference, from: start)
    case UInt8(ascii: ":"):
      move(to: offset + 1)
      return addingQuery(to: reference, from: start)
    case UInt8(ascii: " "), UInt8(ascii: "|"):
      let here = offset
      skipSpaces()
      if byte() == UInt8(ascii: "|") { return addingDefault(to: reference, from: start) }
      offset = here
    default: break
    }
    let dotted =
      name.text.contains(".") ? rest(from: name.bytes.lowerBound, default: name.text) : nil
    let own = name.text.prefix { $0 != "." }
    var fault = malformed(
      "expected ':' and a query, or '}', after '\(YAMLFault.short(String(own)))'",
      hint: "write {result=\(own):$\(name.text.dropFirst(own.count).isEmpty ? ".id" : "")}",
      from: start)
    fault.dotted = dotted
    return .fault(fault)
  }

  /// Reads `=NAME}`.
  private mutating func namedReference(_ keyword: ScannedReference.Keyword, from start: Int) -> Part
  {
    move(to: offset + 1)
    var reference = reference(keyword, from: start)
    let name = piece(while: WorkflowName.isPart)
    reference.name = name
    let example = keyword == .run ? "id" : name.text.isEmpty ? "NAME" : name.text
    guard !name.text.isEmpty, byte() == UInt8(ascii: "}") else {
      skipSpaces()
      let hint =
        byte() == UInt8(ascii: "|")
        ? "an input's default belongs under 'inputs'" : "write {\(keyword.rawValue)=\(example)}"
      return .fault(
        malformed("'{\(keyword.rawValue)=' takes a name and '}'", hint: hint, from: start))
    }
    return closing(reference, from: start)
  }

  /// Reads the query, up to the brace or bar outside its brackets, parentheses and quotes.
  private mutating func addingQuery(to found: ScannedReference, from start: Int) -> Part {
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
        return .fault(unclosed(from: start, query: queryStart, to: index, inner: nil))
      default: break
      }
      index += 1
    }
    guard index < bytes.count else {
      let inner = quote?.place ?? openers.last
      return .fault(unclosed(from: start, query: queryStart, to: bytes.count, inner: inner))
    }
    reference.query = trimmedPiece(queryStart..<index)
    move(to: index)
    if bytes[index] == UInt8(ascii: "|") { return addingDefault(to: reference, from: start) }
    return closing(reference, from: start)
  }

  /// Reads `| DEFAULT}`: JSON with balanced braces, or bare text up to the first brace.
  private mutating func addingDefault(to found: ScannedReference, from start: Int) -> Part {
    var reference = found
    move(to: offset + 1)
    if byte() == UInt8(ascii: "|") {
      return .fault(
        malformed("a default follows one '|', not two", hint: "write | none", from: start))
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
          rule: RuleID.nearMissReference,
          message: isJSON
            ? "the default is not valid JSON: a quote or bracket in it is never closed"
            : "this reference is never closed",
          hint: isJSON ? "close it, or write text that begins with a letter" : "end it with '}'",
          bytes: isJSON ? textStart..<offset : start..<textStart))
    }
    reference.fallback = trimmedPiece(textStart..<index)
    move(to: index)
    return closing(reference, from: start)
  }

  /// The reference, up to the closing brace at the current offset.
  private mutating func closing(_ reference: ScannedReference, from start: Int) -> Part {
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

  /// The fault of a reference without a closing brace.
  ///
  /// - Parameters:
  ///   - start: Where the reference begins.
  ///   - queryStart: Where its query begins.
  ///   - end: Where it ends.
  ///   - inner: The position of an unclosed quote or bracket in it, if there is one.
  /// - Returns: The fault; the offset is moved to the end.
  private mutating func unclosed(
    from start: Int, query queryStart: Int, to end: Int, inner: Int?
  ) -> TemplateFault {
    var fault = TemplateFault(
      rule: RuleID.nearMissReference, message: "this reference is never closed",
      hint: "end it with '}'", bytes: start..<queryStart)
    if let inner {
      let mark = Character(Unicode.Scalar(bytes[inner]))
      let closing: Character = mark == "[" ? "]" : mark == "(" ? ")" : mark
      fault.message = "this \(mark) is never closed, so the reference is not closed either"
      fault.hint = "close it with \(closing)"
      fault.bytes = inner..<inner + 1
    } else {
      let text = bytes[start..<end].prefix(60)
      let word = text.prefix { $0 > 0x20 }
      fault.hint = "write \(String(decoding: word, as: UTF8.self))}"
    }
    move(to: end)
    return fault
  }

  /// The text from a position to the closing brace, if the brace is near; else a given text.
  private func rest(from start: Int, default other: String) -> String {
    let rest = bytes[start...].prefix(80)
    guard let brace = rest.firstIndex(of: UInt8(ascii: "}")), brace > start else { return other }
    return String(decoding: rest[..<brace], as: UTF8.self)
  }

  /// A fault that covers the reference up to its closing brace or, if that is far, to the current
  /// offset.
  private mutating func malformed(_ message: String, hint: String, from start: Int) -> TemplateFault
  {
    let rest = bytes[offset...].prefix(80)
    if let brace = rest.firstIndex(of: UInt8(ascii: "}")) { move(to: brace + 1) }
    return TemplateFault(
      rule: RuleID.nearMissReference, message: message, hint: hint, bytes: start..<offset)
  }
}
