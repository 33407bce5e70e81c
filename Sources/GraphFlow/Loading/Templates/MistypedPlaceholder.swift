extension TemplateScanner {
  /// Judges whether a brace that opens none of the forms is text or a slip of the pen.
  ///
  /// Text passes through unharmed, so only what resembles a form closely is a fault: its keyword in
  /// another case, with spaces, with `:` or `.` for `=`, or with a wrong letter or two.
  mutating func nearMiss() -> Part? {
    let start = offset
    move(to: offset + 1)
    skipSpaces()
    let word = take(while: WorkflowName.isStart)
    guard !word.text.isEmpty, word.text.utf8.count <= 16 else { return nil }
    skipSpaces()
    guard let separator = byte(), let keyword = keyword(meantBy: word.text, before: separator)
    else { return nil }
    let isSpaced = word.bytes != start + 1..<offset
    if keyword.rawValue != word.text, separator == UInt8(ascii: "="), !isSpaced {
      // Only the keyword is wrong, so it alone is marked and can be replaced.
      let fault = TemplateFault(
        rule: RuleID.nearMissReference,
        message: "'{\(word.text)=' is not a reference",
        hint: "did you mean '\(keyword.rawValue)'? For the text itself write '{{'",
        fix: keyword.rawValue,
        bytes: word.bytes
      )
      skipReference()
      return .fault(fault)
    }
    move(to: offset + (separator == UInt8(ascii: "}") ? 0 : 1))
    skipSpaces()
    let rest = take { WorkflowName.isPart($0) || $0 == UInt8(ascii: ".") }
    skipReference()
    let written = piece(start..<offset)
    return .fault(
      TemplateFault(
        rule: RuleID.nearMissReference,
        message: "'\(YAMLFault.short(written.text))' is not a reference",
        hint: "write \(keyword.example(rest.text)); for the text itself write '{{'",
        bytes: written.bytes
      )
    )
  }

  private func keyword(
    meantBy word: String,
    before separator: UInt8
  ) -> ScannedReference.Keyword? {
    typealias Keyword = ScannedReference.Keyword
    let isAssigned = separator == UInt8(ascii: "=")
    guard isAssigned || ":.}".utf8.contains(separator) else { return nil }
    let lowered = word.lowercased()
    if let keyword = Keyword(rawValue: lowered) { return keyword }
    let letters = Array(lowered.utf8)
    for keyword in Keyword.allCases where letters.first == keyword.rawValue.utf8.first {
      let distance = NearestName.distance(letters, Array(keyword.rawValue.utf8))
      if distance <= (isAssigned && letters.count >= 5 ? 2 : 1), letters.count >= 3 {
        // In braces alone only what stands so in the language: {items}, but not {resut}.
        if separator == UInt8(ascii: "}"), keyword != .item, keyword != .index { continue }
        return keyword
      }
    }
    // Whatever the word: `…=name:$` can only be meant as a reference.
    return isAssigned && isFollowedByQuery ? .result : nil
  }

  /// Whether `=NAME:$` follows.
  private var isFollowedByQuery: Bool {
    let rest = bytes[offset...].dropFirst()
    let name = rest.prefix(while: WorkflowName.isPart)
    let tail = bytes[name.endIndex...]
    return !name.isEmpty && tail.starts(with: ":$".utf8)
  }

  /// Moves behind what was meant to be a reference: its closing brace, if that is near.
  private mutating func skipReference() {
    let rest = bytes[offset...].prefix(120)
    if let brace = rest.firstIndex(of: UInt8(ascii: "}")) { move(to: brace + 1) }
  }
}

extension ScannedReference.Keyword {
  /// How the reference is written, with the name that was found if there is one.
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
  /// The fault of a reference that stands within quotes in an expression.
  static func quoted(_ reference: ScannedReference) -> TemplateFault {
    TemplateFault(
      rule: RuleID.nearMissReference,
      message: "in quotes '\(YAMLFault.short(reference.whole.text))' is text, not a reference",
      hint: "remove the quotes around it",
      bytes: reference.whole.bytes
    )
  }
}
