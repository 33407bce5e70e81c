internal import GraphAPI
internal import JSONPath

/// The parts that all logs of SARIF 2.1.0, the format of code scanning, have in common.
///
/// Source: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".
enum SARIF {
  static func log(of runs: [JSON]) -> JSON {
    [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
      "runs": .array(runs),
    ]
  }

  /// One run (SARIF 2.1.0 §3.14).
  static func run(rules: [String], toolVersion: String, results: [JSON]) -> JSON {
    let driver: JSON = [
      "name": "graphflow", "semanticVersion": .string(toolVersion),
      "rules": .array(rules.map { ["id": .string($0)] }),
    ]
    return [
      "tool": ["driver": driver], "columnKind": "unicodeCodePoints", "results": .array(results),
    ]
  }

  static func message(_ text: String) -> JSON { ["text": .string(DisplayText.safe(text))] }

  /// The file; a relative path gives a relative reference.
  static func artifact(_ file: String) -> JSON {
    let path = TokenShape.masking(file)
    if path == "-" { return ["uri": "stdin"] }
    if path.hasPrefix("/") { return ["uri": .string("file://" + encoded(path))] }
    return ["uri": .string(encoded(path)), "uriBaseId": "%SRCROOT%"]
  }

  /// The path of a URI (RFC 3986 §3.3); a colon is escaped, because it would end a scheme.
  private static func encoded(_ path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false)
      .map { PercentEncoding.encoded(String($0)) }
      .joined(separator: "/")
  }
}
