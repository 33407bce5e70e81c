/// What to say about files that are no YAML.
enum YAMLFault {
  /// Why a file is not even tried, if so: too large, in another encoding, or no text.
  static func refusal(of source: SourceFile) -> Diagnostic? {
    let bytes = source.bytes
    func refuse(
      _ rule: RuleID,
      _ message: String,
      at offset: Int = 0,
      hint: String? = nil
    )
      -> Diagnostic
    {
      Diagnostic(
        rule: rule.rawValue,
        message: message,
        file: source.path,
        location: offset == 0 ? .start : SourceLines(of: bytes).location(ofByte: offset),
        hint: hint
      )
    }
    if !source.isWhole || bytes.count > LoadingLimits.fileSize {
      return refuse(RuleID.limit, "the file is larger than 64 MiB")
    }
    if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff])
      || bytes.starts(with: [0, 0, 0xfe, 0xff])
    {
      return refuse(RuleID.syntax, "the file is not UTF-8", hint: "save it as UTF-8")
    }
    if let offset = bytes.firstIndex(of: 0) {
      return refuse(RuleID.syntax, "this is not a text file: it contains a NUL byte", at: offset)
    }
    return nil
  }

  /// The diagnostic for what stopped libyaml.
  static func diagnostic(for fault: YAMLEvents.Fault, in source: SourceFile) -> Diagnostic {
    let lines = SourceLines(of: source.bytes)
    var place = fault.place
    if let offset = fault.byteOffset {
      var first = offset + SourceFile.markLength(of: source.bytes)
      // The byte that libyaml names may be one in the middle of a character.
      for _ in 0..<3 where first > 0 && first <= source.bytes.count {
        if source.bytes[first - 1] >= 0xc0 { first -= 1 }
      }
      place = lines.location(ofByte: first)
    }
    let scene = SyntaxErrorContext(fault: fault, lines: lines, place: place)
    let found = explanation(in: scene) ?? scene.plainExplanation
    return Diagnostic(
      rule: RuleID.syntax.rawValue,
      message: found.message.prefix(1).lowercased() + found.message.dropFirst(),
      file: source.path,
      location: found.location,
      hint: found.hint
    )
  }

  /// What a person would say about a fault; nil where libyaml's words must do.
  private static func explanation(in scene: SyntaxErrorContext) -> SyntaxErrorContext.Explanation? {
    if scene.fault.byteOffset != nil { return nil }
    if let strange = scene.strangeIndent() { return strange }
    if let reference = scene.unquotedReference() { return reference }
    switch scene.fault.problem {
    case "mapping values are not allowed in this context":
      return scene.textAfterQuote() ?? scene.unexpectedColon()
    case "did not find expected key":
      return scene.strayBracket() ?? scene.textAfterQuote() ?? scene.misplacedLine()
    case "did not find expected '-' indicator": return scene.misplacedLine()
    case "could not find expected ':'":
      let key = scene.atContext
      return key.line(key.place.line).flatMap { scene.missingColon(in: $0) } ?? key.misplacedLine()
    case "block sequence entries are not allowed in this context": return scene.listAfterKey()
    case "did not find expected ',' or '}'", "did not find expected ',' or ']'":
      return scene.textAfterQuote() ?? scene.brokenBrackets()
    case "found unexpected end of stream": return scene.unclosedQuote()
    case "did not find expected <document start>": return scene.indentedBeginning()
    case "found character that cannot start any token": return scene.forbiddenBeginning()
    case "did not find expected comment or line break": return scene.textAfterBar()
    default: return scene.isAtEnd ? scene.brokenBrackets() : nil
    }
  }

  /// At most forty characters of a text, for quoting in a message.
  static func short(_ text: String) -> String {
    text.utf8.count > 40 && text.count > 40 ? text.prefix(39) + "…" : text
  }
}
