import TestSupport

/// The schema's coverage of each rule: `Golden/schema-coverage.txt`.
struct SchemaCoverage: Sendable {
  /// The broken files of a rule that the schema refuses.
  enum Cases: Hashable, Sendable {
    /// These files: all, none or some.
    case these(Set<String>)
    /// All of them.
    case all
    /// The YAML reader decides, before any schema.
    case yaml
  }

  /// A line of the file.
  struct Rule: Sendable {
    let id: String
    let cases: Cases
    /// The text on the page about diagnostics.
    let remark: String
  }

  let rules: [Rule]

  /// The rules that the validator applies and the schema may not.
  var strict: Set<String> { Set(rules.filter { $0.remark != "yes" }.map(\.id)) }

  static let file =
    SharedFiles.packageRoot(of: #filePath)
    + "/Tests/GraphFlowTests/Golden/schema-coverage.txt"

  init() throws {
    let lines = try text(of: Self.file).split(separator: "\n").filter { !$0.hasPrefix("#") }
    rules = lines.map { line in
      let parts = line.split(separator: "|").map { part in
        part.split(separator: " ").joined(separator: " ")
      }
      let names = parts.dropFirst().first.map { Set($0.split(separator: " ").map(String.init)) }
      let cases: Cases =
        switch names {
        case ["all"]: .all
        case ["yaml"]: .yaml
        case ["none"], nil: .these([])
        case let names?: .these(names)
        }
      return Rule(id: parts.first ?? "", cases: cases, remark: parts.last ?? "")
    }
  }

  /// The table for the page about diagnostics.
  var table: String {
    "| rule | seen by the schema |\n| --- | --- |\n"
      + rules.map { "| [`\($0.id)`](#\($0.id)) | \($0.remark) |\n" }.joined()
  }
}
