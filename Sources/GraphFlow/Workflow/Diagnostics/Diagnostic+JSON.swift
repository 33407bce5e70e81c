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
  /// The diagnostics as a JSON array.
  package var json: JSON { .array(self.map(\.json)) }
}
