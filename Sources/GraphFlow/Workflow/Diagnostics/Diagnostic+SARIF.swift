internal import GraphAPI
public import JSONPath

extension [Diagnostic] {
  /// The diagnostics as a log of SARIF 2.1.0, the format of code scanning.
  ///
  /// Columns count Unicode code points, which the log says (SARIF 2.1.0 §3.14.17). A file below the
  /// working folder is named relative to `%SRCROOT%` (SARIF 2.1.0 §3.4.4); a fix replaces exactly
  /// its region (SARIF 2.1.0 §3.55).
  ///
  /// Source: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".
  public func sarif(toolVersion: String) -> JSON {
    let rules = Set(map(\.rule)).sorted()
    let indices = Dictionary(uniqueKeysWithValues: zip(rules, rules.indices))
    let driver = JSON.object([
      ("name", "graphflow"), ("semanticVersion", .string(toolVersion)),
      ("rules", .array(rules.map { .object([("id", .string($0))]) })),
    ])
    let run = JSON.object([
      ("tool", .object([("driver", driver)])),
      ("columnKind", "unicodeCodePoints"),
      ("results", .array(map { $0.sarifResult(ruleIndex: indices[$0.rule] ?? 0) })),
    ])
    return .object([
      ("$schema", "https://json.schemastore.org/sarif-2.1.0.json"), ("version", "2.1.0"),
      ("runs", .array([run])),
    ])
  }
}

extension Diagnostic {
  /// One result (SARIF 2.1.0 §3.27).
  fileprivate func sarifResult(ruleIndex: Int) -> JSON {
    let sentence = hint.map { "\(message); \($0)" } ?? message
    let region = JSON.object([
      ("startLine", .number(JSON.Number(location.line))),
      ("startColumn", .number(JSON.Number(location.column))),
      ("endLine", .number(JSON.Number(location.line))),
      ("endColumn", .number(JSON.Number(location.endColumn))),
    ])
    let place = JSON.object([("artifactLocation", artifact), ("region", region)])
    var members: [(String, JSON)] = [
      ("ruleId", .string(rule)), ("ruleIndex", .number(JSON.Number(ruleIndex))),
      ("level", .string(severity.rawValue)),
      ("message", .object([("text", .string(DisplayText.safe(sentence)))])),
      ("locations", .array([.object([("physicalLocation", place)])])),
    ]
    if let fix {
      let replacement = JSON.object([
        ("deletedRegion", region),
        ("insertedContent", .object([("text", .string(TokenShape.masking(fix)))])),
      ])
      let change = JSON.object([
        ("artifactLocation", artifact), ("replacements", .array([replacement])),
      ])
      let description = JSON.object([("text", .string(DisplayText.safe(hint ?? message)))])
      members.append(
        (
          "fixes",
          .array([
            .object([("description", description), ("artifactChanges", .array([change]))])
          ])
        )
      )
    }
    return .object(members)
  }

  /// The file: a relative reference where the path is one.
  private var artifact: JSON {
    let path = TokenShape.masking(file)
    guard path != "-" else { return .object([("uri", "stdin")]) }
    guard !path.hasPrefix("/") else {
      return .object([("uri", .string("file://" + Self.encoded(path)))])
    }
    return .object([("uri", .string(Self.encoded(path))), ("uriBaseId", "%SRCROOT%")])
  }

  /// The path of a URI (RFC 3986 §3.3); a colon is escaped, for it would end a scheme.
  private static func encoded(_ path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false)
      .map { PercentEncoding.encoded(String($0)) }
      .joined(separator: "/")
  }
}

extension JSON {
  /// An object of these members.
  fileprivate static func object(_ members: [(String, JSON)]) -> JSON {
    .object(JSON.Object(members))
  }
}
