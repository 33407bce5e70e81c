internal import JSONPath

extension WorkflowReader {
  /// The part of a workflow that a template is in, which decides what it may contain.
  struct Place {
    /// The request that the template belongs to; nil for outputs and for the keys of a group.
    var request: Int?
    /// The group that the template belongs to: names are looked up there first.
    var group: Int?
    /// Whether there is a current item.
    var hasItems = false
    /// Whether this is `token`, the only place where secrets are allowed.
    var isToken = false
    /// Whether this is a path, where other tools' placeholders are reported as errors instead.
    var isPath = false
  }

  /// The location of a text with references, in the file and in the workflow.
  struct Spot {
    let positions: TextPositions
    let place: Place

    func location(of piece: ScannedReference.Piece) -> SourceLocation {
      positions.location(of: piece.bytes)
    }
  }

  /// A template; numbers and booleans are used as written.
  mutating func template(_ node: YAMLNode, _ subject: Subject, in place: Place) -> Template? {
    guard case .scalar(let scalar) = node.content, !node.isNull else {
      reportType(node, subject, takes: "text")
      return nil
    }
    return template(scalar, at: node.location, in: place)
  }

  /// A template from a scalar's text.
  mutating func template(
    _ scalar: YAMLNode.Scalar, at location: SourceLocation, in place: Place
  ) -> Template? {
    guard TemplateScanner.mayHoldReference(scalar.text) else {
      let parts: [Template.Part] = scalar.text.isEmpty ? [] : [.text(scalar.text)]
      return Template(parts: parts, text: scalar.text, location: location)
    }
    let (scanned, foreign, strayBraces) = TemplateScanner.scan(scalar.text)
    let spot = Spot(positions: TextPositions(of: scalar, at: location, in: lines), place: place)
    if !place.isPath { warn(of: foreign, at: spot) }
    warn(ofStray: strayBraces, at: spot)
    var isValid = true
    var parts: [Template.Part] = []
    for part in scanned {
      switch part {
      case .text(let text): parts.append(.text(text))
      case .reference(let reference):
        if let placeholder = placeholder(reference, at: spot) {
          parts.append(.placeholder(placeholder))
        } else {
          isValid = false
        }
      case .fault(let fault):
        report(fault, spot.positions)
        isValid = false
      }
    }
    return isValid ? Template(parts: parts, text: scalar.text, location: location) : nil
  }

  /// Reports a fault in a template.
  mutating func report(_ fault: TemplateFault, _ positions: TextPositions) {
    report(
      fault.rule, fault.message, at: positions.location(of: fault.bytes),
      hint: fault.dotted.map { hint(forDotted: $0) } ?? fault.hint, fix: fault.fix)
  }

  /// A value with templates at any depth.
  mutating func valueTemplate(
    _ node: YAMLNode, _ subject: Subject, in place: Place
  ) -> ValueTemplate? {
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
      return mapTemplate(entries, subject, in: place)
    }
  }

  private mutating func mapTemplate(
    _ entries: [YAMLNode.Entry], _ subject: Subject, in place: Place
  ) -> ValueTemplate? {
    var members: [ValueTemplate.Member] = []
    for entry in entries {
      checkPlainName(entry, "a key")
      if let value = valueTemplate(entry.value, subject, in: place) {
        members.append(ValueTemplate.Member(name: entry.key, value: value))
      }
    }
    guard members.count == entries.count else { return nil }
    let literals = members.compactMap { member in member.value.literal.map { (member.name, $0) } }
    guard literals.count == members.count else { return .map(members) }
    return .literal(.object(JSON.Object(literals)))
  }

  private mutating func scalarTemplate(
    _ scalar: YAMLNode.Scalar, at location: SourceLocation, _ subject: Subject, in place: Place
  ) -> ValueTemplate? {
    let typed = CoreSchema.value(of: scalar)
    if case .string(let text) = typed {
      switch TemplateScanner.mark(in: text) {
      case nil: return .literal(.string(text))
      case .brace:
        guard let template = template(scalar, at: location, in: place) else { return nil }
        return template.literal.map { .literal(.string($0)) } ?? .template(template)
      case .shell:
        let positions = TextPositions(of: scalar, at: location, in: lines)
        let found = TemplateScanner.shellPlaceholders(in: text)
        warn(of: found, at: Spot(positions: positions, place: place))
        return .literal(.string(text))
      }
    }
    guard let value = typed.json else {
      report(
        RuleID.invalidValue, "\(subject) cannot be \(scalar.text): JSON has no such number",
        at: location, hint: "put it in quotes if it is text")
      return nil
    }
    return .literal(value)
  }

  /// Reports a name that contains a reference: only values are templates.
  mutating func checkPlainName(_ entry: YAMLNode.Entry, _ subject: Subject) {
    guard TemplateScanner.mayHoldReference(entry.key) else { return }
    for case .reference(let reference) in TemplateScanner.parts(of: entry.key) {
      report(
        RuleID.nearMissReference,
        "\(subject) is not a template: '\(YAMLFault.short(reference.whole.text))' "
          + "would stay literal text", at: entry.keyLocation, hint: "use references in values only")
      return
    }
  }
}

extension ValueTemplate {
  /// The value, if it has no placeholders.
  fileprivate var literal: JSON? {
    guard case .literal(let value) = self else { return nil }
    return value
  }
}

extension CoreSchema.Value {
  /// The value as JSON; nil if it is not finite.
  var json: JSON? {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .integer(let number), .float(let number): .number(number)
    case .notFinite: nil
    case .string(let text): .string(text)
    }
  }
}

extension WorkflowReader {
  /// The key that an expression belongs to.
  enum ExpressionPlace {
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
  mutating func expression(
    _ node: YAMLNode, _ subject: Subject, of kind: ExpressionPlace, in place: Place
  ) -> Expression? {
    guard let text = filledText(node, subject), case .scalar(let scalar) = node.content else {
      return nil
    }
    let positions = TextPositions(of: scalar, at: node.location, in: lines)
    let spot = Spot(positions: positions, place: place)
    var operands: [Int: LogicalExpression.HostOperand] = [:]
    var placeholders: [Placeholder] = []
    var isValid = true
    for part in TemplateScanner.operands(of: text) {
      switch part {
      case .text: continue
      case .fault(let fault):
        report(fault, positions)
        isValid = false
      case .reference(let reference):
        guard let placeholder = placeholder(reference, at: spot) else {
          isValid = false
          continue
        }
        operands[reference.whole.bytes.lowerBound] = LogicalExpression.HostOperand(
          end: text.utf8.index(text.startIndex, offsetBy: reference.whole.bytes.upperBound),
          id: placeholders.count, isSingular: placeholder.isSingular)
        placeholders.append(placeholder)
      }
    }
    // An expression with an invalid operand cannot be checked.
    guard isValid else { return nil }
    let found = operands
    let dialect = kind.dialect { text, brace in
      found[text.utf8.distance(from: text.startIndex, to: brace)]
    }
    do {
      let logical = try LogicalExpression(text, dialect: dialect)
      return Expression(
        text: text, logical: logical, placeholders: placeholders, location: node.location)
    } catch {
      reportExpression(error, in: text, of: kind, positions)
      return nil
    }
  }

  private mutating func reportExpression(
    _ error: Query.SyntaxError, in text: String, of kind: ExpressionPlace,
    _ positions: TextPositions
  ) {
    let isRoot = kind == .when && text.unicodeScalars.dropFirst(error.offset).first == "$"
    report(
      RuleID.invalidExpression,
      isRoot ? "'$' has no meaning in 'when': there is no response yet" : error.message,
      at: positions.location(ofCharacter: error.offset),
      hint: isRoot ? "refer to a request: {result=NAME:$.…}" : error.hint)
  }
}
