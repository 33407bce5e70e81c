/// A value of a YAML file, with its location.
package struct YAMLNode: Sendable {
  /// The content of a value.
  package enum Content: Sendable {
    case scalar(Scalar)
    case sequence([YAMLNode])
    /// A map, in order; every key is unique.
    case mapping([Entry])
    /// A value that has already been reported; readers skip it silently.
    case invalid
  }

  /// A text as it was written.
  package struct Scalar: Sendable {
    /// The text, unescaped.
    package var text: String
    package var style: Style
    package var tag = Tag.none
  }

  /// How a scalar was written.
  package enum Style: UInt8, Sendable {
    /// Without quotes: the core schema determines the type.
    case plain
    case singleQuoted
    /// In double quotes, with escapes.
    case doubleQuoted
    /// A block that begins with `|`.
    case literal
    /// A block that begins with `>`.
    case folded
  }

  /// A type of the core schema, written as a tag (YAML 1.2.2 §10.3.1).
  package enum Tag: String, Sendable {
    case none = ""
    /// `!!str` or `!`.
    case string = "tag:yaml.org,2002:str"
    case integer = "tag:yaml.org,2002:int"
    case float = "tag:yaml.org,2002:float"
    case boolean = "tag:yaml.org,2002:bool"
    case null = "tag:yaml.org,2002:null"
  }

  /// A member of a map.
  package struct Entry: Sendable {
    /// The key as text, whatever type it would have as a value.
    package var key: String
    package var keyLocation: SourceLocation
    package var value: YAMLNode
  }

  package var content: Content
  /// The location: only the first line of a value on several lines.
  package var location: SourceLocation
}

extension YAMLNode {
  var scalar: Scalar? {
    guard case .scalar(let scalar) = content else { return nil }
    return scalar
  }

  /// The elements of a list.
  var elements: [YAMLNode]? {
    guard case .sequence(let elements) = content else { return nil }
    return elements
  }

  /// The members of a map.
  var entries: [Entry]? {
    guard case .mapping(let entries) = content else { return nil }
    return entries
  }

  func member(_ key: String) -> YAMLNode? {
    guard case .mapping(let entries) = content else { return nil }
    return entries.value(of: key)
  }

  /// The typed value of a scalar; nil for a collection.
  var scalarValue: CoreSchema.Value? { scalar.map(CoreSchema.value(of:)) }

  /// Whether this is `null`, written or left out.
  package var isNull: Bool { scalar.map(CoreSchema.isNull) ?? false }

  /// Whether the value was left out.
  var isLeftOut: Bool { scalar.map { $0.text.isEmpty && $0.style == .plain } ?? false }

  /// The text of a short scalar on one line; nil for any other value.
  var shortText: String? {
    guard let text = scalar?.text, !text.isEmpty, text.utf8.count <= 60,
      text.utf8.allSatisfy({ $0 >= 0x20 })
    else { return nil }
    return text
  }

  /// The kind of value, as messages call it.
  var kindName: String {
    switch content {
    case .sequence: "a list"
    case .mapping: "a map"
    case .invalid: "nothing usable"
    case .scalar(let scalar):
      switch CoreSchema.value(of: scalar) {
      case .null: scalar.text.isEmpty ? "empty" : "null"
      case .bool(let value): "the boolean \(value)"
      case .integer, .float, .notFinite: "the number \(scalar.text.prefix(40))"
      case .string: "text"
      }
    }
  }
}

extension YAMLNode {
  /// The node in a later part of the text.
  func moved(by lines: Int) -> YAMLNode {
    var node = self
    node.location = location.moved(by: lines)
    switch content {
    case .scalar, .invalid: break
    case .sequence(let elements): node.content = .sequence(elements.map { $0.moved(by: lines) })
    case .mapping(let entries):
      node.content = .mapping(
        entries.map { entry in
          Entry(
            key: entry.key, keyLocation: entry.keyLocation.moved(by: lines),
            value: entry.value.moved(by: lines))
        })
    }
    return node
  }

  /// Whether two values mean the same, whatever the order of the members of maps.
  func isSame(as other: YAMLNode) -> Bool {
    switch (content, other.content) {
    case (.scalar(let one), .scalar(let two)):
      return CoreSchema.value(of: one) == CoreSchema.value(of: two)
    case (.sequence(let one), .sequence(let two)):
      return one.count == two.count && zip(one, two).allSatisfy { $0.isSame(as: $1) }
    case (.mapping(let one), .mapping(let two)):
      return one.count == two.count
        && zip(one, two).allSatisfy { entry, near in
          let value = near.key == entry.key ? near.value : two.value(of: entry.key)
          return value?.isSame(as: entry.value) == true
        }
    default: return false
    }
  }
}

extension [YAMLNode.Entry] {
  /// The value of a key; every key of every request is looked up, so no entry is copied.
  func value(of key: String) -> YAMLNode? {
    for index in indices where self[index].key == key { return self[index].value }
    return nil
  }
}

/// What a value was probably meant to be, if it is not the expected map.
extension YAMLNode {
  /// The reference without quotes that YAML has read as a map with one empty member.
  var unquotedReference: String? {
    guard let entries, entries.count == 1, let entry = entries.first, entry.value.isNull,
      ["result=", "input=", "item=", "row=", "run=", "date="].contains(where: entry.key.hasPrefix)
        || ["item", "index"].contains(entry.key)
    else { return nil }
    return "{\(entry.key)}"
  }

  /// The hint for a text in place of a map; nil if the mistake is unclear.
  var hintForMap: String? {
    if isNull { return "indent its content by two more spaces than its key" }
    guard let scalar, scalar.style == .plain else { return nil }
    // A text on several lines is read as one: the mistake is in its first words.
    let text = String(scalar.text.prefix(60))
    let words = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
    guard let first = words.first else { return nil }
    if let confusable = ConfusableCharacter(in: text), !confusable.isQuote {
      return "it contains \(confusable.name): type \(ConfusableCharacter.plain(text).short)"
    }
    if let (key, value) = first.keyBeforeColon, !value.isEmpty, !first.contains("://") {
      return "add a space after the ':': write \(key): \(value)"
    }
    let verb = first.lowercased()
    if words.count == 2, ["get", "post", "delete"].contains(verb) {
      return "write {\(verb): \(PastedPath(String(words[1])).path)}"
    }
    return nil
  }
}

extension YAMLNode {
  /// Reads the one document of a YAML file.
  ///
  /// Never throws. The node is nil if the file is not YAML; otherwise each value that cannot be
  /// used is ``Content/invalid`` and has been reported.
  package static func reading(_ source: SourceFile) -> (node: YAMLNode?, diagnostics: [Diagnostic])
  {
    let (node, findings) = composing(source)
    return (node, findings.sorted)
  }

  /// Reads the one document of a YAML file, with findings that can be added to.
  static func composing(_ source: SourceFile) -> (node: YAMLNode?, findings: Findings) {
    var composer = YAMLComposer(file: source.path)
    let findings = composer.findings
    if let refusal = YAMLFault.refusal(of: source) {
      findings.add(refusal)
      return (nil, findings)
    }
    let root = source.bytes.withUnsafeBufferPointer { bytes -> YAMLNode? in
      guard var events = YAMLEvents(bytes) else {
        findings.report(.limit, "not enough memory", at: .start)
        return nil
      }
      switch composer.compose(&events) {
      case .finished(let root): return root
      case .stopped: return nil
      case .fault(let fault):
        findings.add(YAMLFault.diagnostic(for: fault, in: source))
        return nil
      }
    }
    return (root, findings)
  }
}
