import GraphAPI
import JSONPath

/// Evaluates `expect` and `until` on an answer.
extension RunState {
  /// The verdicts on an instance's expectations, in order.
  ///
  /// A write that a confirmation check has found has a body but no answer: `status()` and
  /// `header()` are then nothing.
  ///
  /// - Throws: A failure if an expression takes too many steps.
  func verdicts(
    _ instance: Int,
    _ response: OperationResponse?,
    root: JSON?
  ) throws(BindingFailure) -> [ExpectationResult] {
    let expectations = request(of: instance).expect
    guard !expectations.isEmpty else { return [] }
    // The shown value is selected in a masked body: the value alone does not show its name.
    let shownRoot = root.map { mask.masked($0) }
    var verdicts: [ExpectationResult] = []
    for expectation in expectations {
      let expression = expectation.expression
      let holds = try evaluate(expression, instance, response, root: root).holds
      let shown = try evaluate(expression, instance, response, root: shownRoot, masksSecrets: true)
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

  /// Evaluates an expression on an answer; also the value of a comparison's left side.
  func evaluate(
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
      response.map { LogicalExpression.Host(operands: operands, response: $0) }
      ?? LogicalExpression.Host(operands: operands)
    do {
      return try expression.logical.evaluate(root: root, host: host)
    } catch {
      throw .queryLimit(expression.text)
    }
  }
}

extension LogicalExpression.Host {
  /// The host of a `when` or of a confirmation check: fixed operands, and no functions.
  init(operands: [[JSON]]) {
    self.init(operand: { operands[$0] }, function: { _, _ in nil })
  }

  /// The host of an `expect`: `status()` and `header('name')` read the answer.
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
  /// The failure of a request with an expectation that does not hold.
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
