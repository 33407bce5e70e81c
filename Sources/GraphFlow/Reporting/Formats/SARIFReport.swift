internal import GraphAPI
internal import JSONPath

/// A report as a log of SARIF 2.1.0: what failed or is in doubt, at its place in the workflow file.
///
/// Requests that failed in the same way are one result with a number of occurrences, because services
/// refuse logs with many thousands of results.
struct SARIFReport: ReportFormat {
  private var failures = FailureGroups()
  private var runs: [JSON] = []

  mutating func begin(_ report: Report, to output: inout [UInt8]) { failures = FailureGroups() }

  mutating func add(_ request: Report.Request, to output: inout [UInt8]) {
    if request.status == .failed || request.status == .inDoubt { failures.add(request) }
  }

  mutating func end(_ report: Report, to output: inout [UInt8]) {
    let groups = failures.groups
    let rules = Set(groups.map(\.rule)).sorted()
    let indices = Dictionary(uniqueKeysWithValues: zip(rules, rules.indices))
    let results = groups.map { group in
      group.sarif(ruleIndex: indices[group.rule] ?? 0, in: report.start?.file ?? "")
    }
    runs.append(SARIF.run(rules: rules, toolVersion: toolVersion, results: results))
  }

  func finish(to output: inout [UInt8]) {
    output += (SARIF.log(of: runs).serialized(pretty: true) + "\n").utf8
  }
}

extension FailureGroups.Group {
  fileprivate var rule: String {
    status == .inDoubt ? "in-doubt" : failure?.reason.rawValue ?? "failed"
  }

  /// One result (SARIF 2.1.0 §3.27).
  fileprivate func sarif(ruleIndex: Int, in file: String) -> JSON {
    let message = failure?.error.message ?? RequestStatus.text(of: status)
    let hint = failure.map { $0.hint.isEmpty ? "" : " (\($0.hint))" } ?? ""
    let names = count > 1 ? "\(first.displayName) and \(count - 1) more" : first.displayName
    let place: JSON = [
      "artifactLocation": SARIF.artifact(first.facts.file ?? file),
      "region": ["startLine": .number(JSON.Number(first.facts.line))],
    ]
    return [
      "ruleId": .string(rule), "ruleIndex": .number(JSON.Number(ruleIndex)), "level": "error",
      "message": SARIF.message("\(names): \(message)\(hint)"),
      "occurrenceCount": .number(JSON.Number(count)),
      "locations": [
        [
          "physicalLocation": place,
          "logicalLocations": [["fullyQualifiedName": .string(first.facts.name)]],
        ]
      ],
    ]
  }
}
