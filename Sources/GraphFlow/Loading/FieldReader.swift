package import JSONPath

/// Reads the maps, lists and values of a YAML file that is no workflow, and notes all that is wrong.
///
/// A value that cannot be used is reported once and comes back as nil, so that the others are still
/// checked: whoever reads goes on to the end, and looks at ``hasErrors`` then.
package struct FieldReader {
  /// A map's members, by key.
  package struct Members {
    private let members: WorkflowReader.Members

    init(_ members: WorkflowReader.Members) { self.members = members }

    /// The value of a key.
    package subscript(key: String) -> YAMLNode? { members[key] }

    /// The members in their order.
    package var entries: [YAMLNode.Entry] { members.entries }

    /// The map's place.
    package var location: SourceLocation { members.location }

    /// Where a key stands; the map's place if it is not there.
    package func keyLocation(_ key: String) -> SourceLocation { members.keyLocation(key) }

    /// Whether a key is there, or an unknown one was meant for it.
    package func mentions(_ key: String) -> Bool {
      members[key] != nil || members.meant.contains(key)
    }
  }

  /// What reads values in workflows reads them here, too: the same words for the same mistakes.
  private var reader: WorkflowReader

  /// The document; nil if the file is no YAML at all, which has been reported then.
  package let root: YAMLNode?

  /// Reads the file's YAML.
  package init(_ source: SourceFile) {
    let (root, findings) = YAMLNode.composing(source)
    self.root = root
    reader = WorkflowReader(source, findings: findings)
  }

  /// What has been found, sorted by place.
  package var diagnostics: [Diagnostic] { reader.findings.sorted }

  /// Whether something was found that makes the file unusable.
  package var hasErrors: Bool { reader.findings.hasErrors }

  /// Reports an error.
  package mutating func report(
    _ rule: RuleID,
    _ message: String,
    at location: SourceLocation,
    hint: String? = nil,
    fix: String? = nil
  ) {
    reader.report(rule, message, at: location, hint: hint, fix: fix)
  }

  /// Reports that a value has the wrong type, unless it has been reported already.
  package mutating func reportType(
    _ node: YAMLNode,
    _ subject: Subject,
    takes expected: String,
    hint: String? = nil
  ) {
    reader.reportType(node, subject, takes: expected, hint: hint)
  }

  /// The nearest of several names, as a hint.
  package mutating func suggestion(
    for name: String,
    among names: some Collection<String>
  ) -> String? {
    reader.suggestion(for: name, among: names)
  }

  /// The members of a map; a key that is not among the known ones is reported.
  package mutating func members(
    of node: YAMLNode,
    _ subject: Subject,
    known keys: [String]
  ) -> Members? {
    guard let entries = reader.entries(of: node, subject) else { return nil }
    var members = WorkflowReader.Members(entries: entries, location: node.location)
    for entry in entries where !keys.contains(entry.key) {
      if let key = reportUnknown(entry, in: subject, known: keys) { members.meant.insert(key) }
    }
    return Members(members)
  }

  private mutating func reportUnknown(
    _ entry: YAMLNode.Entry,
    in subject: Subject,
    known keys: [String]
  ) -> String? {
    let nearest = suggestion(for: entry.key, among: keys)
    report(
      RuleID.unknownKey,
      "unknown key '\(YAMLFault.short(entry.key))' in \(subject)",
      at: entry.keyLocation,
      hint: nearest.map { "did you mean '\($0)'?" } ?? "known are: " + keys.joined(separator: ", "),
      fix: nearest
    )
    return nearest
  }

  /// The entries of a map whose keys are names of the author's.
  package mutating func entries(of node: YAMLNode, _ subject: Subject) -> [YAMLNode.Entry]? {
    reader.entries(of: node, subject)
  }

  /// The elements of a list.
  package mutating func elements(of node: YAMLNode, _ subject: Subject) -> [YAMLNode]? {
    reader.elements(of: node, subject)
  }

  /// A text that is a string by YAML's rules.
  package mutating func text(_ node: YAMLNode, _ subject: Subject) -> String? {
    reader.text(node, subject)
  }

  /// A text that is not empty.
  package mutating func filledText(_ node: YAMLNode, _ subject: Subject) -> String? {
    reader.filledText(node, subject)
  }

  /// `true` or `false`.
  package mutating func boolean(_ node: YAMLNode, _ subject: Subject) -> Bool? {
    reader.boolean(node, subject)
  }

  /// A whole number within bounds.
  package mutating func integer(
    _ node: YAMLNode,
    _ subject: Subject,
    in range: ClosedRange<Int>
  ) -> Int? {
    guard let value = reader.integer(node, subject, atLeast: range.lowerBound) else { return nil }
    guard value <= range.upperBound else {
      report(
        RuleID.invalidValue,
        range.lowerBound == range.upperBound
          ? "\(subject) must be \(range.lowerBound), and not \(value)"
          : "\(subject) must be \(range.upperBound) or less, and not \(value)",
        at: node.location
      )
      return nil
    }
    return value
  }

  /// A number, with or without a fraction, within bounds.
  package mutating func number(
    _ node: YAMLNode,
    _ subject: Subject,
    in range: ClosedRange<Double>
  ) -> Double? {
    switch node.scalarValue {
    case .integer(let number)?, .float(let number)?:
      if range.contains(number.double) { return number.double }
      report(
        RuleID.invalidValue,
        "\(subject) must be from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound)), and not "
          + YAMLFault.short(number.lexeme),
        at: node.location
      )
    default: reportType(node, subject, takes: "a number")
    }
    return nil
  }

  private static func text(_ number: Double) -> String {
    Int(exactly: number).map { String($0) } ?? String(number)
  }

  /// One of a few words.
  package mutating func choice<Word: RawRepresentable<String> & CaseIterable>(
    _ node: YAMLNode,
    _ subject: Subject,
    of type: Word.Type = Word.self
  ) -> Word? {
    reader.choice(node, subject, of: type)
  }

  /// A length of time: a whole number and `ms`, `s`, `m` or `h`.
  package mutating func duration(
    _ node: YAMLNode,
    _ subject: Subject,
    allowsZero: Bool = false
  ) -> Duration? {
    reader.duration(node, subject, allowsZero: allowsZero)
  }

  /// Any value, as JSON.
  package mutating func value(_ node: YAMLNode, _ subject: Subject) -> JSON? {
    reader.plainValue(node, subject)
  }
}
