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

  /// A batch item, and the request that it became if it was run.
  init(
    _ item: BatchItem,
    _ request: GraphRequest?,
    code: Int?,
    _ execution: World.Execution? = nil
  ) {
    name = item.name?.excerpt
    method = item.method?.rawValue ?? item.methodText.excerpt
    relativeURL = LoggedURL.text(item.relativeURL)
    let hasReferences =
      item.segments.contains(where: \.isOpen)
      || item.parameters.prefix(item.queryCount).contains(where: \.value.isOpen)
    if let request, hasReferences {
      resolvedURL = LoggedURL.text(
        version: item.version,
        path: request.path,
        query: request.parameters.members.prefix(item.queryCount)
      )
    } else {
      resolvedURL = relativeURL
    }
    self.code = code
    dependsOn = item.dependsOn?.excerpt
    isApplied = execution?.isApplied ?? false
    fault = execution?.fault
    error = execution?.answer?.errorCode
  }
}

extension ReferenceText {
  fileprivate var isOpen: Bool {
    if case .pieces = self { true } else { false }
  }
}
