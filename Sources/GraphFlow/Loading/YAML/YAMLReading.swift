/// Reads the maps, lists and values of a YAML file, and collects every problem.
///
/// A value that cannot be used is reported once and read as nil, so that the rest of the file is
/// still checked. The caller looks at the findings after reading everything.
package protocol YAMLReading: SendableMetatype {
  var findings: Findings { get }

  /// Reports an unknown key of a map.
  ///
  /// - Returns: The key that was probably meant.
  func reportUnknownKey(
    _ entry: YAMLNode.Entry, in subject: Subject, among entries: [YAMLNode.Entry],
    known keys: [String]
  ) -> String?
}

/// Reads a YAML file other than a workflow, with the same messages for the same mistakes.
package struct FieldReader: YAMLReading {
  package let findings: Findings
  /// The document; nil if the file is not YAML, which has then been reported.
  package let root: YAMLNode?

  package init(_ source: SourceFile) { (root, findings) = YAMLNode.composing(source) }

  package var diagnostics: [Diagnostic] { findings.sorted }
  package var hasErrors: Bool { findings.hasErrors }
}

/// The members of a YAML map, by key.
package struct YAMLMembers {
  package let entries: [YAMLNode.Entry]
  /// Where to report a missing key: the location of the map or of its owner.
  package let location: SourceLocation
  /// What the map is, in messages about a missing key.
  let subject: Subject
  /// Keys that an unknown key was probably meant for; they are not also reported as missing.
  var meant: Set<String> = []

  package subscript(key: String) -> YAMLNode? { entries.value(of: key) }

  /// The location of a key; ``location`` if the map does not have it.
  package func keyLocation(_ key: String) -> SourceLocation {
    entries.first { $0.key == key }?.keyLocation ?? location
  }

  /// Whether the map has a key, or an unknown key that was probably meant for it.
  package func mentions(_ key: String) -> Bool { self[key] != nil || meant.contains(key) }
}

/// A key that a map may have, and the function that reads its value.
///
/// A table of these defines which keys are known and how they are read.
package struct YAMLKey<Reader: SendableMetatype, Whole: SendableMetatype>: Sendable {
  package let name: String
  let read: @Sendable (inout Reader, YAMLNode, inout Whole) -> Void
}

extension YAMLKey {
  /// Creates a key whose value is read elsewhere.
  init(_ name: String) { self.init(name: name) { _, _, _ in } }

  /// Creates a key whose value is stored in a part of the whole; nil leaves that part unchanged.
  package init<Part>(
    _ name: String, _ part: any WritableKeyPath<Whole, Part> & Sendable,
    _ read: @escaping @Sendable (inout Reader, YAMLNode, Subject) -> Part?
  ) {
    self.init(name: name) { reader, node, whole in
      if let value = read(&reader, node, Subject(key: name)) { whole[keyPath: part] = value }
    }
  }
}

/// A name in a list, and its location.
struct YAMLName {
  let text: String
  let location: SourceLocation
}

// MARK: Reporting

extension YAMLReading {
  package func reportUnknownKey(
    _ entry: YAMLNode.Entry, in subject: Subject, among entries: [YAMLNode.Entry],
    known keys: [String]
  ) -> String? {
    let nearest = suggestion(for: entry.key, among: keys)
    report(
      .unknownKey, "unknown key '\(entry.key.short)' in \(subject)",
      at: entry.keyLocation, nearest: nearest,
      otherwise: "expected one of: " + keys.joined(separator: ", "))
    return nearest
  }

  package func report(
    _ rule: RuleID, _ message: String, at location: SourceLocation, hint: String? = nil,
    fix: String? = nil
  ) { findings.report(rule, message, at: location, hint: hint, fix: fix) }

  func warn(_ rule: RuleID, _ message: String, at location: SourceLocation, hint: String? = nil) {
    findings.report(rule, message, as: .warning, at: location, hint: hint)
  }

  func report(_ fault: RuleFault, at location: SourceLocation) {
    findings.report(
      fault.rule, fault.message, as: fault.severity, at: location, hint: fault.hint, fix: fault.fix)
  }

  func report(
    _ rule: RuleID, _ message: String, at location: SourceLocation, nearest: String?,
    otherwise hint: String? = nil
  ) {
    let hint = nearest.map { "did you mean '\($0)'?" } ?? hint
    report(rule, message, at: location, hint: hint, fix: nearest)
  }

  /// The nearest of several names, unless the file has used up its comparisons.
  package func suggestion(
    for name: String, among names: @autoclosure () -> some Collection<String>,
    except excluded: [String?] = []
  ) -> String? {
    guard findings.comparisonsLeft > 0 else { return nil }
    let names = names()
    findings.comparisonsLeft -= names.count
    return NearestName.to(name, among: names.lazy.filter { !excluded.contains($0) })
  }

  /// Reports a value of the wrong type, unless the value has already been reported.
  package func reportType(
    _ node: YAMLNode, _ subject: Subject, takes expected: String, hint: String? = nil
  ) {
    if case .invalid = node.content { return }
    if reportUnquotedReference(node) { return }
    report(
      .wrongType, "\(subject) takes \(expected), but this is \(node.kindName)", at: node.location,
      hint: hint)
  }

  /// Reports a value of the wrong type, and returns nil in its place.
  func refuse<Value>(
    _ node: YAMLNode, _ subject: Subject, takes expected: String, hint: String? = nil
  ) -> Value? {
    reportType(node, subject, takes: expected, hint: hint)
    return nil
  }

  /// Reports an invalid value, and returns nil in its place.
  func refuse<Value>(_ node: YAMLNode, _ message: String, hint: String? = nil) -> Value? {
    report(.invalidValue, message, at: node.location, hint: hint)
    return nil
  }

  /// Reports a reference without quotes, which YAML reads as a map; false if it is something else.
  func reportUnquotedReference(_ node: YAMLNode) -> Bool {
    guard let written = node.unquotedReference else { return false }
    report(
      .nearMissReference, "without quotes '\(written.short)' is a YAML map",
      at: node.location, hint: "write \"\(written.short)\"", fix: "\"\(written)\"")
    return true
  }
}

// MARK: Maps and lists

extension YAMLReading {
  /// The members of a map, whose unknown keys are reported; nil if the node is not a map.
  ///
  /// Messages about a wrong type name the subject, those about an unknown key the place. A missing
  /// key is reported at the owner's location, by default at the map's.
  package func members(
    of node: YAMLNode, _ subject: Subject, in place: Subject? = nil, known keys: [String],
    owner: SourceLocation? = nil
  ) -> YAMLMembers? {
    guard let entries = entries(of: node, subject) else { return nil }
    var members = YAMLMembers(entries: entries, location: owner ?? node.location, subject: subject)
    for entry in entries where !keys.contains(entry.key) {
      if let key = reportUnknownKey(entry, in: place ?? subject, among: entries, known: keys) {
        members.meant.insert(key)
      }
    }
    return members
  }

  package mutating func read<Whole>(
    _ members: YAMLMembers, into whole: inout Whole, by keys: [YAMLKey<Self, Whole>]
  ) { for key in keys { if let node = members[key.name] { key.read(&self, node, &whole) } } }

  /// The entries of a map whose keys are names that the author chose.
  package func entries(
    of node: YAMLNode, _ subject: Subject, hint: String? = nil
  ) -> [YAMLNode.Entry]? {
    guard let entries = node.entries, node.unquotedReference == nil else {
      return refuse(node, subject, takes: "a map", hint: hint ?? node.hintForMap)
    }
    return entries
  }

  /// The value of a required key; a missing key is reported.
  package func required(
    _ key: String, in members: YAMLMembers, of subject: Subject? = nil, hint: String? = nil
  ) -> YAMLNode? {
    if !members.mentions(key) {
      report(
        .missingKey, "\(subject ?? members.subject) needs '\(key)'", at: members.location,
        hint: hint)
    }
    return members[key]
  }

  /// The elements of a list; nil if the node is not a list.
  package func elements(of node: YAMLNode, _ subject: Subject, hint: String? = nil) -> [YAMLNode]? {
    if let elements = node.elements { return elements }
    var hint = hint
    if case .string(let text)? = node.scalarValue {
      if let confusable = ConfusableCharacter(in: String(text.prefix(1))), !confusable.isQuote {
        hint = "the list begins with \(confusable.name): type '-'"
      } else if hint == nil {
        hint = "write [\(text.short)]"
      }
    }
    return refuse(node, subject, takes: "a list", hint: hint)
  }

  func names(_ node: YAMLNode, _ key: String) -> [YAMLName] {
    (elements(of: node, Subject(key: key)) ?? []).compactMap { element in
      filledText(element, Subject("an entry of", key)).map {
        YAMLName(text: $0, location: element.location)
      }
    }
  }
}
