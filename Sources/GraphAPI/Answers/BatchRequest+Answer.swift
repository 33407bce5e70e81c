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
    func unreadable(_ reason: String) -> BatchAnswer { .unreadable(status: status, reason) }
    guard !(300...399).contains(status) else { return unreadable(UnusableAnswer.redirect) }
    guard (200...599).contains(status) else { return unreadable(UnusableAnswer.unusualStatus) }
    guard let first = response.body.first(where: { !UnusableAnswer.isSpace($0) }) else {
      return unreadable(UnusableAnswer.empty)
    }
    do {
      guard first == UInt8(ascii: "[") else {
        return GraphError(body: try JSON(parsing: response.body))
          .map { .refused($0, status: status) } ?? unreadable(UnusableAnswer.notAnArray)
      }
      guard status < 300 else { return unreadable(UnusableAnswer.failedArray) }
      let items = try JSONItems(parsing: response.body)
      guard items.count == operations.count else {
        return unreadable(UnusableAnswer.length(items.count, expected: operations.count))
      }
      return .items(answers(to: items))
    } catch {
      return unreadable(UnusableAnswer.text(for: response.body, error))
    }
  }

  /// Decides for each `null` item whether the operation succeeded or was not run.
  ///
  /// If an operation was run, all operations that it refers to succeeded, and so on; therefore the
  /// loop goes from the last operation to the first.
  private func answers(to items: JSONItems) -> [OperationAnswer] {
    // Without a copy of the whole batch for each item.
    let operations = operations
    var isComplete = true
    var answers = operations.indices.map { index -> OperationAnswer in
      guard let response = OperationResponse(items, index, to: operations[index]) else {
        isComplete = false
        return .notExecuted(nil)
      }
      if let error = response.abortedError { return .notExecuted(error) }
      return .response(response)
    }
    if isComplete { return answers }
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
  /// Parses an item, whose headers stay a slice of the answer; nil for `null`, `{}` and items without
  /// a status, which has three digits in HTTP.
  fileprivate convenience init?(
    _ items: JSONItems, _ index: Int, to operation: @autoclosure () -> BatchOperation
  ) {
    guard let code = items.member("code", of: index) else { return nil }
    let digits = items.text(of: code)
    guard digits.count == 3, digits.allSatisfy(\.isDigit) else { return nil }
    let headers = items.member("headers", of: index).map { items.text(of: $0) }
    let body = items.member("body", of: index)
    self.init(
      digits.reduce(0) { $0 * 10 + Int($1 - 48) }, .text(headers ?? []),
      body.map { ResponseBody.validated($0, of: items) } ?? ResponseBody.absent.validated(),
      operation())
  }

  /// Error 960: Graph did not finish the operation, or did not run it.
  fileprivate var abortedError: GraphError? {
    guard code >= 400, let error, error.code == GraphError.abortedCode else { return nil }
    return error
  }
}
