internal import JSONPath

extension LintedFile {
  /// A condition that always has the same result.
  mutating func checkConditions(_ request: Workflow.Request) {
    var failing: String { "so '\(request.name)' always fails" }
    // A `when` that is never true makes the request unreachable, which is a rule of its own.
    if let when = request.when {
      check(when, ifTrue: "so 'when' can be left out", ifFalse: nil)
    }
    for expectation in request.expect {
      check(expectation.expression, ifTrue: "so it checks nothing", ifFalse: failing)
    }
    guard let until = request.until else { return }
    check(
      until.check, ifTrue: "so the request is sent once",
      ifFalse: "so it is repeated until 'within' has passed")
    if let fail = until.fail { check(fail, ifTrue: failing, ifFalse: "so 'fail' can be left out") }
  }

  /// Reports a constant condition; a hint of nil allows that result.
  private mutating func check(
    _ expression: Expression, ifTrue: @autoclosure () -> String,
    ifFalse: @autoclosure () -> String?
  ) {
    guard let result = expression.constant(inputTypes), let hint = result ? ifTrue() : ifFalse()
    else { return }
    report(
      .constantCondition, "this condition is always \(result)", at: expression.location, hint: hint)
  }

  /// A request that is never sent: its `when` is always false, or it depends on such a request.
  mutating func checkReachability() {
    let requests = workflow.requests
    var unreachable: [Int] = []
    for (index, request) in requests.enumerated() {
      guard let when = request.when, when.constant(inputTypes) == false else { continue }
      unreachable.append(index)
      report(
        .unreachableRequest, "'\(request.name)' is never sent: this condition is always false",
        at: when.location, hint: "remove the request, or fix the condition")
    }
    guard !unreachable.isEmpty else { return }
    var dependents = [[Int]](repeating: [], count: requests.count)
    for (index, request) in requests.enumerated() {
      for target in Set(request.references.map(\.request) + request.dependsOn) {
        dependents[target].append(index)
      }
    }
    var known = Set(unreachable)
    while let index = unreachable.popLast() {
      for dependent in dependents[index]
      where !requests[dependent].runsAfterFailure && known.insert(dependent).inserted {
        unreachable.append(dependent)
        report(
          .unreachableRequest,
          "'\(requests[dependent].name)' is never sent: it depends on '\(requests[index].name)'",
          at: requests[dependent].location,
          hint: "write on_dependency_failure: run to send it anyway")
      }
    }
  }

  /// An input that nothing uses: a typo, or left over.
  mutating func checkInputs() {
    var unused = Set(workflow.inputs.map(\.name.text))
    // Searches the written values, so every place where an input is used counts.
    func search(_ node: YAMLNode) {
      // Most inputs are used by one of the first requests.
      guard !unused.isEmpty else { return }
      switch node.content {
      case .invalid: return
      case .sequence(let elements): for element in elements { search(element) }
      case .mapping(let entries): for entry in entries { search(entry.value) }
      case .scalar(let scalar):
        guard TemplateScanner.mayHoldReference(scalar.text) else { return }
        // Also the time zone of a date: {date=today@input=zone}.
        for range in scalar.text.ranges(of: "input=") {
          let name = scalar.text[range.upperBound...].utf8.prefix(while: WorkflowName.isPart)
          unused.remove(String(Substring(name)))
        }
      }
    }
    for key in ["requests", "outputs", "defaults"] {
      if let node = root.member(key) { search(node) }
    }
    for input in workflow.inputs where unused.contains(input.name.text) {
      report(
        .unusedInput, "the input '\(input.name)' is never used", at: input.location,
        hint: "use it with {input=\(input.name)}, or remove it")
    }
  }
}

extension Expression {
  /// Its result if that is the same for all values of the inputs' types; else nil.
  fileprivate func constant(_ types: [InputName: InputType]) -> Bool? {
    logical.constant(
      operandType: { id in
        guard placeholders.indices.contains(id) else { return nil }
        switch placeholders[id].kind {
        case .input(let name): return types[name].map(\.operandType)
        case .index: return .number
        case .date(let date): return date.format == .unix ? .number : .string
        case .runID, .runStartedAt: return .string
        case .result, .item, .row: return nil
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
    case .string, .file, .secret, .timezone: .string
    case .integer, .number: .number
    case .boolean: .boolean
    case .list: .list
    }
  }
}
