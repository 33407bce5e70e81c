extension SandboxCall.Operation {
  /// A single call's operation.
  init(_ request: GraphRequest, code: Int?, _ execution: World.Execution? = nil) {
    name = nil
    method = request.method.rawValue
    let shown = request.method == .get ? request.parameters.members[...] : []
    relativeURL = LoggedURL.text(version: nil, path: request.path, query: shown)
    resolvedURL = relativeURL
    self.code = code
    dependsOn = nil
    isApplied = execution?.isApplied ?? false
    fault = execution?.fault
    error = execution?.answer?.errorCode
  }

  /// A batch item, and what it came to.
  init(_ item: BatchItem, _ result: OperationResult) {
    name = item.name?.excerpt
    method = item.methodText.excerpt
    relativeURL = LoggedURL.text(item.relativeURL)
    resolvedURL = result.details?.resolvedURL ?? relativeURL
    code = result.code
    dependsOn = item.dependsOn?.excerpt
    isApplied = result.isApplied
    fault = result.details?.fault
    error = result.details?.error
  }
}

extension BatchItem {
  /// The address with its references resolved, as the log shows it; nil if it has none.
  func resolvedURL(_ request: GraphRequest) -> String? {
    guard hasReferences,
      openPath.contains(where: \.isOpen)
        || openParameters.prefix(queryCount).contains(where: \.value.isOpen)
    else { return nil }
    return LoggedURL.text(
      version: version,
      path: request.path,
      query: request.parameters.members.prefix(queryCount)
    )
  }
}
