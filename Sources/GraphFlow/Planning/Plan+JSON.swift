import GraphAPI
public import JSONPath

extension Plan {
  /// The plan as `graphflow plan --format json` prints it.
  public var json: JSON {
    [
      "graphflow_plan": 1,
      "workflow": .string(workflow.name),
      "strategy": .string(limits.strategy.rawValue),
      "calls": JSON(calls.count),
      "rounds": JSON(rounds),
      "lower_bound": ["calls": JSON(lowerBound.calls), "rounds": JSON(lowerBound.rounds)],
      "operations": JSON(operationCount),
      "batches": .array(calls.map(json(of:))),
    ]
  }

  private func json(of call: Call) -> JSON {
    [
      "number": JSON(call.number),
      "round": JSON(call.round),
      "kind": call.isSingle ? "single" : "batch",
      "operations": .array(call.operations.map(json(of:))),
      "after": .array(call.after.map { JSON($0) }),
      "ends_because": .string(call.endsBecause),
    ]
  }

  private func json(of operation: Operation) -> JSON {
    let request = workflow.requests[operation.request]
    var members: [(String, JSON)] = [
      ("name", .string(request.displayName)),
      ("method", .string(request.method.rawValue)),
      ("path", .string(request.path.text)),
      ("line", JSON(request.location.line)),
    ]
    if let group = request.group, let item = operation.item {
      switch items[group] {
      case .unknown: members.append(("items", "unknown"))
      case .known(let keys):
        members.append(("item", ["index": JSON(item), "key": .string(keys[item])]))
      }
    }
    if !operation.inBatchReferences.isEmpty {
      members.append(("in_batch_references", names(operation.inBatchReferences)))
    }
    if let dependsOn = operation.dependsOn {
      members.append(("in_batch_depends_on", names([dependsOn])))
    }
    return .object(JSON.Object(members))
  }

  private func names(_ requests: [Int]) -> JSON {
    .array(requests.map { .string(workflow.requests[$0].displayName) })
  }
}

extension JSON {
  /// A whole number.
  fileprivate init(_ number: Int) {
    self = .number(Number(number))
  }
}
