extension SandboxCall {
  init(number: Int, _ call: GraphCall, at time: Int) {
    self.init(
      number: number, time: time, method: call.method.excerpt, path: call.path,
      isBatch: call.isBatch)
  }

  var onlyReads: Bool { operations.allSatisfy { $0.method == GraphMethod.get.rawValue } }
}

extension SandboxCall.Operation {
  /// A single call's operation.
  init(_ request: GraphRequest, code: Int? = nil) {
    name = nil
    method = request.method.rawValue
    let shown = request.method == .get ? request.parameters.members[...] : []
    relativeURL = LoggedURL.text(version: nil, path: request.path, query: shown)
    resolvedURL = relativeURL
    dependsOn = nil
    self.code = code
  }

  /// A batch item that was not run.
  init(_ item: BatchItem) {
    name = item.name?.excerpt
    method = item.methodText.excerpt
    relativeURL = LoggedURL.text(item.url.text)
    resolvedURL = relativeURL
    dependsOn = item.dependsOn?.excerpt
  }

  mutating func recordExecution(_ execution: Execution, resolvedURL: String? = nil) {
    code = execution.answer?.status
    isApplied = execution.isApplied
    fault = execution.fault
    error = execution.answer?.errorCode
    if let resolvedURL { self.resolvedURL = resolvedURL }
  }
}

extension BatchItem {
  /// The logged address with its references resolved; nil if it has none.
  func resolvedURL(_ request: GraphRequest) -> String? {
    let queryCount = url.query.members.count
    guard hasReferences,
      scannedPath.contains(where: \.hasReferences)
        || scannedParameters.prefix(queryCount).contains(where: \.value.hasReferences)
    else { return nil }
    return LoggedURL.text(
      version: url.version, path: request.path, query: request.parameters.members.prefix(queryCount)
    )
  }
}
