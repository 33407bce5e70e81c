package import JSONPath

/// Reads the maps, lists and values of a YAML file, and notes all that is wrong with them.
///
/// A value that cannot be used is reported once and comes back as nil, so that the others are still
/// checked: whoever reads goes on to the end, and looks then at what was found.
package protocol YAMLReading: SendableMetatype {
  /// What has been found so far.
  var findings: Findings { get set }
  /// How many names may still be compared with one that is wrong: a file may hold many of both.
  var comparisonsLeft: Int { get set }

  /// Reports a key that a map may not have.
  ///
  /// - Returns: The key that was probably meant.
  mutating func reportUnknownKey(
    _ entry: YAMLNode.Entry,
    in subject: Subject,
    among entries: [YAMLNode.Entry],
    known keys: [String]
  ) -> String?
}

/// A map's members, by key.
package struct YAMLMembers {
  /// The members in their order.
  package let entries: [YAMLNode.Entry]
  /// Where to report what is missing: the map's place, or its owner's.
  package let location: SourceLocation
  /// Keys that unknown ones were meant for: that they are missing need not be said as well.
  fileprivate(set) var meant: Set<String> = []

  init(entries: [YAMLNode.Entry], location: SourceLocation) {
    self.entries = entries
    self.location = location
  }

  /// The value of a key.
  package subscript(key: String) -> YAMLNode? { entries.first { $0.key == key }?.value }

  /// Where a key stands; the map's place if it is not there.
  package func keyLocation(_ key: String) -> SourceLocation {
    entries.first { $0.key == key }?.keyLocation ?? location
  }

  /// Whether a key is there, or an unknown one was meant for it.
  package func mentions(_ key: String) -> Bool { self[key] != nil || meant.contains(key) }
}

/// A key that a map may have, and what becomes of its value.
///
/// A table of these says which keys are known, and reads them.
package struct YAMLKey<Reader: YAMLReading, Whole: SendableMetatype>: Sendable {
  /// The key as it is written.
  package let name: String
  fileprivate let read: @Sendable (inout Reader, YAMLNode, inout Whole) -> Void

  /// A key whose value is part of what the map describes; nil leaves that part as it was.
  package init<Part>(
    _ name: String,
    _ part: any WritableKeyPath<Whole, Part> & Sendable,
    _ read: @escaping @Sendable (inout Reader, YAMLNode, Subject) -> Part?
  ) {
    self.name = name
    self.read = { reader, node, whole in
      if let value = read(&reader, node, Subject(key: name)) { whole[keyPath: part] = value }
    }
  }
}

/// A name in a list, and where it stands.
struct YAMLName {
  let text: String
  let location: SourceLocation
}

// MARK: Reporting

extension YAMLReading {
  /// Reports an error.
  package mutating func report(
    _ rule: RuleID,
    _ message: String,
    at location: SourceLocation,
    hint: String? = nil,
    fix: String? = nil
  ) {
    findings.report(rule, message, at: location, hint: hint, fix: fix)
  }

  /// Reports a warning.
  mutating func warn(
    _ rule: RuleID,
    _ message: String,
    at location: SourceLocation,
    hint: String? = nil
  ) {
    findings.report(rule, message, as: .warning, at: location, hint: hint)
  }

  /// Reports a word that is none of the known ones, with the nearest of them as hint and fix.
  mutating func report(
    _ rule: RuleID,
    _ message: String,
    at location: SourceLocation,
    nearest: String?,
    otherwise hint: String? = nil
  ) {
    let hint = nearest.map { "did you mean '\($0)'?" } ?? hint
    report(rule, message, at: location, hint: hint, fix: nearest)
  }

  /// The nearest of several names, as a hint.
  package mutating func suggestion(
    for name: String,
    among names: some Collection<String>,
    except excluded: [String?] = []
  ) -> String? {
    guard comparisonsLeft > 0 else { return nil }
    comparisonsLeft -= names.count
    return NearestName.to(name, among: names.lazy.filter { !excluded.contains($0) })
  }

  package mutating func reportUnknownKey(
    _ entry: YAMLNode.Entry,
    in subject: Subject,
    among entries: [YAMLNode.Entry],
    known keys: [String]
  ) -> String? {
    let nearest = suggestion(for: entry.key, among: keys)
    report(
      .unknownKey,
      "unknown key '\(YAMLFault.short(entry.key))' in \(subject)",
      at: entry.keyLocation,
      nearest: nearest,
      otherwise: "expected one of: " + keys.joined(separator: ", ")
    )
    return nearest
  }

  /// Reports that a value has the wrong type, unless it has been reported already.
  package mutating func reportType(
    _ node: YAMLNode,
    _ subject: Subject,
    takes expected: String,
    hint: String? = nil
  ) {
    if case .invalid = node.content { return }
    if reportUnquotedReference(node) { return }
    report(
      .wrongType,
      "\(subject) takes \(expected), but this is \(node.kindName)",
      at: node.location,
      hint: hint
    )
  }

  /// Reports a reference that YAML has read as a map, for it has no quotes; false if it is none.
  mutating func reportUnquotedReference(_ node: YAMLNode) -> Bool {
    guard let written = node.unquotedReference else { return false }
    report(
      .nearMissReference,
      "without quotes '\(YAMLFault.short(written))' is a YAML map",
      at: node.location,
      hint: "write \"\(YAMLFault.short(written))\"",
      fix: "\"\(written)\""
    )
    return true
  }
}

// MARK: Maps and lists

extension YAMLReading {
  /// A map's members, by key.
  package typealias Members = YAMLMembers

  /// The members of a map; a key that is not among the known ones is reported.
  ///
  /// - Parameters:
  ///   - node: The map.
  ///   - subject: What it is, where something else stands in its place.
  ///   - place: What it is where a key is unknown; the subject if nothing else is said.
  ///   - keys: The keys that it may have.
  ///   - owner: Where to report what is missing; the map's place if nothing else is said.
  /// - Returns: The members; nil if it is no map.
  package mutating func members(
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

  /// Reads the values of those keys that are there.
  package mutating func read<Whole>(
    _ members: Members,
    into whole: inout Whole,
    by keys: [YAMLKey<Self, Whole>]
  ) {
    for key in keys {
      if let node = members[key.name] { key.read(&self, node, &whole) }
    }
  }

  /// The entries of a map whose keys are names of the author's.
  package mutating func entries(
    of node: YAMLNode,
    _ subject: Subject,
    hint: String? = nil
  ) -> [YAMLNode.Entry]? {
    guard case .mapping(let entries) = node.content, node.unquotedReference == nil else {
      reportType(node, subject, takes: "a map", hint: hint ?? node.hintForMap)
      return nil
    }
    return entries
  }

  /// The value of a key that must be there.
  package mutating func required(
    _ key: String,
    in members: Members,
    of subject: Subject,
    hint: String? = nil
  ) -> YAMLNode? {
    if !members.mentions(key) {
      report(.missingKey, "\(subject) needs '\(key)'", at: members.location, hint: hint)
    }
    return members[key]
  }

  /// The elements of a list.
  package mutating func elements(
    of node: YAMLNode,
    _ subject: Subject,
    hint: String? = nil
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
  /// A text that is a string by YAML's rules.
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
    _ node: YAMLNode,
    _ subject: Subject,
    in range: ClosedRange<Int>
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
      .invalidValue,
      "\(subject) must be \(bound), not \(YAMLFault.short(number.lexeme))",
      at: node.location
    )
    return nil
  }

  /// A whole number that is not too small.
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
    _ node: YAMLNode,
    _ subject: Subject,
    in range: ClosedRange<Double>
  ) -> Double? {
    guard let number = number(node, subject) else { return nil }
    if range.contains(number.double) { return number.double }
    func text(_ bound: Double) -> String { Int(exactly: bound).map { "\($0)" } ?? "\(bound)" }
    report(
      .invalidValue,
      "\(subject) must be from \(text(range.lowerBound)) to \(text(range.upperBound)), not "
        + YAMLFault.short(number.lexeme),
      at: node.location
    )
    return nil
  }

  /// One of a few words.
  package mutating func choice<Word: RawRepresentable<String> & CaseIterable>(
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
    report(
      .invalidValue,
      "\(subject) must be \(list), not '\(YAMLFault.short(text))'",
      at: node.location,
      nearest: suggestion(for: text, among: words)
    )
    return nil
  }

  /// A length of time: a whole number and `ms`, `s`, `m` or `h`.
  package mutating func duration(
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
        .invalidValue,
        "'\(YAMLFault.short(text))' is not a duration",
        at: node.location,
        hint: DurationText.nearest(to: text).map { "write \($0)" }
          ?? "write 250ms, 30s, 5m or 2h; at most 8760h"
      )
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
        .invalidValue,
        "\(subject) cannot be \(scalar.text): JSON has no such number",
        at: node.location
      )
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
