import GraphAPI
package import JSONPath

extension Plan {
  /// The members of the plan's JSON before `batches`.
  package var jsonHeading: JSON.Object {
    let methods = OperationMethod.allCases.map {
      ($0.rawValue, JSON(operations[$0, default: 0]))
    }
    return JSON.Object([
      ("graphflow_plan", 1),
      ("workflow", .string(workflow.name)),
      ("strategy", .string(limits.strategy.rawValue)),
      ("calls", JSON(callCount)),
      ("rounds", JSON(rounds)),
      ("lower_bound", ["calls": JSON(lowerBound.calls), "rounds": JSON(lowerBound.rounds)]),
      ("operations", JSON(operationCount)),
      (
        "cost",
        [
          "http_calls": JSON(callCount + checks.calls),
          "confirmation_checks": [
            "calls": JSON(checks.calls), "operations": JSON(checks.operations),
          ],
          "operations": .object(JSON.Object(methods)),
          "round_trips": JSON(roundTrips),
        ]
      ),
    ])
  }

  /// A call as an element of `batches`.
  ///
  /// `key` returns the key of an item of a group; it is called for items in roughly their order.
  package func json(
    of call: Call, key: (_ group: Int, _ item: Int) throws -> String
  ) rethrows -> JSON {
    [
      "number": JSON(call.number),
      "round": JSON(call.round),
      "kind": call.isSingle ? "single" : "batch",
      "operations": .array(try call.operations.map { try json(of: $0, key) }),
      "after": .array(call.after.numbers.map { JSON($0) }),
      "ends_because": .string(text(of: call.closeReason, alone: call.operations.first?.request)),
    ]
  }

  private func json(
    of operation: Operation, _ key: (_ group: Int, _ item: Int) throws -> String
  ) rethrows -> JSON {
    let request = workflow.requests[operation.request]
    var members: [(String, JSON)] = [
      ("name", .string(request.displayName)),
      ("method", .string(request.method.rawValue)),
      ("path", .string(request.path.text)),
      ("line", JSON(workflow.source.place(of: request.location).line)),
    ]
    if let group = request.group, let item = operation.item {
      if items[group] == .unknown {
        members.append(("items", "unknown"))
      } else {
        members.append(("item", ["index": JSON(item), "key": .string(try key(group, item))]))
      }
    }
    func names(_ requests: [Int]) -> JSON { .array(requests.map { .string(name(of: $0)) }) }
    if !operation.inBatchReferences.isEmpty {
      members.append(("in_batch_references", names(operation.inBatchReferences)))
    }
    if let dependsOn = operation.dependsOn {
      members.append(("in_batch_depends_on", names([dependsOn])))
    }
    return .object(JSON.Object(members))
  }
}

extension JSON {
  /// Creates an integer.
  init(_ number: Int) { self = .number(Number(number)) }
}
