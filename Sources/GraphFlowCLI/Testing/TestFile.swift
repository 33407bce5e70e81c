import GraphFlow
import GraphSandbox
import JSONPath

/// A test file: the cases of one workflow (docs/reference/tests.md).
struct TestFile: Sendable {
  let source: SourceFile
  let workflow: Workflow
  let cases: [Case]

  /// A run in a sandbox, and what has to come of it.
  struct Case: Sendable {
    let name: String
    let location: SourceLocation
    let given: Given
    let expected: Expected
  }

  /// What a run begins with.
  struct Given: Sendable {
    var inputs = JSON.Object()
    /// The contents of files that replace those in the workflow's folder, by their paths there.
    var files: [String: String] = [:]
    var world = WorldDescription.standard
    var faults = FaultPlan()
    /// What the sandbox's clock shows at first, in seconds since 1970.
    var clock: Int?
    var profile: String?
  }

  /// What has to come of a run; nil or empty: anything may.
  struct Expected: Sendable {
    var exit: Located<Int>?
    var status: Located<String>?
    var requests: [Named<Outcomes>] = []
    var outputs: [Named<JSON>] = []
    var calls: Located<Count>?
    var writes: Located<Count>?
    /// Reads of the sandbox after the run; nil: none.
    var objects: Workflow?
    /// Conditions about the run's report.
    var conditions: [Workflow.Expectation] = []
  }

  /// A value and its place in the file.
  struct Located<Value: Sendable>: Sendable {
    let value: Value
    let location: SourceLocation
  }

  struct Named<Value: Sendable>: Sendable {
    let name: String
    let expected: Located<Value>
  }

  /// The outcomes of a request; several if it is sent for each item.
  enum Outcomes: Sendable {
    case all(String)
    /// The number of items for each outcome; none with another.
    case counts([String: Int])
  }

  /// An expected number.
  enum Count: Sendable {
    case exactly(Int)
    case atMost(Int)

    func includes(_ number: Int) -> Bool {
      switch self {
      case .exactly(let count): number == count
      case .atMost(let count): number <= count
      }
    }
  }
}

extension TestFile.Count: CustomStringConvertible {
  var description: String {
    switch self {
    case .exactly(let count): "\(count)"
    case .atMost(let count): "at most \(count)"
    }
  }
}

extension TestFile.Outcomes: CustomStringConvertible {
  var description: String {
    switch self {
    case .all(let outcome): outcome
    case .counts(let counts):
      counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    }
  }
}
