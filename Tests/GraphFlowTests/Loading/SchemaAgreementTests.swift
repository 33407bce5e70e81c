import JSONPath
import TestSupport
import Testing

@testable import GraphFlow

/// The schema and the validator agree: the validator refuses every file that the schema refuses, and
/// `Golden/schema-coverage.txt` lists the rules that only the validator applies.
struct SchemaAgreementTests {
  private static let texts: [String] = {
    let root = SharedFiles.packageRoot(of: #filePath)
    let examples = WorkflowSchemaTests.examples.map { root + "/workflows/" + $0 }
    let files = examples + InvalidWorkflowTests.cases.map { $0.path + ".yaml" }
    return files.compactMap { try? text(of: $0) } + [
      WorkflowSample.everything, GroupReadingTests.text,
    ]
  }()

  private static let trees = texts.compactMap { text in
    WorkflowSchemaTests.json(Array(text.utf8)).map(FileTree.init)
  }
  .filter { $0.count < 1000 }

  /// The results of both for a file.
  private struct Verdict {
    let faults: [String]
    let errors: [Diagnostic]

    init(_ text: String, schema: JSONSchema) {
      let bytes = Array(text.utf8)
      let diagnostics = Workflow.reading(SourceFile(path: "a.yaml", bytes: bytes)).diagnostics
      errors = diagnostics.filter { $0.severity == .error }
      faults = WorkflowSchemaTests.json(bytes).map(schema.faults(in:)) ?? ["it is not YAML"]
    }

    /// The disagreement between the two, if any.
    func disagreement(strict: Set<String>) -> String? {
      if !faults.isEmpty && errors.isEmpty { return "only the schema refuses it: \(faults)" }
      let unlisted = faults.isEmpty ? errors.filter { !strict.contains($0.rule) } : []
      return unlisted.isEmpty
        ? nil : "only the validator refuses it: \(unlisted.map { "\($0.message) [\($0.rule)]" })"
    }
  }

  @Test(arguments: texts)
  func `they agree about an unchanged file`(_ text: String) throws {
    let verdict = Verdict(text, schema: try WorkflowSchemaTests.schema())
    #expect(verdict.disagreement(strict: try SchemaCoverage().strict) == nil)
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `they agree about a thousand broken files`(_ seed: UInt64) throws {
    let schema = try WorkflowSchemaTests.schema()
    let strict = try SchemaCoverage().strict
    var mutator = FileTreeMutator(seed: seed, corpus: Self.trees)
    var counts = (both: 0, validator: 0, none: 0)
    for number in 0..<(FuzzTests.wanted ?? 1000) {
      let text = mutator.next().text
      let verdict = Verdict(text, schema: schema)
      let disagreement = verdict.disagreement(strict: strict)
      #expect(disagreement == nil, "seed \(seed), number \(number): \(text)")
      switch (verdict.faults.isEmpty, verdict.errors.isEmpty) {
      case (false, _): counts.both += 1
      case (true, false): counts.validator += 1
      case (true, true): counts.none += 1
      }
    }
    #expect(counts.both > 200 && counts.validator > 50 && counts.none > 25, "\(counts)")
  }
}
