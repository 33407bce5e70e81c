internal import JSONPath

/// A condition that always has the same answer checks nothing.
enum ConstantCondition {
  static func diagnostics(in file: inout LintedFile) -> [Diagnostic] {
    var types: [InputName: InputType] = [:]
    for input in file.workflow.inputs { types[input.name] = input.type }
    var found: [Diagnostic] = []
    let requests = file.workflow.requests
    for index in requests.indices where requests[index].isConditional {
      let request = requests[index]
      // A `when` that is never true makes the request unreachable, which is a rule of its own.
      if let when = request.when, when.constant(types) == true {
        found.append(finding(true, when, "so 'when' can be left out", in: file))
      }
      for expectation in request.expect {
        guard let answer = expectation.expression.constant(types) else { continue }
        let hint = answer ? "so it checks nothing" : "so '\(request.name)' always fails"
        found.append(finding(answer, expectation.expression, hint, in: file))
      }
      guard let until = request.until else { continue }
      if let answer = until.check.constant(types) {
        let hint = answer ? "so it is asked once" : "so it is asked until the time is over"
        found.append(finding(answer, until.check, hint, in: file))
      }
      if let fail = until.fail, let answer = fail.constant(types) {
        let hint = answer ? "so '\(request.name)' always fails" : "so 'fail' can be left out"
        found.append(finding(answer, fail, hint, in: file))
      }
    }
    return found
  }

  private static func finding(
    _ answer: Bool,
    _ expression: Expression,
    _ hint: String,
    in file: LintedFile
  ) -> Diagnostic {
    file.finding(
      .constantCondition,
      "this is always \(answer)",
      at: expression.location,
      hint: hint
    )
  }
}

extension Workflow.Request {
  fileprivate var isConditional: Bool { when != nil || !expect.isEmpty || until != nil }
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
