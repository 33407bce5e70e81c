extension TemplateScanner {
  /// Reads what begins at the brace where the scanner stands, and moves behind it.
  ///
  /// It is nil for ordinary text; the scanner may then stand anywhere behind the brace.
  mutating func partInBraces() -> Part? {
    let start = offset
    move(to: offset + 1)
    let word = take(while: WorkflowName.isStart)
    let keyword = ScannedReference.Keyword(rawValue: word.text)
    switch (keyword, byte()) {
    case (.result?, UInt8(ascii: "=")): return result(from: start)
    case (.input?, UInt8(ascii: "=")): return named(.input, from: start)
    case (.run?, UInt8(ascii: "=")): return named(.run, from: start)
    case (.item?, UInt8(ascii: "=")):
      move(to: offset + 1)
      return tail(of: reference(.item, from: start), from: start)
    case (.item?, UInt8(ascii: "}")), (.index?, UInt8(ascii: "}")):
      return closed(reference(keyword ?? .item, from: start), from: start)
    default:
      offset = start
      return nearMiss()
    }
  }

  private func reference(
    _ keyword: ScannedReference.Keyword,
    from start: Int
  ) -> ScannedReference {
    ScannedReference(keyword: keyword, whole: piece(start..<offset))
  }

  /// `=NAME}`, `=NAME:QUERY}`, either with `| DEFAULT`.
  private mutating func result(from start: Int) -> Part {
    move(to: offset + 1)
    var reference = reference(.result, from: start)
    let name = take { WorkflowName.isPart($0) || $0 == UInt8(ascii: ".") }
    reference.name = name
    guard !name.text.isEmpty else {
      return .fault(
        malformed(
          "a request's name must follow 'result='",
          hint: "write {result=NAME:\(rest(from: name.bytes.lowerBound, default: "$.id"))}",
          from: start
        )
      )
    }
    switch byte() {
    case UInt8(ascii: "}"):
      return closed(reference, from: start)
    case UInt8(ascii: ":"):
      move(to: offset + 1)
      return tail(of: reference, from: start)
    case UInt8(ascii: " "), UInt8(ascii: "|"):
      let here = offset
      skipSpaces()
      if byte() == UInt8(ascii: "|") { return fallback(of: reference, from: start) }
      offset = here
    default: break
    }
    let dotted =
      name.text.contains(".") ? rest(from: name.bytes.lowerBound, default: name.text) : nil
    let own = name.text.prefix { $0 != "." }
    var fault = malformed(
      "expected ':' and a query, or '}', after '\(YAMLFault.short(String(own)))'",
      hint: "write {result=\(own):$\(name.text.dropFirst(own.count).isEmpty ? ".id" : "")}",
      from: start
    )
    fault.dotted = dotted
    return .fault(fault)
  }

  /// `=NAME}`.
  private mutating func named(
    _ keyword: ScannedReference.Keyword,
    from start: Int
  ) -> Part {
    move(to: offset + 1)
    var reference = reference(keyword, from: start)
    let name = take(while: WorkflowName.isPart)
    reference.name = name
    let example = keyword == .run ? "id" : name.text.isEmpty ? "NAME" : name.text
    guard !name.text.isEmpty, byte() == UInt8(ascii: "}") else {
      skipSpaces()
      let hint =
        byte() == UInt8(ascii: "|")
        ? "an input's default stands under 'inputs'" : "write {\(keyword.rawValue)=\(example)}"
      return .fault(
        malformed("'{\(keyword.rawValue)=' takes a name and '}'", hint: hint, from: start)
      )
    }
    return closed(reference, from: start)
  }

  /// The query, up to the brace or bar outside its brackets, parentheses and quotes.
  private mutating func tail(of found: ScannedReference, from start: Int) -> Part {
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
      // Another one begins, which no query can hold.
      case UInt8(ascii: "{") where openers.isEmpty:
        return .fault(unclosed(from: start, queryStart, at: index, nil))
      default: break
      }
      index += 1
    }
    guard index < bytes.count else {
      let inner = quote?.place ?? openers.last
      return .fault(unclosed(from: start, queryStart, at: bytes.count, inner))
    }
    reference.query = trimmedPiece(queryStart..<index)
    move(to: index)
    if bytes[index] == UInt8(ascii: "|") { return fallback(of: reference, from: start) }
    return closed(reference, from: start)
  }

  /// `| DEFAULT}`: JSON with balanced braces, or bare text up to the first brace.
  private mutating func fallback(of found: ScannedReference, from start: Int) -> Part {
    var reference = found
    move(to: offset + 1)
    if byte() == UInt8(ascii: "|") {
      return .fault(
        malformed("a default stands behind one '|', not two", hint: "write | none", from: start)
      )
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
            ? "the default is not JSON: a quote or bracket in it is never closed"
            : "this reference is never closed",
          hint: isJSON ? "close it, or write text that begins with a letter" : "end it with '}'",
          bytes: isJSON ? textStart..<offset : start..<textStart
        )
      )
    }
    reference.fallback = trimmedPiece(textStart..<index)
    move(to: index)
    return closed(reference, from: start)
  }

  /// The reference whose closing brace is next.
  private mutating func closed(_ reference: ScannedReference, from start: Int) -> Part {
    move(to: offset + 1)
    var reference = reference
    reference.whole = piece(start..<offset)
    return .reference(reference)
  }

  /// Some bytes of the text without the spaces at their end.
  private func trimmedPiece(_ range: Range<Int>) -> ScannedReference.Piece {
    let last = bytes[range].lastIndex { $0 != UInt8(ascii: " ") }
    return piece(range.lowerBound..<(last.map { $0 + 1 } ?? range.lowerBound))
  }

  /// A reference without its brace, because of a quote or bracket in it that is not closed or not.
  private mutating func unclosed(
    from start: Int,
    _ queryStart: Int,
    at end: Int,
    _ inner: Int?
  ) -> TemplateFault {
    var fault = TemplateFault(
      rule: RuleID.nearMissReference,
      message: "this reference is never closed",
      hint: "end it with '}'",
      bytes: start..<queryStart
    )
    if let inner {
      let mark = Character(Unicode.Scalar(bytes[inner]))
      let closing: Character = mark == "[" ? "]" : mark == "(" ? ")" : mark
      fault.message = "this \(mark) is never closed, and so the reference is not"
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

  /// What stands between a place and the closing brace, if that is near.
  private func rest(from start: Int, default other: String) -> String {
    let rest = bytes[start...].prefix(80)
    guard let brace = rest.firstIndex(of: UInt8(ascii: "}")), brace > start else {
      return other
    }
    return String(decoding: rest[..<brace], as: UTF8.self)
  }

  /// A fault that covers the reference up to its closing brace or, if that is far, to here.
  private mutating func malformed(
    _ message: String,
    hint: String,
    from start: Int
  ) -> TemplateFault {
    let rest = bytes[offset...].prefix(80)
    if let brace = rest.firstIndex(of: UInt8(ascii: "}")) { move(to: brace + 1) }
    return TemplateFault(
      rule: RuleID.nearMissReference,
      message: message,
      hint: hint,
      bytes: start..<offset
    )
  }
}
