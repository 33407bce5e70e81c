import GraphAPI
package import JSONPath

extension Explanation {
  /// The explanation as `graphflow explain --format json` prints it.
  package var json: JSON {
    [
      "graphflow_explanation": 1,
      "name": .string(name(of: index)),
      "method": .string(request.method.rawValue),
      "path": .string(request.path.text),
      "line": JSON(plan.workflow.source.place(of: request.location).line),
      "calls": ranges(calls),
      "rounds": rounds.map { ranges(NumberRanges($0)) } ?? [],
      "waits_for": .array(waits.map(json(of:))),
      "permissions": .array(request.permissions.map(JSON.string)),
      "earlier": .array(earlier.map(JSON.string)),
      "outcomes": .object(
        JSON.Object(
          outcomes.map { ($0.replacing(" ", with: "_"), .array($1.map(JSON.string))) })),
    ]
  }

  /// Ranges as pairs of their bounds.
  private func ranges(_ numbers: NumberRanges) -> JSON {
    .array(numbers.ranges.map { [JSON($0.lowerBound), JSON($0.upperBound)] })
  }

  private func json(of wait: Waiting) -> JSON {
    [
      "name": .string(name(of: wait.predecessor)),
      "kind": .string(wait.kind.text),
      "reasons": .array(wait.reasons.map(json(of:))),
    ]
  }

  private func json(of reason: Dependency) -> JSON {
    let (own, other) = (name(of: index), name(of: reason.predecessor))
    return [
      "origin": .string(origin(of: reason)),
      "kind": .string(reason.kind.text),
      "obstacles": .array(
        reason.obstacles.members.map { obstacle in
          [
            "rule": .string(obstacle.name),
            "reason": .string(obstacle.reason(own, other)),
            "edit": obstacle.edit(own, other).map(JSON.string) ?? .null,
          ]
        }),
    ]
  }
}

extension DependencyKind {
  /// The kind's name in JSON.
  fileprivate var text: String {
    switch self {
    case .data: "data"
    case .order: "order"
    case .hard: "hard"
    }
  }
}
