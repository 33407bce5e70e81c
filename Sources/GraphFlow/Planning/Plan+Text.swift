public import GraphAPI

extension Plan {
  /// The plan for people: rounds, calls, what is in them and why they end.
  ///
  /// - Parameter defaultVersion: the Graph version of requests that name none.
  /// - Returns: lines of text, the last one ended.
  public func text(defaultVersion: GraphVersion = .current) -> String {
    let version = workflow.version ?? defaultVersion
    var lines = [
      "\(workflow.name): \(counted(operationCount, "operation")), \(counted(calls.count, "call")), "
        + "\(counted(rounds, "round")) (Graph API \(version), \(limits.strategy.rawValue))",
      "lower bound: \(counted(lowerBound.calls, "call")), \(counted(lowerBound.rounds, "round"))",
    ]
    let width = workflow.requests.map(\.displayName.count).max() ?? 0
    var round = 0
    for call in calls {
      if call.round != round {
        round = call.round
        lines += ["", "round \(round)"]
      }
      lines.append("  call \(call.number): \(description(of: call))")
      for operation in call.operations {
        lines.append("    " + description(of: operation, nameWidth: width))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func description(of call: Call) -> String {
    let content =
      call.isSingle
      ? "one operation, travels alone"
      : "\(counted(call.operations.count, "operation")), ends: \(call.endsBecause)"
    guard !call.after.isEmpty else { return content }
    let numbers = call.after.map(String.init).joined(separator: ", ")
    return content + ", after call \(numbers)"
  }

  private func description(of operation: Operation, nameWidth: Int) -> String {
    let request = workflow.requests[operation.request]
    let name = request.displayName
    let padding = String(repeating: " ", count: nameWidth - name.count)
    var text = "\(name)\(padding)  \(request.method.rawValue) \(request.path.text)"
    if let group = request.group, let item = operation.item {
      switch items[group] {
      case .unknown: text += "  (for each item, as many as there will be)"
      case .known(let keys): text += "  (item \(keys[item]))"
      }
    }
    if !operation.inBatchReferences.isEmpty {
      text += "  (Graph fills in \(names(operation.inBatchReferences)))"
    }
    if let dependsOn = operation.dependsOn {
      text += "  (after \(names([dependsOn])))"
    }
    return text
  }

  private func names(_ requests: [Int]) -> String {
    requests.map { workflow.requests[$0].displayName }.joined(separator: ", ")
  }

  private func counted(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
  }
}
