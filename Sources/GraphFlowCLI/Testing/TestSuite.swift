import GraphFlow

/// The results of cases, in the order of the files.
struct TestSuite: Sendable {
  private(set) var results: [CaseResult] = []

  /// Runs cases, several at a time, and reports each after those before it.
  static func run(
    _ cases: [(file: TestFile, test: TestFile.Case)], atMost count: Int,
    _ report: (CaseResult) throws -> Void
  ) async throws -> TestSuite {
    try await withThrowingTaskGroup(of: (Int, CaseResult).self) { group in
      var (suite, done, next) = (TestSuite(), [Int: CaseResult](), 0)
      func start() {
        guard next < cases.count else { return }
        let (index, (file, test)) = (next, cases[next])
        group.addTask { (index, await CaseResult(of: test, in: file)) }
        next += 1
      }
      for _ in 0..<count { start() }
      while let (index, result) = try await group.next() {
        try Task.checkCancellation()
        done[index] = result
        while let result = done[suite.results.count] {
          suite.results.append(result)
          try report(result)
        }
        start()
      }
      return suite
    }
  }

  var failed: Int { results.count { !$0.hasPassed } }

  /// The results in the format of JUnit: a suite for each file.
  var jUnit: [UInt8] {
    var output = Array(JUnitSuite.header.utf8)
    var rest = results[...]
    while let (file, first) = rest.first.map({ ($0.file, $0.test) }) {
      var suite = JUnitSuite()
      while let result = rest.first, result.file.source.path == file.source.path {
        rest.removeFirst()
        let text = result.differences.text(in: file.source) + "\n" + result.notes
        suite.add(
          result.test.name, of: file.workflow.name, milliseconds: result.milliseconds,
          result.differences.first.map { (.failure, "expectation", $0.message, text) })
      }
      let time = Timestamp(milliseconds: Int64(Stage.opening(of: first.given)) * 1000)
      suite.write(
        file.source.path, id: file.source.path, at: time, [("file", file.source.path)], to: &output)
    }
    return output + Array(JUnitSuite.footer.utf8)
  }
}
