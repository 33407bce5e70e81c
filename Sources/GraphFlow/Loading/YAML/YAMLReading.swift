package import JSONPath

/// Reads the maps, lists and values of a YAML file, and collects every problem.
///
/// A value that cannot be used is reported once and read as nil, so that the rest of the file is
/// still checked. The caller looks at the findings after reading everything.
package protocol YAMLReading: SendableMetatype {
  /// The problems found so far.
  var findings: Findings { get set }

  /// Reports an unknown key of a map.
  ///
  /// - Returns: The key that was probably meant.
  mutating func reportUnknownKey(
    _ entry: YAMLNode.Entry, in subject: Subject, among entries: [YAMLNode.Entry],
    known keys: [String]
  ) -> String?
}

/// A name in a list, and its location.
struct YAMLName {
  let text: String
  let location: SourceLocation
}

// MARK: Reporting

extension YAMLReading {
  /// Reports an error.
  package mutating func report(
    _ rule: RuleID, _ message: String, at location: SourceLocation, hint: String? = nil,
    fix: String? = nil
  ) { findings.report(rule, message, at: location, hint: hint, fix: fix) }

  /// Reports a warning.
  mutating func warn(
    _ rule: RuleID, _ message: String, at location: SourceLocation, hint: String? = nil
  ) { findings.report(rule, message, as: .warning, at: location, hint: hint) }

  /// Reports an unknown word, with the nearest known one as hint and fix.
  mutating func report(
    _ rule: RuleID, _ message: String, at location: SourceLocation, nearest: String?,
    otherwise hint: String? = nil
  ) {
    let hint = nearest.map { "did you mean '\($0)'?" } ?? hint
    report(rule, message, at: location, hint: hint, fix: nearest)
  }

  /// The nearest of several names, unless the file has used up its comparisons.
  package mutating func suggestion(
    for name: String, among names: some Collection<String>, except excluded: [String?] = []
  ) -> String? {
    guard findings.comparisonsLeft > 0 else { return nil }
    findings.comparisonsLeft -= names.count
    return NearestName.to(name, among: names.lazy.filter { !excluded.contains($0) })
  }

  package mutating func reportUnknownKey(
    _ entry: YAMLNode.Entry, in subject: Subject, among entries: [YAMLNode.Entry],
    known keys: [String]
  ) -> String? {
    let nearest = suggestion(for: entry.key, among: keys)
    report(
      .unknownKey, "unknown key '\(YAMLFault.short(entry.key))' in \(subject)",
      at: entry.keyLocation, nearest: nearest,
      otherwise: "expected one of: " + keys.joined(separator: ", "))
    return nearest
  }

  /// Reports a value of the wrong type, unless the value has already been reported.
  package mutating func reportType(
    _ node: YAMLNode, _ subject: Subject, takes expected: String, hint: String? = nil
  ) {
    if case .invalid = node.content { return }
    if reportUnquotedReference(node) { return }
    report(
      .wrongType, "\(subject) takes \(expected), but this is \(node.kindName)", at: node.location,
      hint: hint)
  }

  /// Reports a reference without quotes, which YAML reads as a map; false if it is something else.
  mutating func reportUnquotedReference(_ node: YAMLNode) -> Bool {
    guard let written = node.unquotedReference else { return false }
    report(
      .nearMissReference, "without quotes '\(YAMLFault.short(written))' is a YAML map",
      at: node.location, hint: "write \"\(YAMLFault.short(written))\"", fix: "\"\(written)\"")
    return true
  }
}

// MARK: Maps and lists

extension YAMLReading {
  /// The members of a map, by key.
  package typealias Members = YAMLMembers

  /// The members of a map; unknown keys are reported.
  ///
  /// - Parameters:
  ///   - node: The map.
  ///   - subject: What the map is, in messages about a wrong type.
  ///   - place: What the map is, in messages about an unknown key; by default the subject.
  ///   - keys: The keys that the map may have.
  ///   - owner: Where to report a missing key; by default the map's location.
  /// - Returns: The members; nil if the node is not a map.
  package mutating func members(
    of node: YAMLNode, _ subject: Subject, in place: Subject? = nil, known keys: [String],
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

  /// Reads the values of the keys that are present.
  package mutating func read<Whole>(
    _ members: Members, into whole: inout Whole, by keys: [YAMLKey<Self, Whole>]
  ) {
    for key in keys { if let node = members[key.name] { key.read(&self, node, &whole) } }
  }

  /// The entries of a map whose keys are names that the author chose.
  package mutating func entries(
    of node: YAMLNode, _ subject: Subject, hint: String? = nil
  ) -> [YAMLNode.Entry]? {
    guard case .mapping(let entries) = node.content, node.unquotedReference == nil else {
      reportType(node, subject, takes: "a map", hint: hint ?? node.hintForMap)
      return nil
    }
    return entries
  }

  /// The value of a required key; a missing key is reported.
  package mutating func required(
    _ key: String, in members: Members, of subject: Subject, hint: String? = nil
  ) -> YAMLNode? {
    if !members.mentions(key) {
      report(.missingKey, "\(subject) needs '\(key)'", at: members.location, hint: hint)
    }
    return members[key]
  }

  /// The elements of a list; nil if the node is not a list.
  package mutating func elements(
    of node: YAMLNode, _ subject: Subject, hint: String? = nil
  ) -> [YAMLNode]? {
    if case .sequence(let elements) = node.content { return elements }
    var hint = hint
    if case .string(let text)? = node.scalarValue {
      if let confusable = ConfusableCharacter(in: String(text.prefix(1))), !confusable.isQuote {
        hint = "the list begins with \(confusable.name): type '-'"
      } else if hint == nil {
        hint = "write [\(YAMLFault.short(text))]"
      }
    }
    reportType(node, subject, takes: "a list", hint: hint)
    return nil
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

// MARK: Values

extension YAMLReading {
  /// A value that is a string by YAML's rules.
  package mutating func text(_ node: YAMLNode, _ subject: Subject) -> String? {
    switch node.scalarValue {
    case .string(let text)?: return text
    case nil, .null?: reportType(node, subject, takes: "text")
    default: reportType(node, subject, takes: "text", hint: "put it in quotes")
    }
    return nil
  }

  /// A text that is not empty.
  package mutating func filledText(_ node: YAMLNode, _ subject: Subject) -> String? {
    guard let text = text(node, subject) else { return nil }
    guard !text.isEmpty else {
      report(.invalidValue, "\(subject) is empty", at: node.location)
      return nil
    }
    return text
  }

  /// `true` or `false`.
  package mutating func boolean(_ node: YAMLNode, _ subject: Subject) -> Bool? {
    switch node.scalarValue {
    case .bool(let value)?: return value
    case .string(let text)?:
      let meant = ["yes": "true", "on": "true", "no": "false", "off": "false"][text.lowercased()]
      reportType(node, subject, takes: "true or false", hint: meant.map { "write \($0)" })
    default: reportType(node, subject, takes: "true or false")
    }
    return nil
  }

  /// A whole number within bounds.
  package mutating func integer(
    _ node: YAMLNode, _ subject: Subject, in range: ClosedRange<Int>
  ) -> Int? {
    guard case .integer(let number)? = node.scalarValue else {
      reportType(node, subject, takes: "a whole number")
      return nil
    }
    let (least, most) = (range.lowerBound, range.upperBound)
    if let value = number.integer, range.contains(value) { return value }
    let isTooSmall = number.integer ?? .min < least
    let bound = isTooSmall ? "\(least) or more" : least == most ? "\(most)" : "\(most) or less"
    report(
      .invalidValue, "\(subject) must be \(bound), not \(YAMLFault.short(number.lexeme))",
      at: node.location)
    return nil
  }

  /// A whole number with a lower bound.
  mutating func integer(_ node: YAMLNode, _ subject: Subject, atLeast minimum: Int) -> Int? {
    integer(node, subject, in: minimum...(.max))
  }

  /// A number, with or without a fraction.
  mutating func number(_ node: YAMLNode, _ subject: Subject) -> JSON.Number? {
    switch node.scalarValue {
    case .integer(let number)?, .float(let number)?: return number
    default:
      reportType(node, subject, takes: "a number")
      return nil
    }
  }

  /// A number, with or without a fraction, within bounds.
  package mutating func number(
    _ node: YAMLNode, _ subject: Subject, in range: ClosedRange<Double>
  ) -> Double? {
    guard let number = number(node, subject) else { return nil }
    if range.contains(number.double) { return number.double }
    func text(_ bound: Double) -> String { Int(exactly: bound).map { "\($0)" } ?? "\(bound)" }
    report(
      .invalidValue,
      "\(subject) must be from \(text(range.lowerBound)) to \(text(range.upperBound)), not "
        + YAMLFault.short(number.lexeme), at: node.location)
    return nil
  }

  /// One of a few words.
  package mutating func choice<Word: RawRepresentable<String> & CaseIterable>(
    _ node: YAMLNode, _ subject: Subject, of type: Word.Type = Word.self
  ) -> Word? {
    if case .string(let text)? = node.scalarValue, let word = Word(rawValue: text) { return word }
    let words = Word.allCases.map(\.rawValue)
    let list = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
    guard case .string(let text)? = node.scalarValue else {
      reportType(node, subject, takes: list)
      return nil
    }
    report(
      .invalidValue, "\(subject) must be \(list), not '\(YAMLFault.short(text))'",
      at: node.location, nearest: suggestion(for: text, among: words))
    return nil
  }

  /// A length of time: a whole number and `ms`, `s`, `m` or `h`.
  package mutating func duration(
    _ node: YAMLNode, _ subject: Subject, allowsZero: Bool = false
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
        .invalidValue, "'\(YAMLFault.short(text))' is not a duration", at: node.location,
        hint: DurationText.nearest(to: text).map { "write \($0)" }
          ?? "write 250ms, 30s, 5m or 2h; at most 8760h")
      return nil
    }
    guard allowsZero || duration > .zero else {
      report(.invalidValue, "\(subject) must be greater than zero", at: node.location)
      return nil
    }
    return duration
  }

  /// Any value, as JSON.
  package mutating func value(_ node: YAMLNode, _ subject: Subject) -> JSON? {
    switch node.content {
    case .invalid: return nil
    case .scalar(let scalar):
      if let value = CoreSchema.value(of: scalar).json { return value }
      report(
        .invalidValue, "\(subject) cannot be \(scalar.text): JSON has no such number",
        at: node.location)
      return nil
    case .sequence(let elements): return .array(elements.compactMap { value($0, subject) })
    case .mapping(let entries):
      let members = entries.compactMap { entry in
        value(entry.value, subject).map { (entry.key, $0) }
      }
      return .object(JSON.Object(members))
    }
  }
}
