internal import JSONPath

/// A condition that always has the same answer checks nothing.
enum ConstantCondition {
  static func check(_ file: inout LintedFile) {
    /// Reports a condition with one answer; a hint of nil is for an answer that may be.
    func check(_ expression: Expression, ifTrue: String, ifFalse: String?) {
      guard let answer = expression.constant(file.inputTypes),
        let hint = answer ? ifTrue : ifFalse
      else { return }
      file.report(
        .constantCondition,
        "this is always \(answer)",
        at: expression.location,
        hint: hint
      )
    }
    for request in file.workflow.requests {
      let failing = "so '\(request.name)' always fails"
      // A `when` that is never true makes the request unreachable, which is a rule of its own.
      if let when = request.when {
        check(when, ifTrue: "so 'when' can be left out", ifFalse: nil)
      }
      for expectation in request.expect {
        check(expectation.expression, ifTrue: "so it checks nothing", ifFalse: failing)
      }
      guard let until = request.until else { continue }
      check(
        until.check,
        ifTrue: "so it is asked once",
        ifFalse: "so it is asked until the time is over"
      )
      if let fail = until.fail {
        check(fail, ifTrue: failing, ifFalse: "so 'fail' can be left out")
      }
    }
  }
}

extension Expression {
  /// The answer that it always gives, with the types of the inputs.
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
      }
    )
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
