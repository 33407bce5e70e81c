extension LogicalExpression {
  /// The type that every value of an operand has.
  package enum OperandType: Sendable {
    case number
    case string
    case boolean
    case list
  }

  /// The result of an expression that has the same result for every document; nil for any other.
  ///
  /// Comparisons of literals are evaluated. Values of different types are never equal and have no
  /// order (RFC 9535 §2.3.5.2.2). Anything else counts as depending on the document.
  /// The types are those of the host's operands by id and of its functions' results, nil if unknown.
  package func constant(
    operandType: @escaping (Int) -> OperandType?, functionType: @escaping (String) -> OperandType?
  ) -> Bool? {
    ConstantFolding(operandType: operandType, functionType: functionType).result(of: condition)
  }
}

/// Evaluates conditions that do not depend on a document.
private struct ConstantFolding {
  let operandType: (Int) -> LogicalExpression.OperandType?
  let functionType: (String) -> LogicalExpression.OperandType?

  func result(of condition: Condition) -> Bool? {
    switch condition {
    case .or(let conditions):
      let results = conditions.map(result(of:))
      return results.contains(true) ? true : results.allSatisfy { $0 == false } ? false : nil
    case .and(let conditions):
      let results = conditions.map(result(of:))
      return results.contains(false) ? false : results.allSatisfy { $0 == true } ? true : nil
    case .not(let condition): return result(of: condition).map { !$0 }
    case .comparison(let left, let comparator, let right):
      if left.isConstant, right.isConstant { return evaluated(condition) }
      return result(of: left, comparator, right)
    case .exists: return nil
    case .function(let call): return call.isConstant ? evaluated(condition) : nil
    }
  }

  private func result(of left: Operand, _ comparator: Comparator, _ right: Operand) -> Bool? {
    if case .function(let call) = left, case .count = call.function,
      case .literal(.number(let number)) = right
    {
      return result(ofCount: comparator, number)
    }
    guard let left = type(of: left), let right = type(of: right), left.type != right.type,
      left.isPresent || right.isPresent
    else { return nil }
    return comparator == .notEqual
  }

  /// The result of comparing a count, which is never negative, with a number.
  private func result(ofCount comparator: Comparator, _ number: JSON.Number) -> Bool? {
    let isNegative = number < JSON.Number(0)
    let isZero = number == JSON.Number(0)
    guard isNegative || isZero else { return nil }
    switch comparator {
    case .less: return false
    case .greaterOrEqual: return true
    case .equal, .lessOrEqual: return isNegative ? false : nil
    case .greater, .notEqual: return isNegative ? true : nil
    }
  }

  /// The type of an operand's value, and whether it is never Nothing, because Nothing equals Nothing.
  private func type(of operand: Operand) -> (type: LogicalExpression.OperandType?, isPresent: Bool)?
  {
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
      case .host(let name, _): return functionType(name).map { ($0, false) }
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
  /// Whether the value does not depend on a document.
  fileprivate var isConstant: Bool {
    switch self {
    case .literal: true
    case .nodes: false
    case .function(let call): call.isConstant
    }
  }
}

extension FunctionCall {
  /// Whether the result does not depend on a document.
  fileprivate var isConstant: Bool {
    if case .host = function { return false }
    return arguments.allSatisfy(\.isConstant)
  }
}
