internal import JSONPath

extension WorkflowReader {
  /// Where an expression stands.
  enum ExpressionPlace {
    /// In `when`, where there is no answer yet.
    case when
    /// In `expect`, where `$` is the answer.
    case expect
    /// In `confirm`, where `$` is what the look has found, and no answer to the request.
    case confirm

    fileprivate func dialect(
      _ operand: LogicalExpression.Dialect.OperandParser?
    ) -> LogicalExpression.Dialect {
      switch self {
      case .when: LogicalExpression.Dialect(allowsRoot: false, operand: operand)
      case .expect:
        LogicalExpression.Dialect(
          functions: [
            LogicalExpression.HostFunction(name: "status", parameterCount: 0),
            LogicalExpression.HostFunction(name: "header", parameterCount: 1),
          ],
          operand: operand
        )
      case .confirm: LogicalExpression.Dialect(operand: operand)
      }
    }
  }

  /// A condition (docs/language.md, "Expressions").
  mutating func expression(
    _ node: YAMLNode,
    _ subject: Subject,
    of kind: ExpressionPlace,
    in place: Place
  ) -> Expression? {
    guard let text = filledText(node, subject), case .scalar(let scalar) = node.content else {
      return nil
    }
    let positions = TextPositions(of: scalar, at: node.location, in: lines)
    let spot = Spot(positions: positions, place: place)
    var operands: [Int: LogicalExpression.HostOperand] = [:]
    var placeholders: [Placeholder] = []
    var isSound = true
    for part in TemplateScanner.operands(of: text) {
      switch part {
      case .text: continue
      case .fault(let fault):
        report(fault, positions)
        isSound = false
      case .reference(let reference):
        guard let placeholder = placeholder(reference, at: spot) else {
          isSound = false
          continue
        }
        operands[reference.whole.bytes.lowerBound] = LogicalExpression.HostOperand(
          end: text.utf8.index(text.startIndex, offsetBy: reference.whole.bytes.upperBound),
          id: placeholders.count,
          isSingular: placeholder.isSingular
        )
        placeholders.append(placeholder)
      }
    }
    // The expression around an operand that is wrong cannot be judged.
    guard isSound else { return nil }
    let found = operands
    let dialect = kind.dialect { text, brace in
      found[text.utf8.distance(from: text.startIndex, to: brace)]
    }
    do {
      let logical = try LogicalExpression(text, dialect: dialect)
      return Expression(
        text: text,
        logical: logical,
        placeholders: placeholders,
        location: node.location
      )
    } catch {
      reportExpression(error, in: text, of: kind, positions)
      return nil
    }
  }

  private mutating func reportExpression(
    _ error: Query.SyntaxError,
    in text: String,
    of kind: ExpressionPlace,
    _ positions: TextPositions
  ) {
    let isRoot = kind == .when && text.unicodeScalars.dropFirst(error.offset).first == "$"
    report(
      RuleID.invalidExpression,
      isRoot ? "'$' means nothing in 'when': there is no answer yet" : error.message,
      at: positions.location(ofCharacter: error.offset),
      hint: isRoot ? "refer to a request: {result=NAME:$.…}" : error.hint
    )
  }
}
