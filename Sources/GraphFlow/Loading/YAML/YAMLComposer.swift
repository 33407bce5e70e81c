internal import CLibYAML

/// Builds a tree of nodes from libyaml's events.
///
/// It keeps its own stack, so the nesting of a file does not become recursion.
struct YAMLComposer {
  /// How composing ended.
  enum Ending {
    /// With a document, or without one and a diagnostic about its absence.
    case finished(YAMLNode?)
    /// At a limit, which has been reported.
    case stopped
    /// At a syntax error.
    case fault(YAMLEvents.ParserFault)
  }

  /// The number of members from which a table is faster than a linear search.
  private static let indexedCount = 12

  /// The value that an alias refers to.
  private struct Anchor {
    var node: YAMLNode
    var expandedNodes: Int
    var height: Int
  }

  let findings: Findings
  private var frames: [YAMLFrame] = []
  /// Of those maps under construction that need more, by their depth.
  private var extras: [YAMLFrame.Extra] = []
  /// The values of all lists and maps under construction, those of the innermost one last: so each
  /// finished one gets an array of exactly its size.
  private var elements: [YAMLNode] = []
  private var entries: [YAMLNode.Entry] = []
  private var root: YAMLNode?
  private var anchors: [String: Anchor] = [:]
  private var openAnchors: Set<String> = []
  private var written = 0
  private var expanded = 0
  private var largestAlias: (nodes: Int, location: SourceLocation) = (0, .start)
  private var isStopped = false

  init(file: String) { findings = Findings(file: file) }

  mutating func compose(_ events: inout YAMLEvents) -> Ending {
    var documents = 0
    while !isStopped {
      guard events.next() else {
        guard let place = events.excess else { return .fault(events.fault) }
        let hint = "split it: at most 4 MiB are allowed"
        reportLimit("the next text or comment is longer than 4 MiB", at: place, hint: hint)
        return .stopped
      }
      let location = events.location
      switch events.event.pointee.type {
      case YAML_SCALAR_EVENT: addScalar(events.event, at: location)
      case YAML_MAPPING_START_EVENT:
        let start = events.event.pointee.data.mapping_start
        let isFlow = start.style == YAML_FLOW_MAPPING_STYLE
        open(isMapping: true, isFlow: isFlow, start.anchor, start.tag, at: location)
      case YAML_SEQUENCE_START_EVENT:
        let start = events.event.pointee.data.sequence_start
        let isFlow = start.style == YAML_FLOW_SEQUENCE_STYLE
        open(isMapping: false, isFlow: isFlow, start.anchor, start.tag, at: location)
      case YAML_MAPPING_END_EVENT, YAML_SEQUENCE_END_EVENT: close(at: events.end)
      case YAML_ALIAS_EVENT:
        let name = events.event.pointee.data.alias.anchor.map { String(cString: $0) }
        addAlias(name ?? "", at: location)
      case YAML_DOCUMENT_START_EVENT:
        documents += 1
        guard documents == 1 else {
          report("a file contains one document, but a second one begins here", at: location)
          return .stopped
        }
      case YAML_STREAM_END_EVENT:
        if documents == 0 {
          report("the file is empty", at: .start, hint: "`graphflow init` writes a first workflow")
        }
        checkExpansion()
        return isStopped ? .stopped : .finished(root)
      default: break
      }
    }
    return .stopped
  }

  private mutating func addScalar(
    _ event: UnsafeMutablePointer<yaml_event_t>, at location: SourceLocation
  ) {
    let data = event.pointee.data.scalar
    let text = String(
      decoding: UnsafeBufferPointer(start: data.value, count: data.length), as: UTF8.self)
    var scalar = YAMLNode.Scalar(text: text, style: YAMLNode.Style(data.style))
    count(at: location)
    let hasUnknownTag =
      data.tag.map { !applyTag(String(cString: $0), to: &scalar, at: location) } ?? false
    let node = YAMLNode(content: hasUnknownTag ? .invalid : .scalar(scalar), location: location)
    if let anchor = data.anchor {
      anchors[String(cString: anchor)] = Anchor(node: node, expandedNodes: 1, height: 0)
    }
    add(node, height: 0)
  }

  private mutating func open(
    isMapping: Bool, isFlow: Bool, _ anchor: UnsafeMutablePointer<UInt8>?,
    _ tag: UnsafeMutablePointer<UInt8>?, at location: SourceLocation
  ) {
    guard frames.count < LoadingLimits.depth else { return reportDepth(at: location) }
    let expected = isMapping ? "tag:yaml.org,2002:map" : "tag:yaml.org,2002:seq"
    if let tag = tag.map({ String(cString: $0) }), tag != expected, tag != "!" {
      reportTag(tag, at: location)
    }
    let name = anchor.map { String(cString: $0) }
    if let name {
      anchors[name] = nil
      openAnchors.insert(name)
    }
    frames.append(
      YAMLFrame(
        isMapping: isMapping, isFlow: isFlow, location: location, anchor: name,
        expandedBefore: expanded, first: isMapping ? entries.count : elements.count))
    count(at: location)
  }

  private mutating func close(at end: SourceLocation) {
    guard let frame = frames.popLast() else { return }
    var node = YAMLNode(content: .invalid, location: frame.location)
    if frame.isMapping {
      var own = Self.moving(&entries, from: frame.first)
      if let extra = extras.last, extra.depth == frames.count {
        extras.removeLast()
        if let merge = extra.merge { insert(merge.value, at: merge.position, in: &own) }
      }
      node.content = .mapping(own)
    } else {
      node.content = .sequence(Self.moving(&elements, from: frame.first))
    }
    if frame.isFlow, end.line == frame.location.line {
      node.location = SourceLocation(
        line: end.line, column: frame.location.column, endColumn: end.column)
    }
    let height = frame.height + 1
    if let anchor = frame.anchor {
      openAnchors.remove(anchor)
      anchors[anchor] = Anchor(
        node: node, expandedNodes: expanded - frame.expandedBefore, height: height)
    }
    add(node, height: height)
  }

  /// Removes the last values of a list, and returns them in an array of exactly their size.
  private static func moving<Value>(_ values: inout [Value], from first: Int) -> [Value] {
    var own: [Value] = []
    own.reserveCapacity(values.count - first)
    while values.count > first { own.append(values.removeLast()) }
    own.reverse()
    return own
  }

  private mutating func addAlias(_ name: String, at location: SourceLocation) {
    written += 1
    guard let anchor = anchors[name] else {
      if openAnchors.contains(name) {
        report("'*\(name)' is inside the value that it refers to", at: location)
      } else {
        let nearest = NearestName.to(name, among: anchors.keys.sorted())
        report(
          "no anchor '&\(name)' is defined before this alias", at: location,
          hint: nearest.map { "did you mean '*\($0)'?" })
      }
      expanded += 1
      return add(YAMLNode(content: .invalid, location: location), height: 0)
    }
    expanded += anchor.expandedNodes
    if anchor.expandedNodes > largestAlias.nodes { largestAlias = (anchor.expandedNodes, location) }
    guard expanded <= LoadingLimits.expandedNodes else {
      return reportLimit(
        "alias expansion gives this file more than 10 million values", at: location)
    }
    guard frames.count + anchor.height <= LoadingLimits.depth else {
      return reportDepth(at: location)
    }
    add(anchor.node, height: anchor.height)
  }

  private mutating func count(at location: SourceLocation) {
    written += 1
    expanded += 1
    guard expanded > LoadingLimits.expandedNodes, !isStopped else { return }
    reportLimit("the file contains more than 10 million values", at: location)
  }

  // MARK: Lists and maps

  /// Adds a finished value to the innermost list or map: an element, a key or a key's value.
  private mutating func add(_ node: YAMLNode, height: Int) {
    let last = frames.count - 1
    guard last >= 0 else {
      root = node
      return
    }
    if height > frames[last].height { frames[last].height = height }
    guard frames[last].isMapping else { return elements.append(node) }
    guard let key = frames[last].key else {
      frames[last].key = key(node)
      return
    }
    frames[last].key = nil
    switch key {
    case .member: entries[entries.count - 1].value = node
    case .merge: extras[extra()].merge = (node, entries.count - frames[last].first)
    case .ignored: break
    }
  }

  /// Adds the entry of a key, whose value comes next.
  private mutating func key(_ node: YAMLNode) -> YAMLFrame.Key {
    guard case .scalar(let scalar) = node.content else {
      if case .invalid = node.content { return .ignored }
      report("a key must be a single text, not \(node.kindName)", at: node.location)
      return .ignored
    }
    if scalar.style == .plain, scalar.text.isEmpty {
      report("the key before ':' is missing", at: node.location)
      return .ignored
    }
    let hint: String
    if scalar.style == .plain, scalar.text == "<<" {
      if extras[extra()].merge == nil { return .merge }
      hint = "write <<: [*a, *b]"
    } else {
      guard let use = firstUse(of: scalar.text, at: node.location) else {
        let value = YAMLNode(content: .invalid, location: node.location)
        entries.append(YAMLNode.Entry(key: scalar.text, keyLocation: node.location, value: value))
        return .member
      }
      hint = "the first one is on line \(use.line)"
    }
    findings.report(
      .duplicateKey, "duplicate key '\(scalar.text.short)'", at: node.location, hint: hint)
    return .ignored
  }

  /// The index of what the innermost map has besides its frame.
  private mutating func extra() -> Int {
    let depth = frames.count - 1
    if extras.last?.depth != depth { extras.append(YAMLFrame.Extra(depth: depth)) }
    return extras.count - 1
  }

  private mutating func firstUse(of key: String, at location: SourceLocation) -> SourceLocation? {
    let last = frames.count - 1
    let own = frames[last].first..<entries.count
    guard own.count >= Self.indexedCount else {
      return own.first { entries[$0].key == key }.map { entries[$0].keyLocation }
    }
    let extra = extra()
    if extras[extra].places.isEmpty {
      for index in own { extras[extra].places[entries[index].key] = entries[index].keyLocation }
    }
    let first = extras[extra].places.updateValue(location, forKey: key)
    if let first { extras[extra].places[key] = first }
    return first
  }

  /// Inserts the members of `<<`.
  ///
  /// The map's own members take precedence, then the merged maps in the order listed
  /// (https://yaml.org/type/merge.html).
  private func insert(_ value: YAMLNode, at position: Int, in entries: inout [YAMLNode.Entry]) {
    let maps = value.elements ?? [value]
    var present = Set(entries.map(\.key))
    var merged: [YAMLNode.Entry] = []
    for map in maps {
      switch map.content {
      case .mapping(let members): merged += members.filter { present.insert($0.key).inserted }
      case .invalid: continue
      default:
        findings.report(
          .wrongType, "'<<' takes a map or a list of maps, but this is \(map.kindName)",
          at: map.location, hint: "write <<: *name")
      }
    }
    entries.insert(contentsOf: merged, at: position)
  }

  // MARK: Tags and limits

  /// Sets a scalar's type from its tag; false if the tag is unknown.
  private func applyTag(
    _ tag: String, to scalar: inout YAMLNode.Scalar, at location: SourceLocation
  ) -> Bool {
    guard let known = tag == "!" ? .string : YAMLNode.Tag(rawValue: tag) else {
      reportTag(tag, at: location)
      return false
    }
    scalar.tag = known
    if !CoreSchema.tagFits(scalar) {
      scalar.tag = .none
      report("the text does not match its tag '\(Self.written(tag))'", at: location)
    }
    return true
  }

  /// A tag as it is usually written: `!!int`.
  private static func written(_ tag: String) -> String {
    let prefix = "tag:yaml.org,2002:"
    return (tag.hasPrefix(prefix) ? "!!" + tag.dropFirst(prefix.count) : tag).short
  }

  private func reportTag(_ tag: String, at location: SourceLocation) {
    let message = "the tag '\(Self.written(tag))' has no meaning in a workflow"
    report(message, at: location, hint: "remove it")
  }

  private mutating func checkExpansion() {
    let (allowed, isHuge) = written.multipliedReportingOverflow(by: LoadingLimits.expansionFactor)
    guard !isHuge, expanded > allowed else { return }
    reportLimit(
      "alias expansion turns \(written) written values into \(expanded); "
        + "at most 100 times as many are allowed", at: largestAlias.location)
  }

  private mutating func reportDepth(at location: SourceLocation) {
    reportLimit("lists and maps are nested more than 100 levels deep", at: location)
  }

  private mutating func reportLimit(
    _ message: String, at location: SourceLocation, hint: String? = nil
  ) {
    isStopped = true
    findings.report(.limit, message, at: location, hint: hint)
  }

  private func report(_ message: String, at location: SourceLocation, hint: String? = nil) {
    findings.report(.syntax, message, at: location, hint: hint)
  }
}

/// A list or map under construction.
private struct YAMLFrame {
  enum Key {
    /// The last entry's.
    case member
    /// `<<`.
    case merge
    /// A key that has been reported; its value is dropped.
    case ignored
  }

  /// What few maps have: frames stay small without it.
  struct Extra {
    let depth: Int
    /// The places of many keys.
    var places: [String: SourceLocation] = [:]
    /// The value of `<<`, and its position among the map's own members.
    var merge: (value: YAMLNode, position: Int)?
  }

  let isMapping: Bool
  let isFlow: Bool
  let location: SourceLocation
  let anchor: String?
  /// The number of values before this one, after alias expansion.
  let expandedBefore: Int
  /// Where its values begin among all.
  let first: Int
  /// The number of levels of lists and maps inside.
  var height = 0
  /// The key whose value comes next.
  var key: Key?
}

extension YAMLNode.Style {
  /// libyaml has the same styles in the same order, after one for any style.
  fileprivate init(_ style: yaml_scalar_style_t) {
    self = Self(rawValue: UInt8(truncatingIfNeeded: style.rawValue) &- 1) ?? .plain
  }
}
