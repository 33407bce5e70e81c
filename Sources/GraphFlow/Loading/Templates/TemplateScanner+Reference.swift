extension TemplateScanner {
  /// Reads what begins at the brace where the scanner stands, and moves behind it.
  ///
  /// After ``Finding/text`` the scanner may stand anywhere behind the brace.
  mutating func finding() -> Finding {
    let start = offset
    move(to: offset.byte + 1)
    let word = take(while: WorkflowName.isStart)
    let keyword = ScannedReference.Keyword(rawValue: word.text)
    switch (keyword, byte()) {
    case (.result?, UInt8(ascii: "=")): return result(from: start)
    case (.input?, UInt8(ascii: "=")): return named(.input, from: start)
    case (.run?, UInt8(ascii: "=")): return named(.run, from: start)
    case (.item?, UInt8(ascii: "=")):
      move(to: offset.byte + 1)
      return tail(of: reference(.item, from: start), from: start)
    case (.item?, UInt8(ascii: "}")), (.index?, UInt8(ascii: "}")):
      var reference = reference(keyword ?? .item, from: start)
      move(to: offset.byte + 1)
      reference.whole = piece(from: start)
      return .reference(reference)
    default:
      offset = start
      return nearMiss()
    }
  }

  private func reference(
    _ keyword: ScannedReference.Keyword,
    from start: TextOffset
  ) -> ScannedReference {
    ScannedReference(keyword: keyword, whole: piece(from: start))
  }

  /// `=NAME}`, `=NAME:QUERY}`, either with `| DEFAULT`.
  private mutating func result(from start: TextOffset) -> Finding {
    move(to: offset.byte + 1)
    var reference = reference(.result, from: start)
    let name = take { WorkflowName.isPart($0) || $0 == UInt8(ascii: ".") }
    reference.name = name
    guard !name.text.isEmpty else {
      return .fault(
        malformed(
          "a request's name must follow 'result='",
          hint: "write {result=NAME:$.id}",
          from: start
        )
      )
    }
    switch byte() {
    case UInt8(ascii: "}"):
      move(to: offset.byte + 1)
      reference.whole = piece(from: start)
      return .reference(reference)
    case UInt8(ascii: ":"):
      move(to: offset.byte + 1)
      return tail(of: reference, from: start)
    case UInt8(ascii: " "), UInt8(ascii: "|"):
      let here = offset
      skipSpaces()
      if byte() == UInt8(ascii: "|") { return fallback(of: reference, from: start) }
      offset = here
    default: break
    }
    return .fault(
      malformed(
        "expected ':' and a query, or '}', after '\(YAMLFault.short(name.text))'",
        hint: "write {result=\(name.text):$.id}",
        from: start
      )
    )
  }

  /// `=NAME}`.
  private mutating func named(
    _ keyword: ScannedReference.Keyword,
    from start: TextOffset
  ) -> Finding {
    move(to: offset.byte + 1)
    var reference = reference(keyword, from: start)
    let name = take(while: WorkflowName.isPart)
    reference.name = name
    let example = keyword == .run ? "id" : name.text.isEmpty ? "NAME" : name.text
    guard !name.text.isEmpty, byte() == UInt8(ascii: "}") else {
      let hint =
        byte() == UInt8(ascii: "|")
        ? "an input's default stands under 'inputs'" : "write {\(keyword.rawValue)=\(example)}"
      return .fault(
        malformed("'{\(keyword.rawValue)=' takes a name and '}'", hint: hint, from: start)
      )
    }
    move(to: offset.byte + 1)
    reference.whole = piece(from: start)
    return .reference(reference)
  }

  /// The query, up to the brace or bar outside its brackets, parentheses and quotes.
  private mutating func tail(of found: ScannedReference, from start: TextOffset) -> Finding {
    var reference = found
    let queryStart = offset
    var quote: UInt8?
    var depth = 0
    var index = offset.byte
    search: while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "\\") where quote != nil: index += 1
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        if quote == nil { quote = byte } else if quote == byte { quote = nil }
      case _ where quote != nil: break
      case UInt8(ascii: "["), UInt8(ascii: "("): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: ")"): depth -= 1
      case UInt8(ascii: "}") where depth <= 0, UInt8(ascii: "|") where depth <= 0: break search
      default: break
      }
      index += 1
    }
    guard index < bytes.count else {
      let message =
        quote != nil || depth > 0
        ? "this reference is never closed: a quote or bracket in it is not"
        : "this reference is never closed"
      move(to: bytes.count)
      return .fault(
        TemplateFault(
          rule: RuleID.nearMissReference,
          message: message,
          hint: "end it with '}'",
          start: start,
          end: queryStart
        )
      )
    }
    var end = index
    while end > queryStart.byte, bytes[end - 1] == UInt8(ascii: " ") { end -= 1 }
    move(to: end)
    reference.query = piece(from: queryStart)
    move(to: index)
    if bytes[index] == UInt8(ascii: "|") { return fallback(of: reference, from: start) }
    move(to: index + 1)
    reference.whole = piece(from: start)
    return .reference(reference)
  }

  /// `| DEFAULT}`: JSON with balanced braces, or bare text up to the first brace.
  private mutating func fallback(of found: ScannedReference, from start: TextOffset) -> Finding {
    var reference = found
    move(to: offset.byte + 1)
    skipSpaces()
    let textStart = offset
    let isJSON = byte().map { "{[\"".utf8.contains($0) } ?? false
    var isQuoted = false
    var depth = 0
    var index = offset.byte
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
          message: "this reference is never closed",
          hint: "end it with '}'",
          start: start,
          end: textStart
        )
      )
    }
    var end = index
    while end > textStart.byte, bytes[end - 1] == UInt8(ascii: " ") { end -= 1 }
    move(to: end)
    reference.fallback = piece(from: textStart)
    move(to: index + 1)
    reference.whole = piece(from: start)
    return .reference(reference)
  }

  /// A fault that covers the reference up to its closing brace or, if that is far, to here.
  private mutating func malformed(
    _ message: String,
    hint: String,
    from start: TextOffset
  ) -> TemplateFault {
    let rest = bytes[offset.byte...].prefix(80)
    if let brace = rest.firstIndex(of: UInt8(ascii: "}")) { move(to: brace + 1) }
    return TemplateFault(
      rule: RuleID.nearMissReference,
      message: message,
      hint: hint,
      start: start,
      end: offset
    )
  }
}
