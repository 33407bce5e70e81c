package import JSONPath

/// Values of one type; nil for another value, which is reported.
extension YAMLReading {
  /// A value that is a string by YAML's rules.
  package func text(_ node: YAMLNode, _ subject: Subject) -> String? {
    switch node.scalarValue {
    case .string(let text)?: return text
    case nil, .null?: return refuse(node, subject, takes: "text")
    default: return refuse(node, subject, takes: "text", hint: "put it in quotes")
    }
  }

  package func filledText(_ node: YAMLNode, _ subject: Subject) -> String? {
    guard let text = text(node, subject) else { return nil }
    if !text.isEmpty { return text }
    return refuse(node, "\(subject) is empty")
  }

  package func boolean(_ node: YAMLNode, _ subject: Subject) -> Bool? {
    var hint: String?
    switch node.scalarValue {
    case .bool(let value)?: return value
    case .string(let text)?:
      let meant = ["yes": "true", "on": "true", "no": "false", "off": "false"][text.lowercased()]
      hint = meant.map { "write \($0)" }
    default: break
    }
    return refuse(node, subject, takes: "true or false", hint: hint)
  }

  package func integer(_ node: YAMLNode, _ subject: Subject, in range: ClosedRange<Int>) -> Int? {
    guard case .integer(let number)? = node.scalarValue else {
      return refuse(node, subject, takes: "a whole number")
    }
    if let value = number.integer, range.contains(value) { return value }
    let (least, most) = (range.lowerBound, range.upperBound)
    let isTooSmall = number.integer ?? .min < least
    let bound = isTooSmall ? "\(least) or more" : least == most ? "\(most)" : "\(most) or less"
    return refuse(node, "\(subject) must be \(bound), not \(number.lexeme.short)")
  }

  func integer(_ node: YAMLNode, _ subject: Subject, atLeast minimum: Int) -> Int? {
    integer(node, subject, in: minimum...(.max))
  }

  /// A number, with or without a fraction.
  func number(_ node: YAMLNode, _ subject: Subject) -> JSON.Number? {
    node.scalarValue?.number ?? refuse(node, subject, takes: "a number")
  }

  /// A number, with or without a fraction, within bounds.
  package func number(
    _ node: YAMLNode, _ subject: Subject, in range: ClosedRange<Double>
  ) -> Double? {
    guard let number = number(node, subject) else { return nil }
    if range.contains(number.double) { return number.double }
    func text(_ bound: Double) -> String { Int(exactly: bound).map { "\($0)" } ?? "\(bound)" }
    return refuse(
      node,
      "\(subject) must be from \(text(range.lowerBound)) to \(text(range.upperBound)), not "
        + number.lexeme.short)
  }

  package func choice<Word: RawRepresentable<String> & CaseIterable>(
    _ node: YAMLNode, _ subject: Subject, of type: Word.Type = Word.self
  ) -> Word? {
    choice(node, subject, among: Word.allCases.map(\.rawValue)).flatMap(Word.init)
  }

  /// One of some words.
  package func choice(_ node: YAMLNode, _ subject: Subject, among words: [String]) -> String? {
    if case .string(let text)? = node.scalarValue, words.contains(text) { return text }
    let list = [words.dropLast().joined(separator: ", "), words.last ?? ""]
      .filter { !$0.isEmpty }.joined(separator: " or ")
    guard case .string(let text)? = node.scalarValue else {
      return refuse(node, subject, takes: list)
    }
    report(
      .invalidValue, "\(subject) must be \(list), not '\(text.short)'",
      at: node.location, nearest: suggestion(for: text, among: words))
    return nil
  }

  /// A length of time: a whole number and `ms`, `s`, `m` or `h`.
  package func duration(_ node: YAMLNode, _ subject: Subject, allowsZero: Bool = false) -> Duration?
  {
    guard case .string(let text)? = node.scalarValue else {
      let nearest = node.scalarValue?.number.flatMap { DurationText.nearest(to: $0.lexeme) }
      return refuse(
        node, subject, takes: "a duration such as 30s", hint: nearest.map { "write \($0)" })
    }
    guard let duration = DurationText.duration(text) else {
      return refuse(
        node, "'\(text.short)' is not a duration",
        hint: DurationText.nearest(to: text).map { "write \($0)" }
          ?? "write 250ms, 30s, 5m or 2h; at most 8760h")
    }
    if allowsZero || duration > .zero { return duration }
    return refuse(node, "\(subject) must be greater than zero")
  }

  package func value(_ node: YAMLNode, _ subject: Subject) -> JSON? {
    switch node.content {
    case .invalid: return nil
    case .scalar(let scalar):
      if let value = CoreSchema.value(of: scalar).json { return value }
      return refuse(node, "\(subject) cannot be \(scalar.text): JSON has no such number")
    case .sequence(let elements): return .array(elements.compactMap { value($0, subject) })
    case .mapping(let entries):
      let members = entries.compactMap { entry in
        value(entry.value, subject).map { (entry.key, $0) }
      }
      return .object(JSON.Object(members))
    }
  }
}
