/// A test suite in the format of JUnit, which states its counts before its cases.
///
/// It is valid by the schema of Jenkins (`junit-10.xsd` of its xUnit plugin).
package struct JUnitSuite: Sendable {
  /// How a case that did not pass is counted.
  package enum Problem: Sendable {
    case failure, error, skipped

    fileprivate var element: StaticString {
      switch self {
      case .failure: "failure"
      case .error: "error"
      case .skipped: "skipped"
      }
    }
  }

  private var cases = MarkupText()
  private(set) var tests = 0
  private var counts: [Problem: Int] = [:]
  private var milliseconds: Int64 = 0

  package static let header = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
  package static let footer = "</testsuites>\n"

  package init() {}

  /// Adds a case; nil: it passed.
  package mutating func add(
    _ name: String, of group: String, milliseconds: Int64 = 0,
    _ problem: (kind: Problem, type: String, message: String, text: String)? = nil
  ) {
    tests += 1
    self.milliseconds += milliseconds
    cases.verbatim("    ")
    cases.begin(
      "testcase", ["classname": group, "name": name, "time": ElapsedTime.seconds(milliseconds)])
    if let problem {
      counts[problem.kind, default: 0] += 1
      cases.element(
        problem.kind.element, ["type": problem.type, "message": problem.message],
        text: problem.text)
    }
    cases.end("testcase")
    cases.verbatim("\n")
  }

  /// Appends the suite with its cases.
  package func write(
    _ name: String, id: String, at time: Timestamp, _ properties: [(name: String, value: String)],
    to output: inout [UInt8]
  ) {
    func count(_ problem: Problem) -> String { "\(counts[problem] ?? 0)" }
    var text = MarkupText()
    text.verbatim("  ")
    text.begin(
      "testsuite",
      [
        "name": name, "tests": "\(tests)", "failures": count(.failure), "errors": count(.error),
        "skipped": count(.skipped), "time": ElapsedTime.seconds(milliseconds),
        "timestamp": "\(time)", "id": id,
      ])
    text.verbatim("\n    ")
    text.element("properties") { text in
      for property in properties {
        text.element("property", ["name": property.name, "value": property.value])
      }
    }
    text.verbatim("\n")
    text.append(cases)
    text.verbatim("  ")
    text.end("testsuite")
    text.verbatim("\n")
    output += text.bytes
  }
}
