internal import JSONPath

/// A condition that always has the same result.
enum ConstantCondition {
  static func check(_ file: inout LintedFile) {
    /// Reports a constant condition; a hint of nil allows that result.
    func check(_ expression: Expression, ifTrue: String, ifFalse: String?) {
      guard let result = expression.constant(file.inputTypes),
        let hint = result ? ifTrue : ifFalse
      else { return }
      file.report(
        .constantCondition, "this condition is always \(result)", at: expression.location,
        hint: hint)
    }
    for request in file.workflow.requests {
      let failing = "so '\(request.name)' always fails"
      // A `when` that is never true makes the request unreachable, which is a rule of its own.
      if let when = request.when { check(when, ifTrue: "so 'when' can be left out", ifFalse: nil) }
      for expectation in request.expect {
        check(expectation.expression, ifTrue: "so it checks nothing", ifFalse: failing)
      }
      guard let until = request.until else { continue }
      check(
        until.check, ifTrue: "so the request is sent once",
        ifFalse: "so it is repeated until 'within' has passed")
      if let fail = until.fail {
        check(fail, ifTrue: failing, ifFalse: "so 'fail' can be left out")
      }
    }
  }
}

extension Expression {
  /// Its result if that is the same for all values of the inputs' types; else nil.
  func constant(_ types: [InputName: InputType]) -> Bool? {
    logical.constant(
      operandType: { id in
        guard placeholders.indices.contains(id) else { return nil }
        switch placeholders[id].kind {
        case .input(let name): return types[name].map(\.operandType)
        case .index: return .number
        case .runID, .runStartedAt: return .string
        case .result, .item: return nil
        }
      },
      functionType: { name in
        switch name {
        case "status": .number
        case "header": .string
        default: nil
        }
      })
  }
}

extension InputType {
  fileprivate var operandType: LogicalExpression.OperandType {
    switch self {
    case .string, .file, .secret: .string
    case .integer, .number: .number
    case .boolean: .boolean
    case .list: .list
    }
  }
}
