extension LogicalExpression {
  /// What every value of an operand is, if anything is known about it.
  package enum OperandType: Sendable {
    /// A number, or nothing.
    case number
    /// A string, or nothing.
    case string
    /// `true`, `false`, or nothing.
    case boolean
    /// A list, or nothing.
    case list
  }

  /// The answer that the expression gives whatever it is evaluated on; nil if it depends.
  ///
  /// Comparisons of literals are worked out, and what compares values of two types, which are never
  /// equal and have no order (RFC 9535 §2.3.5.2.2). What it does not see is taken to depend.
  ///
  /// - Parameters:
  ///   - operandType: What is known about the host's operand with that id.
  ///   - functionType: What is known about the result of the host's function of that name.
  /// - Returns: The answer, or nil.
  package func constant(
    operandType: @escaping (Int) -> OperandType?,
    functionType: @escaping (String) -> OperandType?
  ) -> Bool? {
    Constancy(operandType: operandType, functionType: functionType).answer(of: condition)
  }
}

/// Works out what does not depend on any value.
private struct Constancy {
  let operandType: (Int) -> LogicalExpression.OperandType?
  let functionType: (String) -> LogicalExpression.OperandType?

  func answer(of condition: Condition) -> Bool? {
    switch condition {
    case .or(let conditions):
      let answers = conditions.map(answer(of:))
      return answers.contains(true) ? true : answers.allSatisfy { $0 == false } ? false : nil
    case .and(let conditions):
      let answers = conditions.map(answer(of:))
      return answers.contains(false) ? false : answers.allSatisfy { $0 == true } ? true : nil
    case .not(let condition): return answer(of: condition).map { !$0 }
    case .comparison(let comparison): return answer(of: comparison)
    case .exists: return nil
    case .function(let call): return call.isClosed ? evaluated(condition) : nil
    }
  }

  private func answer(of comparison: Comparison) -> Bool? {
    if comparison.left.isClosed, comparison.right.isClosed {
      return evaluated(.comparison(comparison))
    }
    if isCount(comparison.left), let number = comparison.right.number {
      return answer(ofCount: comparison.comparator, than: number)
    }
    if let left = type(of: comparison.left), let right = type(of: comparison.right),
      left.type != right.type, left.isThere || right.isThere
    {
      return comparison.comparator == .notEqual
    }
    return nil
  }

  /// A count is never below zero.
  private func answer(ofCount comparator: Comparator, than number: JSON.Number) -> Bool? {
    let isBelow = number < JSON.Number(0)
    let isZero = number == JSON.Number(0)
    guard isBelow || isZero else { return nil }
    switch comparator {
    case .less: return false
    case .greaterOrEqual: return true
    case .equal, .lessOrEqual: return isBelow ? false : nil
    case .greater, .notEqual: return isBelow ? true : nil
    }
  }

  private func isCount(_ operand: Operand) -> Bool {
    guard case .function(let call) = operand, case .count = call.function else { return false }
    return true
  }

  /// The type of an operand's value, and whether there always is one: two that are nothing are
  /// equal.
  private func type(
    of operand: Operand
  ) -> (type: LogicalExpression.OperandType?, isThere: Bool)? {
    switch operand {
    case .literal(let value):
      switch value {
      case .number: return (.number, true)
      case .string: return (.string, true)
      case .bool: return (.boolean, true)
      case .array: return (.list, true)
      case .null, .object: return (nil, true)
      }
    case .nodes(.host(let operand)): return operandType(operand.id).map { ($0, true) }
    case .nodes: return nil
    case .function(let call):
      switch call.function {
      case .count: return (.number, true)
      case .length: return (.number, false)
      case .host(let function): return functionType(function.name).map { ($0, false) }
      case .value, .match, .search: return nil
      }
    }
  }

  private func evaluated(_ condition: Condition) -> Bool? {
    let expression = LogicalExpression(text: "", condition: condition)
    return try? expression.evaluate(root: nil).holds
  }
}

extension Operand {
  /// Whether its value is known without any document.
  fileprivate var isClosed: Bool {
    switch self {
    case .literal: true
    case .nodes: false
    case .function(let call): call.isClosed
    }
  }

  fileprivate var number: JSON.Number? {
    guard case .literal(.number(let number)) = self else { return nil }
    return number
  }
}

extension FunctionCall {
  /// Whether its result is known without any document.
  fileprivate var isClosed: Bool {
    if case .host = function { return false }
    return arguments.allSatisfy(\.isClosed)
  }
}
