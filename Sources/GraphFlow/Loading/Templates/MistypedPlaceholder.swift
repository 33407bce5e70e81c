extension TemplateScanner {
  /// Reads a brace that opens no reference: a fault if it is a mistyped placeholder, nil for text.
  ///
  /// Text is sent unchanged, so only a close resemblance to a reference is a fault: the keyword in
  /// another case, with spaces, with `:` or `.` for `=`, or with a wrong letter or two.
  mutating func mistypedPlaceholder() -> Part? {
    let start = offset
    move(to: offset + 1)
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
        rule: RuleID.nearMissReference, message: "'{\(word.text)=' is not a reference",
        hint: "did you mean '\(keyword.rawValue)'? For literal text write '{{'",
        fix: keyword.rawValue, bytes: word.bytes)
      skipReference()
      return .fault(fault)
    }
    move(to: offset + (separator == UInt8(ascii: "}") ? 0 : 1))
    skipSpaces()
    let rest = piece { WorkflowName.isPart($0) || $0 == UInt8(ascii: ".") }
    skipReference()
    let written = piece(start..<offset)
    return .fault(
      TemplateFault(
        rule: RuleID.nearMissReference,
        message: "'\(YAMLFault.short(written.text))' is not a reference",
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

  /// Whether `=NAME:$` follows.
  private var isFollowedByQuery: Bool {
    let rest = bytes[offset...].dropFirst()
    let name = rest.prefix(while: WorkflowName.isPart)
    let tail = bytes[name.endIndex...]
    return !name.isEmpty && tail.starts(with: ":$".utf8)
  }

  /// Moves past the closing brace of a mistyped placeholder, if the brace is near.
  private mutating func skipReference() {
    let rest = bytes[offset...].prefix(120)
    if let brace = rest.firstIndex(of: UInt8(ascii: "}")) { move(to: brace + 1) }
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
      rule: RuleID.nearMissReference,
      message: "in quotes '\(YAMLFault.short(reference.whole.text))' is text, not a reference",
      hint: "remove the quotes around it", bytes: reference.whole.bytes)
  }
}
