package import JSONPath

extension Diagnostic {
  /// The diagnostic as a JSON object; the message includes the hint, and tokens are masked.
  package var json: JSON {
    [
      "file": .string(TokenShape.masking(file)),
      "line": .number(JSON.Number(location.line)),
      "column": .number(JSON.Number(location.column)),
      "end_column": .number(JSON.Number(location.endColumn)),
      "severity": .string(severity.rawValue),
      "rule": .string(rule),
      "message": .string(TokenShape.masking(sentence)),
      "fix": fix.map { .string($0) } ?? .null,
    ]
  }
}

extension [Diagnostic] {
  package var json: JSON { .array(self.map(\.json)) }

  /// The diagnostics as a log of SARIF 2.1.0, the format of code scanning.
  ///
  /// Columns count Unicode code points, as `columnKind` states (SARIF 2.1.0 §3.14.17). A relative
  /// path is relative to `%SRCROOT%` (SARIF 2.1.0 §3.4.4). A fix replaces exactly its region
  /// (SARIF 2.1.0 §3.55).
  ///
  /// Source: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".
  package func sarif(toolVersion: String) -> JSON {
    let rules = Set(map(\.rule)).sorted()
    let indices = Dictionary(uniqueKeysWithValues: zip(rules, rules.indices))
    return SARIF.log(of: [
      SARIF.run(
        rules: rules, toolVersion: toolVersion,
        results: map { $0.sarifResult(ruleIndex: indices[$0.rule] ?? 0) })
    ])
  }
}

extension Diagnostic {
  /// One result (SARIF 2.1.0 §3.27).
  fileprivate func sarifResult(ruleIndex: Int) -> JSON {
    let region: JSON = [
      "startLine": .number(JSON.Number(location.line)),
      "startColumn": .number(JSON.Number(location.column)),
      "endLine": .number(JSON.Number(location.line)),
      "endColumn": .number(JSON.Number(location.endColumn)),
    ]
    var result: JSON.Object = [
      "ruleId": .string(rule), "ruleIndex": .number(JSON.Number(ruleIndex)),
      "level": .string(severity.rawValue), "message": SARIF.message(sentence),
      "locations": [
        ["physicalLocation": ["artifactLocation": SARIF.artifact(file), "region": region]]
      ],
    ]
    if let fix {
      let replacement: JSON = [
        "deletedRegion": region,
        "insertedContent": ["text": .string(TokenShape.masking(fix))],
      ]
      let change: JSON = ["artifactLocation": SARIF.artifact(file), "replacements": [replacement]]
      result["fixes"] = [
        ["description": SARIF.message(hint ?? message), "artifactChanges": [change]]
      ]
    }
    return .object(result)
  }
}
