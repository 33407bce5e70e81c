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
    case fault(YAMLEvents.Fault)
  }

  /// The value that an alias refers to.
  private struct Anchor {
    var node: YAMLNode
    var expandedNodes: Int
    var height: Int
  }

  var findings: Findings
  private var frames: [YAMLFrame] = []
  private var parts = YAMLParts()
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
      switch events.event.pointee.type {
      case YAML_SCALAR_EVENT: addScalar(events.event)
      case YAML_MAPPING_START_EVENT, YAML_SEQUENCE_START_EVENT: open(events.event)
      case YAML_MAPPING_END_EVENT, YAML_SEQUENCE_END_EVENT: close(events.event)
      case YAML_ALIAS_EVENT: addAlias(events.event)
      case YAML_DOCUMENT_START_EVENT:
        documents += 1
        guard documents == 1 else {
          let place = SourceLocation(events.event.pointee)
          report("a file contains one document, but a second one begins here", at: place)
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

  private mutating func addScalar(_ event: UnsafeMutablePointer<yaml_event_t>) {
    let data = event.pointee.data.scalar
    let text = String(
      decoding: UnsafeBufferPointer(start: data.value, count: data.length), as: UTF8.self)
    var scalar = YAMLNode.Scalar(text: text, style: YAMLNode.Style(data.style))
    let location = SourceLocation(event.pointee)
    count(at: location)
    let hasUnknownTag =
      data.tag.map { !applyTag(String(cString: $0), to: &scalar, at: location) } ?? false
    var node = YAMLNode(content: .scalar(scalar), location: location)
    if hasUnknownTag { node.content = .invalid }
    if let anchor = data.anchor {
      anchors[String(cString: anchor)] = Anchor(node: node, expandedNodes: 1, height: 0)
    }
    add(node, height: 0)
  }

  private mutating func open(_ event: UnsafeMutablePointer<yaml_event_t>) {
    let isMapping = event.pointee.type == YAML_MAPPING_START_EVENT
    let data = event.pointee.data
    let location = SourceLocation(event.pointee)
    guard frames.count < LoadingLimits.depth else { return reportDepth(at: location) }
    let anchor = isMapping ? data.mapping_start.anchor : data.sequence_start.anchor
    let tag = isMapping ? data.mapping_start.tag : data.sequence_start.tag
    var frame = YAMLFrame(
      isMapping: isMapping,
      isFlow: isMapping
        ? data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
        : data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE, location: location, after: parts)
    if let tag {
      let expected = isMapping ? "tag:yaml.org,2002:map" : "tag:yaml.org,2002:seq"
      let name = String(cString: tag)
      if name != expected, name != "!" { reportTag(name, at: location) }
    }
    count(at: location)
    frame.expandedBefore = expanded - 1
    if let anchor {
      let name = String(cString: anchor)
      frame.anchor = name
      anchors[name] = nil
      openAnchors.insert(name)
    }
    frames.append(frame)
  }

  private mutating func close(_ event: UnsafeMutablePointer<yaml_event_t>) {
    guard let frame = frames.popLast() else { return }
    let content = frame.content(from: &parts, &findings)
    var location = frame.location
    let end = event.pointee.end_mark
    if frame.isFlow, Int(clamping: end.line) &+ 1 == location.line {
      location = SourceLocation(
        line: location.line, column: location.column, endColumn: Int(clamping: end.column) &+ 1)
    }
    let node = YAMLNode(content: content, location: location)
    let height = frame.height + 1
    if let anchor = frame.anchor {
      openAnchors.remove(anchor)
      anchors[anchor] = Anchor(
        node: node, expandedNodes: expanded - frame.expandedBefore, height: height)
    }
    add(node, height: height)
  }

  private mutating func addAlias(_ event: UnsafeMutablePointer<yaml_event_t>) {
    let name = event.pointee.data.alias.anchor.map { String(cString: $0) } ?? ""
    let location = SourceLocation(event.pointee)
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

  private mutating func add(_ node: YAMLNode, height: Int) {
    guard !frames.isEmpty else {
      root = node
      return
    }
    frames[frames.count - 1].add(node, height: height, to: &parts, &findings)
  }

  /// Sets a scalar's type from its tag; false if the tag is unknown.
  private mutating func applyTag(
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
    findings.report(RuleID.limit, message, at: location, hint: hint)
  }

  private mutating func reportTag(_ tag: String, at location: SourceLocation) {
    report(
      "the tag '\(Self.written(tag))' has no meaning in a workflow", at: location, hint: "remove it"
    )
  }

  private mutating func report(_ message: String, at location: SourceLocation, hint: String? = nil)
  { findings.report(RuleID.syntax, message, at: location, hint: hint) }
}

extension SourceLocation {
  /// The range between an event's marks, or its first character if it spans several lines.
  fileprivate init(_ event: yaml_event_t) {
    let start = event.start_mark
    let end = event.end_mark
    let column = Int(clamping: start.column) &+ 1
    self.init(
      line: Int(clamping: start.line) &+ 1, column: column,
      endColumn: end.line == start.line ? Int(clamping: end.column) &+ 1 : column &+ 1)
  }
}

extension YAMLNode.Style {
  fileprivate init(_ style: yaml_scalar_style_t) {
    switch style {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE: self = .singleQuoted
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE: self = .doubleQuoted
    case YAML_LITERAL_SCALAR_STYLE: self = .literal
    case YAML_FOLDED_SCALAR_STYLE: self = .folded
    default: self = .plain
    }
  }
}
