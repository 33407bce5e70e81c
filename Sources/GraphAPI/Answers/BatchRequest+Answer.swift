internal import JSONPath

extension BatchRequest {
  /// Parses the HTTP answer to this batch.
  ///
  /// A list of items is valid only with a status of 200 to 299 and one item for each operation.
  ///
  /// - Parameter response: The HTTP answer.
  /// - Returns: One answer for each operation, the error of the whole call, or why the answer is
  ///   unusable. This method never throws: an unusable answer is a normal result.
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
      guard first == UInt8(ascii: "[") else { return try refusedAnswer(response) }
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

  private func refusedAnswer(_ response: WireResponse) throws(JSON.SyntaxError) -> BatchAnswer {
    let json = try JSON(parsing: response.body)
    guard let error = GraphError(body: json) else {
      return .unreadable(status: response.status, UnusableAnswer.notAnArray.rawValue)
    }
    return .refused(error, status: response.status)
  }

  /// Decides for each `null` item whether the operation succeeded or was not run.
  ///
  /// If an operation was run, all operations that it refers to succeeded, and so on; therefore the
  /// loop goes from the last operation to the first.
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
