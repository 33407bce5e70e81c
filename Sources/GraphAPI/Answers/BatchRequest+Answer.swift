internal import JSONPath

extension BatchRequest {
  /// What an HTTP answer says about the operations.
  ///
  /// A list counts only under a status of 200 to 299 and with an item for each operation.
  public func answer(from response: WireResponse) -> BatchAnswer {
    let status = response.status
    guard !(300...399).contains(status) else {
      return .unreadable(status: status, UnusableAnswer.redirect.rawValue)
    }
    guard (200...599).contains(status) else {
      return .unreadable(status: status, UnusableAnswer.unusualStatus.rawValue)
    }
    guard let first = response.body.first(where: { !UnusableAnswer.isSpace($0) }) else {
      return .unreadable(status: status, UnusableAnswer.empty.rawValue)
    }
    do {
      guard first == UInt8(ascii: "[") else { return try refusal(response) }
      guard status < 300 else {
        return .unreadable(status: status, UnusableAnswer.failedArray.rawValue)
      }
      let items = try BatchItem.items(in: response.body)
      guard items.count == operations.count else {
        let reason = UnusableAnswer.length(items.count, expected: operations.count)
        return .unreadable(status: status, reason)
      }
      return .items(answers(to: items))
    } catch {
      return .unreadable(status: status, UnusableAnswer.text(for: response.body, error))
    }
  }

  private func refusal(_ response: WireResponse) throws(JSON.SyntaxError) -> BatchAnswer {
    let json = try JSON(parsing: response.body)
    guard let error = GraphError(body: json) else {
      return .unreadable(status: response.status, UnusableAnswer.notAnArray.rawValue)
    }
    return .refused(error, status: response.status)
  }

  /// Gives each `null` its meaning, from what was asked for.
  ///
  /// That an operation was run proves that the ones it points to succeeded, and so for those that
  /// they point to; hence the order from the last to the first.
  private func answers(to items: [BatchItem?]) -> [OperationAnswer] {
    var answers = zip(items, operations).map { item, operation -> OperationAnswer in
      guard let response = item?.response(to: operation) else { return .notExecuted(nil) }
      if let error = response.abortedError { return .notExecuted(error) }
      return .response(response)
    }
    guard answers.contains(.notExecuted(nil)) else { return answers }
    var succeededNames: Set<String> = []
    for index in answers.indices.reversed() {
      let operation = operations[index]
      if answers[index] == .notExecuted(nil), operation.omitResponseOnSuccess != false,
        let name = operation.name, succeededNames.contains(name)
      {
        answers[index] = .omitted
      }
      if case .notExecuted = answers[index] { continue }
      succeededNames.formUnion(operation.predecessorNames)
    }
    return answers
  }
}

extension OperationResponse {
  /// Error 960: Graph did not finish the operation, or did not run it.
  fileprivate var abortedError: GraphError? {
    guard code >= 400, let error, error.code == GraphError.abortedCode else { return nil }
    return error
  }
}
