/// A request that is never sent: its `when` is always false, or it depends on such a request.
enum UnreachableRequest {
  static func check(_ file: inout LintedFile) {
    let requests = file.workflow.requests
    var unreachable: [Int] = []
    for (index, request) in requests.enumerated() {
      guard let when = request.when, when.constant(file.inputTypes) == false else { continue }
      unreachable.append(index)
      file.report(
        .unreachableRequest, "'\(request.name)' is never sent: this condition is always false",
        at: when.location, hint: "remove the request, or fix the condition")
    }
    guard !unreachable.isEmpty else { return }
    var known = Set(unreachable)
    let dependents = dependents(in: requests)
    while let index = unreachable.popLast() {
      for dependent in dependents[index]
      where !requests[dependent].runsAfterFailure && known.insert(dependent).inserted {
        unreachable.append(dependent)
        file.report(
          .unreachableRequest,
          "'\(requests[dependent].name)' is never sent: it depends on '\(requests[index].name)'",
          at: requests[dependent].location,
          hint: "write on_dependency_failure: run to send it anyway")
      }
    }
  }

  private static func dependents(in requests: [Workflow.Request]) -> [[Int]] {
    var dependents = [[Int]](repeating: [], count: requests.count)
    for (index, request) in requests.enumerated() {
      for target in Set(request.references.map(\.request) + request.dependsOn) {
        dependents[target].append(index)
      }
    }
    return dependents
  }
}
