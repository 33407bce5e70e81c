import GraphAPI
package import JSONPath

extension Plan {
  /// The plan as `graphflow plan --format json` prints it.
  package var json: JSON {
    let form = PlanJSON(of: summary)
    var members = form.heading
    members["batches"] = .array(
      calls.map { call in
        form.json(of: call) { group, item in
          guard case .known(let keys) = summary.items[group] else { return String(item) }
          return keys[item]
        }
      })
    return .object(members)
  }
}

/// Writes a plan as JSON, call by call.
package struct PlanJSON {
  private let summary: PlanSummary
  private let labels: PlanLabels

  /// Starts with the figures of a plan.
  package init(of summary: PlanSummary) {
    self.summary = summary
    labels = PlanLabels(of: summary)
  }

  /// The members before `batches`.
  package var heading: JSON.Object {
    let operations = OperationMethod.allCases.map {
      ($0.rawValue, JSON(summary.operations[$0, default: 0]))
    }
    let bound = summary.lowerBound
    return JSON.Object([
      ("graphflow_plan", 1),
      ("workflow", .string(summary.workflow.name)),
      ("strategy", .string(summary.limits.strategy.rawValue)),
      ("calls", JSON(summary.calls)),
      ("rounds", JSON(summary.rounds)),
      ("lower_bound", ["calls": JSON(bound.calls), "rounds": JSON(bound.rounds)]),
      ("operations", JSON(summary.operationCount)),
      (
        "cost",
        [
          "http_calls": JSON(summary.calls + summary.checkCalls),
          "confirmation_checks": [
            "calls": JSON(summary.checkCalls), "operations": JSON(summary.checkOperations),
          ],
          "operations": .object(JSON.Object(operations)),
          "round_trips": JSON(summary.roundTrips),
        ]
      ),
    ])
  }

  /// One element of `batches`.
  ///
  /// - Parameters:
  ///   - call: a call of the plan.
  ///   - key: returns the key of an item of a group; called for items in roughly their order.
  /// - Returns: an object.
  package func json(
    of call: Plan.Call, key: (_ group: Int, _ item: Int) throws -> String
  ) rethrows -> JSON {
    [
      "number": JSON(call.number),
      "round": JSON(call.round),
      "kind": call.isSingle ? "single" : "batch",
      "operations": .array(try call.operations.map { try json(of: $0, key) }),
      "after": .array(call.after.numbers.map { JSON($0) }),
      "ends_because": .string(
        labels.text(of: call.closeReason, alone: call.operations.first?.request)),
    ]
  }

  private func json(
    of operation: Plan.Operation, _ key: (_ group: Int, _ item: Int) throws -> String
  ) rethrows -> JSON {
    let request = summary.workflow.requests[operation.request]
    var members: [(String, JSON)] = [
      ("name", .string(request.displayName)),
      ("method", .string(request.method.rawValue)),
      ("path", .string(request.path.text)),
      ("line", JSON(request.location.line)),
    ]
    if let group = request.group, let item = operation.item {
      if summary.items[group] == .unknown {
        members.append(("items", "unknown"))
      } else {
        members.append(("item", ["index": JSON(item), "key": .string(try key(group, item))]))
      }
    }
    func names(_ requests: [Int]) -> JSON { .array(requests.map { .string(labels.name(of: $0)) }) }
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
