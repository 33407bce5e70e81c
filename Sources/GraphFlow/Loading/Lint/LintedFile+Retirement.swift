internal import GraphAPI
internal import JSONPath

/// A request, or its confirmation check, as far as retired names are concerned.
private struct RetirementSubject {
  let method: OperationMethod
  let path: Template
  let params: [Workflow.Parameter]
  let version: GraphVersion
  /// Its written form.
  let node: YAMLNode
  /// The segments of the path, with `*` for each placeholder, and its query.
  let segments: [Substring]
  let query: Substring
  /// The edge that has the nodes of the answer, as far as it is known; `me` for the user.
  let place: Substring

  /// `origin` is the request whose answer holds the id that is the whole path.
  init(
    _ method: OperationMethod, _ path: Template, _ params: [Workflow.Parameter],
    _ version: GraphVersion, _ node: YAMLNode, origin: Workflow.Request?
  ) {
    (self.method, self.path, self.params) = (method, path, params)
    (self.version, self.node) = (version, node)
    let text = path.text(placeholder: "*")
    let head = text.prefix { $0 != "?" }
    segments = head.split(separator: "/")
    query = text[head.endIndex...].dropFirst()
    let source = origin?.path.text(placeholder: "*").prefix { $0 != "?" } ?? head
    place = source.split(separator: "/").last ?? ""
  }
}

extension LintedFile {
  /// The last segments of paths, and the beginnings of others, that may hold a retired name.
  private static let ends = RetiredNames.names(of: .edge).union(RetiredNames.names(of: .metric))
  private static let beginnings = ["fql", "method/", "dialog/", "me/objects/", "app/objects/"]
  /// The parameters with values that are retired, and those that are retired themselves.
  private static let valued = Set(
    RetiredNames.names(of: .parameter).filter { $0.contains("=") }.map { $0.prefix { $0 != "=" } })
  private static let parameters = valued.union(
    RetiredNames.names(of: .parameter).map { $0.prefix { $0 != "." } } + ["fields", "metric"])

  /// Names that Graph has ended, or will end, in a request and its confirmation check
  /// (docs/reference/language.md, "What Graph ends").
  mutating func checkRetirement(_ request: Workflow.Request, _ node: YAMLNode) {
    let version = request.version ?? settings.version
    if mayHoldRetiredName(request.path, request.params) {
      let origin = request.method == .get ? listing(of: request) : nil
      check(
        RetirementSubject(
          request.method, request.path, request.params, version, node,
          origin: origin.map { workflow.requests[$0] }))
    }
    guard let confirmation = request.confirmation, let node = node.member("confirm"),
      mayHoldRetiredName(confirmation.path, confirmation.params)
    else { return }
    check(
      RetirementSubject(
        .get, confirmation.path, confirmation.params, version, node, origin: nil))
  }

  /// The request whose answer is the node that a request reads, or a list with it; nil if the node
  /// may be another one, which is only mentioned there.
  private func listing(of request: Workflow.Request) -> Int? {
    guard let kind = request.path.only?.kind else { return nil }
    var ids = ""
    switch kind {
    case .result(let reference): ids = reference.query.text
    case .item(let query):
      guard let group = request.group,
        let source = workflow.groups[group].source.reference
      else { return nil }
      let list = source.query.text == "$.data" ? "$.data[*]" : source.query.text
      ids = list + query.text.dropFirst()
    default: return nil
    }
    guard ids.hasSuffix(".id") else { return nil }
    let node = ids.dropLast(".id".count)
    let isListed = node.hasPrefix("$.data[") && node.firstIndex(of: "]") == node.indices.last
    return node == "$" || isListed ? workflow.origin(of: request.path, request) : nil
  }

  /// Most requests hold none, so this is fast.
  private mutating func mayHoldRetiredName(
    _ path: Template, _ params: [Workflow.Parameter]
  ) -> Bool {
    for parameter in params where Self.parameters.contains(parameter.name[...]) {
      guard parameter.name == "fields", case .literal(.string(let text)) = parameter.value else {
        return true
      }
      if fields.maySuspect(text) { return true }
    }
    if EdgePath.mayEnd(path, inOneOf: Self.ends) { return true }
    guard case .text(let first)? = path.parts.first, case .text(let last)? = path.parts.last else {
      return false
    }
    return Self.isStory(last[...]) || Self.beginnings.contains(where: first.hasPrefix)
  }

  /// Whether a segment is an action of Open Graph, such as `cooking:cook` or `books.reads`.
  private static func isStory(_ text: Substring) -> Bool {
    text.utf8.contains { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
  }

  private mutating func check(_ subject: RetirementSubject) {
    checkEdge(of: subject)
    for parameter in subject.params {
      let entry = subject.node.member("params")?.entries?.first { $0.key == parameter.name }
      guard let entry else { continue }
      checkParameter(entry, of: subject)
      let text = Self.listText(of: parameter.value)
      checkWords(of: text, as: parameter.name, at: entry.value, of: subject)
    }
    guard let path = subject.node.member(subject.method.rawValue.lowercased()) else { return }
    if subject.segments.count == 3, subject.segments[1] == "insights" {
      checkMetrics(subject.segments[2], at: path, of: subject)
    }
    for pair in subject.query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
      if parts.count == 2 { checkWords(of: parts[1], as: parts[0], at: path, of: subject) }
    }
  }

  private mutating func checkEdge(of subject: RetirementSubject) {
    let (segments, method) = (subject.segments, subject.method)
    guard let first = segments.first else { return }
    var shown = String(first)
    var row = RetiredNames.row(.edge, first, at: "/", method)
    if row?.places != ["/"] { row = nil }
    if row == nil, segments.count > 1 {
      let edge = segments[1]
      let name = Self.isStory(edge) ? "NAMESPACE:ACTION" : edge
      row = RetiredNames.row(.edge, name, at: first, method)
      // Below most edges there is nothing, so the path means something else.
      if segments.count > 2, edge != "objects" { row = nil }
      shown = first == "me" ? "me/\(edge)" : "…/\(edge)"
    }
    if let row { report(row, .retiredEdge, "'\(shown)'", at: subject.path.location, of: subject) }
  }

  private mutating func checkParameter(_ entry: YAMLNode.Entry, of subject: RetirementSubject) {
    var places = [(name: entry.key, location: entry.keyLocation)]
    for inner in entry.value.entries ?? [] {
      places.append(("\(entry.key).\(inner.key)", inner.keyLocation))
    }
    for (name, location) in places {
      let row = RetiredNames.row(.parameter, name, at: subject.place, subject.method)
      if let row {
        report(row, .retiredParameter, "the parameter '\(name)'", at: location, of: subject)
      }
    }
  }

  /// The words of a parameter's value: fields, metrics, or values that have ended.
  private mutating func checkWords(
    of text: String, as name: String, at node: YAMLNode, of subject: RetirementSubject
  ) {
    switch name {
    case "fields":
      checkFields(text, at: subject.place, node, of: subject)
      guard text.utf8.contains(UInt8(ascii: "(")) else { break }
      let parts = text.split(separator: "metric(", omittingEmptySubsequences: false)
      for part in parts.dropFirst() {
        checkMetrics(part.prefix { $0 != ")" }, at: node, of: subject)
      }
    case "metric": checkMetrics(text[...], at: node, of: subject)
    case _ where Self.valued.contains(name[...]):
      for word in text[...].words {
        let row = RetiredNames.row(
          .parameter, "\(name)=\(word)", at: subject.place, subject.method)
        guard let row else { continue }
        report(
          row, .retiredParameter, "the value '\(word)' of '\(name)'",
          at: location(of: word, in: node), of: subject)
      }
    default: break
    }
  }

  /// The texts of a value, joined by commas.
  private static func listText(of value: ValueTemplate) -> String {
    switch value {
    case .literal(.string(let text)): text
    case .literal(let value): value.array?.compactMap(\.string).joined(separator: ",") ?? ""
    case .template(let template): template.text(placeholder: "*")
    case .list(let elements): elements.map(listText).joined(separator: ",")
    case .map: ""
    }
  }

  private mutating func checkMetrics(
    _ text: Substring, at node: YAMLNode, of subject: RetirementSubject
  ) {
    for word in text.words {
      guard let row = RetiredNames.metric(word) else { continue }
      report(
        row, .retiredMetric, "the metric '\(word)'", at: location(of: word, in: node), of: subject,
        fix: fix(of: row, in: node))
    }
  }

  /// Fields, and those of nodes within them, whose field has the name of an edge.
  private mutating func checkFields(
    _ text: String, at place: Substring, _ node: YAMLNode, of subject: RetirementSubject
  ) {
    for (name, inner) in fields.fields(text)?.list ?? [] {
      if let row = RetiredNames.row(.field, name, at: place) {
        report(
          row, .retiredField, "the field '\(name)'", at: location(of: name, in: node), of: subject)
      }
      if let inner { checkFields(inner, at: name[...], node, of: subject) }
    }
  }

  private mutating func report(
    _ row: RetiredName, _ rule: RuleID, _ what: String, at location: SourceLocation,
    of subject: RetirementSubject, fix: String? = nil
  ) {
    guard let sentence = row.sentence(about: what, in: subject.version, settings) else { return }
    report(rule, sentence, as: row.severity, at: location, hint: row.replacement, fix: fix)
  }

  // MARK: - Places and fixes

  /// The place of a word in a text, or in a list of texts.
  private mutating func location(of word: some StringProtocol, in node: YAMLNode) -> SourceLocation
  {
    if let element = node.elements?.first(where: { $0.scalar?.text == String(word) }) {
      return location(of: word, in: element)
    }
    guard let scalar = node.scalar, let range = scalar.text.range(ofWord: word) else {
      return node.location
    }
    return TextPositions(of: scalar, at: node.location, in: lines).location(of: range)
  }

  /// The successor of a name, unless the text has that already.
  private func fix(of row: RetiredName, in node: YAMLNode) -> String? {
    row.fix.flatMap { node.scalar?.text.range(ofWord: $0) == nil ? $0 : nil }
  }

  /// Keeps a fix only if every occurrence of the old name in the file is renamed: what reads it
  /// elsewhere, such as a condition on the answer, would find nothing.
  static func settled(_ advice: [Diagnostic], in source: SourceFile) -> [Diagnostic] {
    let renames = Dictionary(grouping: advice.filter { $0.fix != nil }, by: \.message)
    guard !renames.isEmpty else { return advice }
    var counts: [Substring: Int] = [:]
    for word in String(decoding: source.bytes, as: UTF8.self)[...].words
    where RetiredNames.metric(word)?.fix != nil {
      counts[word, default: 0] += 1
    }
    return advice.map { diagnostic in
      guard diagnostic.fix != nil, let name = diagnostic.message.quotedName,
        counts[name] != renames[diagnostic.message]?.count
      else { return diagnostic }
      return Diagnostic(
        severity: diagnostic.severity, rule: diagnostic.rule, message: diagnostic.message,
        file: diagnostic.file, location: diagnostic.location, hint: diagnostic.hint)
    }
  }
}

extension FieldTable {
  private static let retired = RetiredNames.names(of: .field)

  /// Whether a list of fields may hold a retired name; most files repeat a few lists.
  fileprivate mutating func maySuspect(_ text: String) -> Bool {
    if let known = suspicious[text] { return known }
    let found = text.contains("metric(") || text[...].words.contains(where: Self.retired.contains)
    suspicious[text] = found
    return found
  }
}

extension Substring {
  /// The names in a text.
  fileprivate var words: [Substring] {
    utf8.split { !WorkflowName.isPart($0) }.map { Substring($0) }
  }
}

extension String {
  /// The bytes of a name in a text with several.
  fileprivate func range(ofWord word: some StringProtocol) -> Range<Int>? {
    guard let found = self[...].words.first(where: { $0 == word }) else { return nil }
    let start = utf8.distance(from: startIndex, to: found.startIndex)
    return start..<start + found.utf8.count
  }

  /// The first name in single quotes.
  fileprivate var quotedName: Substring? { split(separator: "'").dropFirst().first }
}
