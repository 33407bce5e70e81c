internal import GraphAPI
internal import JSONPath

/// Reads texts with references, and resolves what they name in the file.
final class TemplateReader: YAMLReading {
  /// The part of a workflow that a template is in, which decides what it may contain.
  struct Place {
    /// The request that the template belongs to; nil for outputs and for the keys of a group.
    var request: Int?
    /// The group that the template belongs to: names are looked up there first.
    var group: Int?
    var hasItems = false
    /// Whether this is `token`, the only place where secrets are allowed.
    var isToken = false
    /// Whether this is a path, where other tools' placeholders are reported as errors instead.
    var isPath = false
    /// Whether this is a column of a row: all requests of the group have ended for its item.
    var isRow = false
    /// Whether this is a column of a row that an answer holds, to which `{row}` refers.
    var hasRows = false
  }

  /// The location of a text with references, in the file and in the workflow.
  struct Spot {
    let positions: TextPositions
    let place: Place

    func location(of piece: ScannedReference.Piece) -> SourceLocation {
      positions.location(of: piece.bytes)
    }
  }

  let source: SourceFile
  var findings: Findings
  /// The types of the declared inputs; nil for an input with an invalid type.
  var inputTypes: [String: InputType?] = [:]
  /// The time zone of dates that name none: the schedule's.
  var timeZone = TimeZoneName.defaultName
  /// The requests and groups as written, valid or not, and their dependencies.
  var scopes = RequestScopes()
  /// The queries parsed so far: most files repeat a few queries many times.
  var queries: [String: Query] = [:]
  /// The conditions without placeholders parsed so far, which requests share.
  private var conditions = [[String: LogicalExpression]](
    repeating: [:], count: ExpressionPlace.allCases.count)
  /// Returns what is at a path in the workflow's folder; nil if files are not looked up.
  var fileLookup: ((_ path: String) -> FilePresence)?
  private(set) lazy var lines = SourceLines(of: source.bytes)
  private(set) lazy var hashComments = HashComments(in: source) { lines }

  init(_ source: SourceFile, findings: Findings) {
    self.source = source
    self.findings = findings
  }

  /// Reports an unknown key of a map, and returns the key that was probably meant.
  func reportUnknownKey(
    _ entry: YAMLNode.Entry, in subject: Subject, among entries: [YAMLNode.Entry],
    known keys: [String]
  ) -> String? {
    let found = UnknownKey(entry, among: entries, known: keys) {
      suggestion(for: entry.key, among: keys)
    }
    // The other keys that together stand for a method have one message, at the first of them.
    if found.repeatsVerb { return found.meant }
    report(
      .unknownKey, "unknown key '\(entry.key.short)' in \(subject)",
      at: entry.keyLocation, hint: found.hint, fix: found.fix)
    return found.meant
  }
}

extension TemplateReader {
  func positions(of scalar: YAMLNode.Scalar, at location: SourceLocation) -> TextPositions {
    TextPositions(of: scalar, at: location, in: lines)
  }

  /// The positions in the text of a scalar; nil for a list or map.
  func positions(of node: YAMLNode) -> TextPositions? {
    node.scalar.map { positions(of: $0, at: node.location) }
  }

  func reportName(_ entry: YAMLNode.Entry, of what: String) {
    let isLong = entry.key.utf8.count > WorkflowName.maximumLength
    report(
      .invalidName, "'\(entry.key.short)' cannot be the name of \(what)", at: entry.keyLocation,
      hint: isLong ? "at most 64 characters" : "a letter or '_', then letters, digits, '_' and '-'")
  }
}

// MARK: Templates

extension TemplateReader {
  /// A template; numbers and booleans are used as written.
  func template(_ node: YAMLNode, _ subject: Subject, in place: Place) -> Template? {
    guard let scalar = node.scalar, !node.isNull else {
      return refuse(node, subject, takes: "text")
    }
    return template(scalar, at: node.location, in: place)
  }

  func template(
    _ scalar: YAMLNode.Scalar, at location: SourceLocation, in place: Place
  ) -> Template? {
    if !place.isPath { warnOfParentheses(in: scalar, at: location, place) }
    guard TemplateScanner.mayHoldReference(scalar.text) else {
      let parts: [Template.Part] = scalar.text.isEmpty ? [] : [.text(scalar.text)]
      return Template(parts: parts, text: scalar.text, location: location)
    }
    let (scanned, foreign, strayBraces) = TemplateScanner.scan(scalar.text)
    let spot = Spot(positions: positions(of: scalar, at: location), place: place)
    if !place.isPath { warn(of: foreign, at: spot) }
    for brace in strayBraces {
      warn(
        .strayBrace, "this '}' closes nothing, so it stays in the text",
        at: spot.location(of: brace), hint: "remove it")
    }
    var parts: [Template.Part] = []
    parts.reserveCapacity(scanned.count)
    for scanned in scanned { if let part = part(scanned, at: spot) { parts.append(part) } }
    guard parts.count == scanned.count else { return nil }
    return Template(parts: parts, text: scalar.text, location: location)
  }

  /// A part of a template or expression; nil for one that has been reported.
  func part(_ scanned: TemplateScanner.Part, at spot: Spot) -> Template.Part? {
    switch scanned {
    case .text(let text): return .text(text)
    case .reference(let reference): return placeholder(reference, at: spot).map { .placeholder($0) }
    case .fault(let fault):
      report(
        .nearMissReference, fault.message, at: spot.positions.location(of: fault.bytes),
        hint: fault.dotted.map { hint(forDotted: $0) } ?? fault.hint, fix: fault.fix)
      return nil
    }
  }

  private func warnOfParentheses(
    in scalar: YAMLNode.Scalar, at location: SourceLocation, _ place: Place
  ) {
    let found = TemplateScanner.placeholdersInParentheses(in: scalar.text)
    guard !found.isEmpty else { return }
    warn(of: found, at: Spot(positions: positions(of: scalar, at: location), place: place))
  }

  /// Warns of placeholders in the syntax of other tools, which are sent as they are written.
  private func warn(of found: [ForeignPlaceholder], at spot: Spot) {
    for placeholder in found {
      guard let cure = cure(for: placeholder, in: spot.place) else { continue }
      warn(
        .foreignPlaceholder,
        "'\(placeholder.whole.text.short)' is not a reference, so it stays literal text",
        at: spot.location(of: placeholder.whole), hint: cure)
    }
  }

  /// A value with templates at any depth.
  func valueTemplate(_ node: YAMLNode, _ subject: Subject, in place: Place) -> ValueTemplate? {
    switch node.content {
    case .invalid: return nil
    case .scalar(let scalar): return scalarTemplate(scalar, at: node.location, subject, in: place)
    case .sequence(let elements):
      let values = elements.map { valueTemplate($0, subject, in: place) }
      let known = values.compactMap(\.self)
      guard known.count == values.count else { return nil }
      let literals = known.compactMap(\.literal)
      return literals.count == known.count ? .literal(.array(literals)) : .list(known)
    case .mapping(let entries):
      if reportUnquotedReference(node) { return nil }
      let members = entries.compactMap { entry in
        checkPlainName(entry, "a key")
        return valueTemplate(entry.value, subject, in: place).map {
          ValueTemplate.Member(name: entry.key, value: $0)
        }
      }
      guard members.count == entries.count else { return nil }
      let literals = members.compactMap { member in member.value.literal.map { (member.name, $0) } }
      guard literals.count == members.count else { return .map(members) }
      return .literal(.object(JSON.Object(literals)))
    }
  }

  private func scalarTemplate(
    _ scalar: YAMLNode.Scalar, at location: SourceLocation, _ subject: Subject, in place: Place
  ) -> ValueTemplate? {
    let typed = CoreSchema.value(of: scalar)
    if case .string(let text) = typed {
      if TemplateScanner.mayHoldReference(text) {
        guard let template = template(scalar, at: location, in: place) else { return nil }
        return template.literal.map { .literal(.string($0)) } ?? .template(template)
      }
      warnOfParentheses(in: scalar, at: location, place)
    }
    if let value = typed.json { return .literal(value) }
    report(
      .invalidValue, "\(subject) cannot be \(scalar.text): JSON has no such number", at: location,
      hint: "put it in quotes if it is text")
    return nil
  }

  /// Reports a name that contains a reference: only values are templates.
  func checkPlainName(_ entry: YAMLNode.Entry, _ subject: Subject) {
    guard TemplateScanner.mayHoldReference(entry.key) else { return }
    for case .reference(let reference) in TemplateScanner.parts(of: entry.key) {
      return report(
        .nearMissReference,
        "\(subject) is not a template: '\(reference.whole.text.short)' would stay literal text",
        at: entry.keyLocation, hint: "use references in values only")
    }
  }

  /// Reports references to requests where they are not allowed.
  func refuseResults(in placeholders: [Placeholder], _ message: String, hint: String) {
    for placeholder in placeholders where placeholder.reference != nil {
      report(.invalidValue, message, at: placeholder.location, hint: hint)
    }
  }
}

extension ValueTemplate {
  /// The value, if it has no placeholders.
  var literal: JSON? {
    guard case .literal(let value) = self else { return nil }
    return value
  }
}

// MARK: Conditions

extension TemplateReader {
  /// The key that an expression belongs to.
  enum ExpressionPlace: Int, CaseIterable {
    /// `when`, evaluated before there is a response.
    case when
    /// `expect`, where `$` is the response.
    case expect
    /// `confirm`, where `$` is the response of the confirmation check instead.
    case confirm

    fileprivate func dialect(
      _ operand: LogicalExpression.Dialect.OperandParser?
    ) -> LogicalExpression.Dialect {
      switch self {
      case .when: LogicalExpression.Dialect(allowsRoot: false, operand: operand)
      case .expect:
        LogicalExpression.Dialect(functions: ["status": 0, "header": 1], operand: operand)
      case .confirm: LogicalExpression.Dialect(operand: operand)
      }
    }
  }

  /// A condition (docs/reference/language.md, "Expressions").
  func expression(
    _ node: YAMLNode, _ subject: Subject, of kind: ExpressionPlace, in place: Place
  ) -> Expression? {
    guard let text = filledText(node, subject), let scalar = node.scalar else { return nil }
    if let logical = conditions[kind.rawValue][text] {
      return Expression(logical: logical, placeholders: [], location: node.location)
    }
    lazy var spot = Spot(positions: positions(of: scalar, at: node.location), place: place)
    // In the quotes of a condition they would be compared as text.
    let foreign = text.holds("{") ? TemplateScanner.scan(text).foreign : []
    if !foreign.isEmpty { warn(of: foreign, at: spot) }
    // An expression with an invalid operand cannot be checked.
    let scanned = TemplateScanner.operands(of: text)
    guard let (placeholders, parser) = operands(scanned, from: 0, at: spot) else { return nil }
    let dialect = kind.dialect(parser)
    do {
      let logical = try LogicalExpression(text, dialect: dialect)
      if placeholders.isEmpty { conditions[kind.rawValue][text] = logical }
      return Expression(logical: logical, placeholders: placeholders, location: node.location)
    } catch {
      let isRoot = kind == .when && text.unicodeScalars.dropFirst(error.offset).first == "$"
      report(
        .invalidExpression,
        isRoot ? "'$' has no meaning in 'when': there is no response yet" : error.message,
        at: spot.positions.location(ofCharacter: error.offset),
        hint: isRoot ? "refer to a request: {result=NAME:$.…}" : error.hint)
      return nil
    }
  }

  /// The placeholders that are operands of a text, and the parser that finds them in it; nil if one
  /// is invalid, which has been reported.
  ///
  /// The text begins at `start` in the scalar, in bytes of UTF-8.
  func operands(
    _ scanned: [TemplateScanner.Part], from start: Int, at spot: @autoclosure () -> Spot
  ) -> (placeholders: [Placeholder], parser: LogicalExpression.Dialect.OperandParser)? {
    var found: [Int: (length: Int, id: Int, isSingular: Bool)] = [:]
    var placeholders: [Placeholder] = []
    for scanned in scanned {
      guard case .placeholder(let placeholder)? = part(scanned, at: spot()),
        case .reference(let reference) = scanned
      else { continue }
      let bytes = reference.whole.bytes
      found[bytes.lowerBound - start] = (bytes.count, placeholders.count, placeholder.isSingular)
      placeholders.append(placeholder)
    }
    guard placeholders.count == scanned.count else { return nil }
    let operands = found
    return (
      placeholders,
      { text, brace in
        operands[text.utf8.distance(from: text.startIndex, to: brace)].map {
          LogicalExpression.HostOperand(
            end: text.utf8.index(brace, offsetBy: $0.length), id: $0.id, isSingular: $0.isSingular)
        }
      }
    )
  }
}
