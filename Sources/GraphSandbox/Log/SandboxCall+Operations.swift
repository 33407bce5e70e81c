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
    relativeURL = item.shownURL
    resolvedURL = relativeURL
    dependsOn = item.dependsOn?.excerpt
  }

  /// Records the answer to an operation; nil if it was not run or its answer was lost.
  mutating func record(_ answer: Answer?) {
    code = answer?.status
    error = answer?.errorCode
  }
}

extension BatchItem {
  /// The logged address with its references resolved; nil if it has none.
  func resolvedURL(_ request: GraphRequest) -> String? {
    guard hasReferences,
      scannedPath.contains(where: \.hasReferences)
        || scannedParameters.prefix(queryCount).contains(where: \.value.hasReferences)
    else { return nil }
    return LoggedURL.text(
      version: version, path: request.path, query: request.parameters.members.prefix(queryCount)
    )
  }
}
