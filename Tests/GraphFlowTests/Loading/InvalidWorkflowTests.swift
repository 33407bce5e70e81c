import FoundationEssentials
import GraphFlow
import TestSupport
import Testing

@testable import GraphFlow

/// Broken files and their exact diagnostics: `Golden/invalid/<rule>/<case>.yaml`.
struct InvalidWorkflowTests {
  /// A broken file, identified by its rule and name.
  struct Case: Sendable, CustomTestStringConvertible {
    let rule: String
    let name: String
    var testDescription: String { "\(rule)/\(name)" }
    var path: String { "\(InvalidWorkflowTests.folder)/\(rule)/\(name)" }
  }

  static let folder =
    SharedFiles.packageRoot(of: #filePath) + "/Tests/GraphFlowTests/Golden/invalid"

  static let cases: [Case] = list(folder).flatMap { rule in
    list("\(folder)/\(rule)").compactMap { file in
      file.hasSuffix(".yaml") ? Case(rule: rule, name: String(file.dropLast(5))) : nil
    }
  }

  private static func list(_ folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  @Test(arguments: cases)
  func `a broken file gets exactly its diagnostics`(_ broken: Case) throws {
    let bytes = try contents(of: broken.path + ".yaml")
    let source = SourceFile(path: "\(broken.name).yaml", bytes: bytes).including { path in
      // Included files are in a folder below, so they are not broken files themselves.
      let file = "\(Self.folder)/\(broken.rule)/\(path)"
      return (try? contents(of: file)).map { .bytes($0) }
        ?? .unusable(FilePresence.example(path))
    }

    let (workflow, diagnostics) = Workflow.reading(source, filePresence: FilePresence.example)

    expectGolden(diagnostics.text(in: source), broken.path + ".diagnostics")
    #expect(diagnostics.contains { $0.rule == broken.rule }, "its own rule must speak")
    let hasErrors = diagnostics.contains { $0.severity == .error }
    #expect((workflow == nil) == hasErrors, "a workflow exists only if there is no error")
    let own = diagnostics.filter { $0.file == source.path }.map(\.location)
    #expect(own == own.sorted())
  }

  @Test(arguments: RuleID.allCases)
  func `every rule has a broken file`(_ rule: RuleID) {
    #expect(Self.cases.contains { $0.rule == rule.rawValue })
  }

  @Test func `every golden file belongs to a broken file`() {
    for rule in Self.list(Self.folder) {
      #expect(RuleID(rawValue: rule) != nil, "no rule is named \(rule)")
      for file in Self.list("\(Self.folder)/\(rule)") where file.hasSuffix(".diagnostics") {
        let name = file.dropLast(".diagnostics".count)
        #expect(Self.cases.contains { $0.rule == rule && $0.name == name }, "\(rule)/\(file)")
      }
    }
  }
}
