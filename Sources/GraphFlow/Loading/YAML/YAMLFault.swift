/// The diagnostics of files that are not YAML.
enum YAMLFault {
  /// The diagnostic for a file that is too large, in another encoding or not text; else nil.
  static func refusal(of source: SourceFile) -> Diagnostic? {
    let bytes = source.bytes
    func refuse(
      _ rule: RuleID, _ message: String, at offset: Int = 0, hint: String? = nil
    ) -> Diagnostic {
      Diagnostic(
        rule: rule.rawValue, message: message, file: source.path,
        location: offset == 0 ? .start : SourceLines(of: bytes).location(ofByte: offset), hint: hint
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

  static func diagnostic(for fault: YAMLEvents.ParserFault, in source: SourceFile) -> Diagnostic {
    let lines = SourceLines(of: source.bytes)
    var place = fault.place
    if let offset = fault.byteOffset {
      var first = offset + SourceFile.markLength(of: source.bytes)
      // The byte that libyaml reports may be in the middle of a character.
      for _ in 0..<3 where first > 0 && first <= source.bytes.count {
        if source.bytes[first - 1] >= 0xc0 { first -= 1 }
      }
      place = lines.location(ofByte: first)
    }
    let found = SyntaxErrorContext(fault: fault, lines: lines, place: place).explanation
    return Diagnostic(
      rule: RuleID.syntax.rawValue,
      message: found.message.prefix(1).lowercased() + found.message.dropFirst(), file: source.path,
      location: found.location, hint: found.hint)
  }
}
