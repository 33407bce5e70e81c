/// A request that is never sent: its `when` is always false, or it depends on one that is never sent.
enum UnreachableRequest {
  static func diagnostics(in file: inout LintedFile) -> [Diagnostic] {
    let requests = file.workflow.requests
    guard requests.indices.contains(where: { requests[$0].when != nil }) else { return [] }
    var types: [InputName: InputType] = [:]
    for input in file.workflow.inputs { types[input.name] = input.type }
    var found: [Diagnostic] = []
    var unreachable: [Int] = []
    for index in requests.indices {
      guard let when = requests[index].when, when.constant(types) == false else { continue }
      unreachable.append(index)
      found.append(
        file.finding(
          .unreachableRequest,
          "'\(requests[index].name)' is never sent: this is always false",
          at: when.location,
          hint: "remove the request, or mend the condition"
        )
      )
    }
    guard !unreachable.isEmpty else { return found }
    var cause = Dictionary(uniqueKeysWithValues: unreachable.map { ($0, $0) })
    let dependents = dependents(in: requests)
    while let index = unreachable.popLast() {
      for dependent in dependents[index] ?? []
      where cause[dependent] == nil && !requests[dependent].runsAfterFailure {
        cause[dependent] = index
        unreachable.append(dependent)
        found.append(
          file.finding(
            .unreachableRequest,
            "'\(requests[dependent].name)' is never sent: it depends on '\(requests[index].name)'",
            at: requests[dependent].location,
            hint: "write on_dependency_failure: run if it should be sent all the same"
          )
        )
      }
    }
    return found
  }

  /// Who depends on each request.
  private static func dependents(in requests: [Workflow.Request]) -> [Int: [Int]] {
    var dependents: [Int: [Int]] = [:]
    for (index, request) in requests.enumerated() {
      for target in Set(request.references.map(\.request) + request.dependsOn) {
        dependents[target, default: []].append(index)
      }
    }
    return dependents
  }
}
