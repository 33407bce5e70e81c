internal import JSONPath

extension WorkflowReader {
  /// A map's members, by key.
  struct Members {
    let entries: [YAMLNode.Entry]
    /// Where to report what is missing.
    let location: SourceLocation
    /// Keys that unknown ones were meant for: that they are missing need not be said as well.
    var meant: Set<String> = []

    subscript(key: String) -> YAMLNode? { entries.first { $0.key == key }?.value }

    /// Where a key stands.
    func keyLocation(_ key: String) -> SourceLocation {
      entries.first { $0.key == key }?.keyLocation ?? location
    }
  }

  /// Reports that a value has the wrong type, unless it has been reported already.
  mutating func reportType(
    _ node: YAMLNode,
    _ subject: Subject,
    takes expected: String,
    hint: String? = nil
  ) {
    if case .invalid = node.content { return }
    if case .mapping(let entries) = node.content, let written = Self.unquotedReference(entries) {
      return reportUnquoted(written, at: node.location)
    }
    report(
      RuleID.wrongType,
      "\(subject) takes \(expected), but this is \(node.kindName)",
      at: node.location,
      hint: hint
    )
  }

  /// The members of a map; a key that is not among the known ones is reported.
  mutating func members(
    of node: YAMLNode,
    _ subject: Subject,
    in place: Subject? = nil,
    known keys: [String],
    owner: SourceLocation? = nil
  ) -> Members? {
    guard let entries = entries(of: node, subject) else { return nil }
    var members = Members(entries: entries, location: owner ?? node.location)
    for entry in entries where !keys.contains(entry.key) {
      if let key = reportUnknownKey(entry, in: place ?? subject, among: entries, known: keys) {
        members.meant.insert(key)
      }
    }
    return members
  }

  /// The entries of a map whose keys are names of the author's.
  mutating func entries(
    of node: YAMLNode,
    _ subject: Subject,
    hint: String? = nil
  ) -> [YAMLNode.Entry]? {
    guard case .mapping(let entries) = node.content, Self.unquotedReference(entries) == nil else {
      reportType(node, subject, takes: "a map", hint: hint ?? Self.hintForMap(node))
      return nil
    }
    return entries
  }

  /// The elements of a list.
  mutating func elements(
    of node: YAMLNode,
    _ subject: Subject,
    hint: String? = nil
  ) -> [YAMLNode]? {
    if case .sequence(let elements) = node.content { return elements }
    var hint = hint
    if case .string(let text)? = node.scalarValue {
      if let oddity = OddCharacter(in: String(text.prefix(1))), !oddity.isQuote {
        hint = "the list begins with \(oddity.name): type '-'"
      } else if hint == nil {
        hint = "write [\(YAMLFault.short(text))]"
      }
    }
    reportType(node, subject, takes: "a list", hint: hint)
    return nil
  }

  /// A text that is a string by YAML's rules.
  mutating func text(_ node: YAMLNode, _ subject: Subject) -> String? {
    switch node.scalarValue {
    case .string(let text)?: return text
    case nil, .null?: reportType(node, subject, takes: "text")
    default: reportType(node, subject, takes: "text", hint: "put it in quotes")
    }
    return nil
  }

  /// A text that is not empty.
  mutating func filledText(_ node: YAMLNode, _ subject: Subject) -> String? {
    guard let text = text(node, subject) else { return nil }
    guard !text.isEmpty else {
      report(RuleID.invalidValue, "\(subject) is empty", at: node.location)
      return nil
    }
    return text
  }

  /// `true` or `false`.
  mutating func boolean(_ node: YAMLNode, _ subject: Subject) -> Bool? {
    switch node.scalarValue {
    case .bool(let value)?: return value
    case .string(let text)?:
      let meant = ["yes": "true", "on": "true", "no": "false", "off": "false"][text.lowercased()]
      reportType(node, subject, takes: "true or false", hint: meant.map { "write \($0)" })
    default: reportType(node, subject, takes: "true or false")
    }
    return nil
  }

  /// A whole number that is not too small.
  mutating func integer(_ node: YAMLNode, _ subject: Subject, atLeast minimum: Int) -> Int? {
    guard case .integer(let number)? = node.scalarValue else {
      reportType(node, subject, takes: "a whole number")
      return nil
    }
    guard let value = number.integer, value >= minimum else {
      report(
        RuleID.invalidValue,
        "\(subject) must be \(minimum) or more, and not \(YAMLFault.short(number.lexeme))",
        at: node.location
      )
      return nil
    }
    return value
  }

  /// One of a few words.
  mutating func choice<Word: RawRepresentable<String> & CaseIterable>(
    _ node: YAMLNode,
    _ subject: Subject,
    of type: Word.Type = Word.self
  ) -> Word? {
    if case .string(let text)? = node.scalarValue, let word = Word(rawValue: text) { return word }
    let words = Word.allCases.map(\.rawValue)
    let list = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
    guard case .string(let text)? = node.scalarValue else {
      reportType(node, subject, takes: list)
      return nil
    }
    let nearest = suggestion(for: text, among: words)
    report(
      RuleID.invalidValue,
      "\(subject) is \(list), not '\(YAMLFault.short(text))'",
      at: node.location,
      hint: nearest.map { "did you mean '\($0)'?" },
      fix: nearest
    )
    return nil
  }

  /// A length of time: a whole number and `ms`, `s`, `m` or `h`.
  mutating func duration(
    _ node: YAMLNode,
    _ subject: Subject,
    allowsZero: Bool = false
  ) -> Duration? {
    guard case .string(let text)? = node.scalarValue else {
      var hint: String?
      switch node.scalarValue {
      case .integer(let number)?, .float(let number)?:
        hint = DurationText.nearest(to: number.lexeme).map { "write \($0)" }
      default: break
      }
      reportType(node, subject, takes: "a duration such as 30s", hint: hint)
      return nil
    }
    guard let duration = DurationText.duration(text) else {
      report(
        RuleID.invalidValue,
        "'\(YAMLFault.short(text))' is not a duration",
        at: node.location,
        hint: DurationText.nearest(to: text).map { "write \($0)" }
          ?? "write 250ms, 30s, 5m or 2h; at most 8760h"
      )
      return nil
    }
    guard allowsZero || duration > .zero else {
      report(RuleID.invalidValue, "\(subject) must be longer than nothing", at: node.location)
      return nil
    }
    return duration
  }

  /// The names in the list of a key.
  mutating func names(_ node: YAMLNode, _ key: String) -> [YAMLName] {
    guard let elements = elements(of: node, Subject(key: key)) else { return [] }
    return elements.compactMap { element in
      filledText(element, Subject("an entry of", key)).map {
        YAMLName(text: $0, location: element.location)
      }
    }
  }
}

/// A name in a list, and where it stands.
struct YAMLName {
  let text: String
  let location: SourceLocation
}
