import JSONPath
import TestSupport
import Testing

/// The whole JSONPath compliance test suite.
@Suite(.enabled(if: ComplianceCase.path != nil, "shared/conformance/jsonpath/cts.json is absent"))
struct ConformanceTests {
  @Test(arguments: ComplianceCase.all)
  func `the compliance suite passes`(example: ComplianceCase) throws {
    guard !example.isInvalid else {
      #expect(throws: Query.SyntaxError.self) { try Query(example.selector) }
      return
    }
    let argument = try #require(example.document)
    let document = try JSON.Document(parsing: Array(argument.serialized().utf8))

    let query = try Query(example.selector)
    let nodes = try query.nodes(in: argument)

    #expect(example.results.contains(nodes.map(\.value)))
    #expect(example.resultPaths.contains(nodes.map(\.location.description)))
    #expect(try query.values(in: argument) == nodes.map(\.value))
    #expect(try query.nodes(in: document) == nodes)
    #expect(try query.values(in: document) == nodes.map(\.value))
  }

  @Test func `the compliance suite has all its cases`() { #expect(ComplianceCase.all.count == 703) }
}

/// One case of the suite.
struct ComplianceCase: CustomTestStringConvertible {
  static let path = SharedFiles.path("conformance/jsonpath/cts.json")

  let testDescription: String
  let selector: String
  let isInvalid: Bool
  let document: JSON?
  /// The nodelists that the RFC allows.
  let results: [[JSON]]
  /// The locations of those nodelists.
  let resultPaths: [[String]]

  static let all: [ComplianceCase] = {
    guard let path, let suite = try? JSON(parsing: contents(of: path)) else { return [] }
    return (suite["tests"]?.array ?? []).map(ComplianceCase.init)
  }()

  private init(_ test: JSON) {
    testDescription = test["name"]?.string ?? "?"
    selector = test["selector"]?.string ?? ""
    isInvalid = test["invalid_selector"]?.bool ?? false
    document = test["document"]
    results =
      test["result"]?.array.map { [$0] } ?? test["results"]?.array?.compactMap(\.array) ?? []
    let paths = test["result_paths"].map { [$0] } ?? test["results_paths"]?.array ?? []
    resultPaths = paths.map { $0.array?.compactMap(\.string) ?? [] }
  }
}
