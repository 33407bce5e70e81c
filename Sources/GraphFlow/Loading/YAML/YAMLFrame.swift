/// The values of all lists and maps under construction, those of the innermost one last.
///
/// They share two stacks, so that each finished one gets an array of exactly its size.
struct YAMLParts {
  fileprivate var elements: [YAMLNode] = []
  fileprivate var entries: [YAMLNode.Entry] = []
}

/// A list or map under construction.
struct YAMLFrame {
  let isMapping: Bool
  let isFlow: Bool
  let location: SourceLocation
  var anchor: String?
  /// The number of values before this one, after alias expansion.
  var expandedBefore = 0
  /// The number of levels of lists and maps inside.
  private(set) var height = 0

  /// Where its values begin among all.
  private let first: Int
  private var key: Key?
  private var places: [String: SourceLocation] = [:]
  /// The value of `<<`, and its position among the map's own members.
  private var merge: (value: YAMLNode, position: Int)?

  /// The number of members from which a table is faster than a linear search.
  private static let indexedCount = 12

  private struct Key {
    var text: String
    var location: SourceLocation
    var use = Use.member

    enum Use {
      case member
      case merge
      case nothing
    }
  }

  init(isMapping: Bool, isFlow: Bool, location: SourceLocation, after parts: YAMLParts) {
    self.isMapping = isMapping
    self.isFlow = isFlow
    self.location = location
    first = isMapping ? parts.entries.count : parts.elements.count
  }

  /// Adds a finished value: an element, a key or the value of the last key.
  mutating func add(
    _ node: YAMLNode, height: Int, to parts: inout YAMLParts, _ findings: inout Findings
  ) {
    if height > self.height { self.height = height }
    guard isMapping else { return parts.elements.append(node) }
    guard let key else { return addKey(node, after: parts.entries, &findings) }
    self.key = nil
    switch key.use {
    case .member:
      parts.entries.append(YAMLNode.Entry(key: key.text, keyLocation: key.location, value: node))
    case .merge: merge = (node, parts.entries.count - first)
    case .nothing: break
    }
  }

  private mutating func addKey(
    _ node: YAMLNode, after entries: [YAMLNode.Entry], _ findings: inout Findings
  ) {
    var key = Key(text: "", location: node.location)
    defer { self.key = key }
    guard case .scalar(let scalar) = node.content else {
      key.use = .nothing
      if case .invalid = node.content { return }
      return findings.report(
        RuleID.syntax, "a key must be a single text, not \(node.kindName)", at: node.location)
    }
    key.text = scalar.text
    if scalar.text.isEmpty, scalar.style == .plain {
      key.use = .nothing
      return findings.report(RuleID.syntax, "the key before ':' is missing", at: node.location)
    }
    if scalar.text == "<<", scalar.style == .plain {
      key.use = merge == nil ? .merge : .nothing
      if merge != nil {
        findings.report(
          RuleID.duplicateKey, "duplicate key '<<'", at: node.location, hint: "write <<: [*a, *b]")
      }
      return
    }
    if let use = firstUse(of: key, in: entries[first...]) {
      key.use = .nothing
      findings.report(
        RuleID.duplicateKey, "duplicate key '\(scalar.text.short)'", at: node.location,
        hint: "the first one is on line \(use.line)")
    }
  }

  private mutating func firstUse(
    of key: Key, in entries: ArraySlice<YAMLNode.Entry>
  ) -> SourceLocation? {
    if entries.count < Self.indexedCount {
      return entries.first { $0.key == key.text }?.keyLocation
    }
    if places.isEmpty { for entry in entries { places[entry.key] = entry.keyLocation } }
    if let first = places[key.text] { return first }
    places[key.text] = key.location
    return nil
  }

  /// Takes the finished content from the shared stacks.
  func content(from parts: inout YAMLParts, _ findings: inout Findings) -> YAMLNode.Content {
    guard isMapping else {
      let elements = Array(parts.elements[first...])
      parts.elements.removeLast(elements.count)
      return .sequence(elements)
    }
    var entries = Array(parts.entries[first...])
    parts.entries.removeLast(entries.count)
    if let merge { insert(merge.value, at: merge.position, in: &entries, &findings) }
    return .mapping(entries)
  }

  /// Inserts the members of `<<`.
  ///
  /// The map's own members take precedence, then the merged maps in the order listed
  /// (https://yaml.org/type/merge.html).
  private func insert(
    _ value: YAMLNode, at position: Int, in entries: inout [YAMLNode.Entry],
    _ findings: inout Findings
  ) {
    let maps: [YAMLNode]
    switch value.content {
    case .sequence(let elements): maps = elements
    default: maps = [value]
    }
    var present = Set(entries.map(\.key))
    var merged: [YAMLNode.Entry] = []
    for map in maps {
      switch map.content {
      case .mapping(let members): merged += members.filter { present.insert($0.key).inserted }
      case .invalid: continue
      default:
        findings.report(
          RuleID.wrongType, "'<<' takes a map or a list of maps, but this is \(map.kindName)",
          at: map.location, hint: "write <<: *name")
      }
    }
    entries.insert(contentsOf: merged, at: position)
  }
}
