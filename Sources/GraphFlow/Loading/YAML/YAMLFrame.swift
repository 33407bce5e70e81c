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

  private var elements: [YAMLNode] = []
  private var entries: [YAMLNode.Entry] = []
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

  init(isMapping: Bool, isFlow: Bool, location: SourceLocation) {
    self.isMapping = isMapping
    self.isFlow = isFlow
    self.location = location
  }

  var content: YAMLNode.Content { isMapping ? .mapping(entries) : .sequence(elements) }

  /// Adds a finished value: an element, a key or the value of the last key.
  mutating func add(_ node: YAMLNode, height: Int, _ findings: inout Findings) {
    if height > self.height { self.height = height }
    guard isMapping else { return elements.append(node) }
    guard let key else { return addKey(node, &findings) }
    self.key = nil
    switch key.use {
    case .member:
      entries.append(YAMLNode.Entry(key: key.text, keyLocation: key.location, value: node))
    case .merge: merge = (node, entries.count)
    case .nothing: break
    }
  }

  private mutating func addKey(_ node: YAMLNode, _ findings: inout Findings) {
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
    if let first = firstUse(of: key) {
      key.use = .nothing
      findings.report(
        RuleID.duplicateKey, "duplicate key '\(YAMLFault.short(scalar.text))'", at: node.location,
        hint: "the first one is on line \(first.line)")
    }
  }

  private mutating func firstUse(of key: Key) -> SourceLocation? {
    if entries.count < Self.indexedCount {
      return entries.first { $0.key == key.text }?.keyLocation
    }
    if places.isEmpty { for entry in entries { places[entry.key] = entry.keyLocation } }
    if let first = places[key.text] { return first }
    places[key.text] = key.location
    return nil
  }

  /// Completes the map: inserts the members of `<<`.
  ///
  /// The map's own members take precedence, then the merged maps in the order listed
  /// (https://yaml.org/type/merge.html).
  mutating func finish(_ findings: inout Findings) {
    guard let merge else { return }
    let maps: [YAMLNode]
    switch merge.value.content {
    case .sequence(let elements): maps = elements
    default: maps = [merge.value]
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
    entries.insert(contentsOf: merged, at: merge.position)
  }
}
