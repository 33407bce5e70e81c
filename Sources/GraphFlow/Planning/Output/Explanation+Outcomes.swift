import GraphAPI

extension Explanation {
  /// Every possible result of the request, with its consequences.
  var outcomes: [(name: String, lines: [String])] {
    [("succeeded", [success]), ("failed", failure), ("skipped", skip), ("in doubt", doubt)]
  }

  private func list(_ requests: [Int]) -> String {
    let names = requests.prefix(8).map { "'\(name(of: $0))'" }
    let rest = requests.count - names.count
    return names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  private var success: String {
    dependents.isEmpty ? "nothing waits for it" : "can start then: \(list(dependents))"
  }

  private var failure: [String] {
    let verdict =
      switch request.onError {
      case .continue: "`on_error: continue`: everything else continues; exit code 1"
      case .stop:
        "`on_error: stop`: nothing else is started\(cleanUpText); exit code 1"
      case .ignore: "`on_error: ignore`: the run does not fail because of it; exit code 0"
      }
    var lines = [verdict] + dependentLines
    if let group = request.group {
      lines.append("other items continue" + limitText(of: plan.workflow.groups[group]))
    }
    return lines
  }

  private var cleanUpText: String {
    plan.workflow.requests.contains(where: \.isCleanUp) ? " but what cleans up (`always`)" : ""
  }

  private func limitText(of group: Workflow.Group) -> String {
    switch group.maxFailures {
    case nil: ""
    case .count(let count): ", until \(counted(count, "item")) failed (`max_failures`)"
    case .percentage(let percentage):
      ", until \(percentage) % of at least 20 items failed (`max_failures`)"
    }
  }

  /// The results of the requests that wait for this one.
  private var dependentLines: [String] {
    let (skipped, run) = affectedDependents
    var lines: [String] = []
    if !skipped.isEmpty { lines.append("skipped, directly or not: \(list(skipped))") }
    if !run.isEmpty { lines.append("still run, unless they need its body: \(list(run))") }
    return lines
  }

  private var skip: [String] {
    var lines: [String] = []
    if let when = request.when {
      lines.append("`when` (\(when.text)) is false: a success, exit code 0")
    }
    if !request.permissions.isEmpty { lines.append("a permission is missing: exit code 77") }
    if !waits.isEmpty, !request.runsAfterFailure {
      lines.append("something it waits for has no result: that request decides the exit code")
    }
    if request.isCleanUp {
      lines.append("not because of a failure, a signal or the deadline: `always: true`")
    } else if request.runsAfterFailure {
      lines.append("not because of an earlier failure: `on_dependency_failure: run`")
    }
    return lines.isEmpty ? ["only if the run stops first"] : lines + dependentLines
  }

  private var doubt: [String] {
    guard request.isUnsafeWrite else {
      let reason = request.isWrite ? "it may be repeated" : "it writes nothing"
      return ["never: \(reason), so it is sent again if the answer is lost (`retry`)"]
    }
    if let confirmation = request.confirmation {
      return [
        "the answer is lost: `confirm` sends GET \(confirmation.path.text)",
        "one match: succeeded; none in time: sent again; several: in doubt, exit code 3",
      ]
    }
    return [
      "the answer is lost: it is not sent again; exit code 3",
      "check by hand, then: graphflow resume RUN --applied \(name(of: index))"
        + "\(request.group == nil ? "" : "[KEY]")=ID, or --not-applied",
    ] + dependentLines
  }
}
