import GraphAPI
import JSONPath

/// Judging `expect`, once the answer is here.
extension RunState {
  /// The verdicts on an instance's expectations, in order.
  ///
  /// Of what a look has found there is a body and no answer: `status()` and `header()` are nothing.
  ///
  /// - Throws: if one of them takes too many steps.
  func verdicts(
    _ instance: Int,
    _ response: OperationResponse?,
    root: JSON?
  ) throws(BindingFailure) -> [ExpectationResult] {
    let expectations = request(of: instance).expect
    guard !expectations.isEmpty else { return [] }
    // What is shown is looked up where no secrets are: a value alone does not tell its name.
    let shownRoot = root.map { mask.masked($0) }
    var verdicts: [ExpectationResult] = []
    for expectation in expectations {
      let expression = expectation.expression
      let holds = try judge(expression, instance, response, root: root).holds
      let shown = try judge(expression, instance, response, root: shownRoot, masksSecrets: true)
      verdicts.append(
        ExpectationResult(
          check: expression.text,
          passed: holds,
          message: expectation.message,
          actual: shown.actual
        )
      )
    }
    return verdicts
  }

  /// Whether an expression holds of an answer, and the value of a comparison's left side.
  func judge(
    _ expression: Expression,
    _ instance: Int,
    _ response: OperationResponse?,
    root: JSON?,
    masksSecrets: Bool = false
  ) throws(BindingFailure) -> (holds: Bool, actual: JSON?) {
    var bindings = bindings(for: instance)
    bindings.masksSecrets = masksSecrets
    let operands = try bindings.operands(of: expression)
    let host =
      response.map { LogicalExpressionHost(operands: operands, response: $0) }
      ?? LogicalExpressionHost(operands: operands)
    do {
      return try expression.logical.evaluate(root: root, host: host)
    } catch {
      throw .queryLimit(expression.text)
    }
  }
}

/// The host of an expression's operands and functions.
typealias LogicalExpressionHost = LogicalExpression.Host

extension LogicalExpressionHost {
  /// The host of a `when` or of a look: operands that are known beforehand, and no functions.
  init(operands: [[JSON]]) {
    self.init(operand: { operands[$0] }, function: { _, _ in nil })
  }

  /// The host of an `expect`: `status()` and `header('name')` tell of the answer.
  init(operands: [[JSON]], response: OperationResponse) {
    self.init(
      operand: { operands[$0] },
      function: { name, arguments in
        switch name {
        case "status": .number(JSON.Number(response.code))
        case "header": (arguments.first??.string).flatMap { response.headers[$0] }.map(JSON.string)
        default: nil
        }
      }
    )
  }
}

extension Failure {
  /// The failure of a request one of whose expectations does not hold.
  init(brokenExpectation verdict: ExpectationResult) {
    let actual = verdict.actual.map { ", actual value: \($0)" } ?? ""
    self.init(
      error: GraphError(
        message: verdict.message ?? "the expectation `\(verdict.check)` does not hold\(actual)"
      ),
      category: .other,
      reason: .expectation,
      hint: "compare the actual value with the expected one in the report"
    )
  }
}
