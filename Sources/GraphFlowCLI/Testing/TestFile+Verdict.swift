import GraphAPI
import GraphFlow
import GraphSandbox
import JSONPath

/// What came of a case.
struct CaseResult: Sendable {
  let file: TestFile
  let test: TestFile.Case
  /// What differs from what was expected, each at its place in the test file.
  var differences: [Diagnostic] = []
  /// What the run reported.
  var notes = ""
  /// How long the run took by the virtual clock.
  var milliseconds: Int64 = 0

  var hasPassed: Bool { differences.isEmpty }
  var title: String { "\(file.source.path): \(test.name)" }

  /// Whether a text is part of the title.
  static func matches(_ text: String, _ file: TestFile, _ test: TestFile.Case) -> Bool {
    CaseResult(file: file, test: test).title.contains(text)
  }
}

extension CaseResult {
  /// Runs a case in a sandbox of its own.
  init(of test: TestFile.Case, in file: TestFile) async {
    self.init(file: file, test: test)
    do {
      let (run, objects) = try await Self.results(of: test, file.workflow, file.source)
      notes = run.report?.text() ?? run.messages
      milliseconds = run.report?.durationMilliseconds ?? 0
      compare(run)
      if let workflow = test.expected.objects { compare(workflow, with: objects) }
      differences.sort { $0.precedes($1) }
    } catch {
      let failure = CommandFailure(error)
      add(failure.message, at: test.location, hint: failure.hint)
    }
  }

  private static func results(
    of test: TestFile.Case, _ workflow: Workflow, _ source: SourceFile
  ) async throws -> (run: Stage.Result, objects: Stage.Result?) {
    let inputs = { @Sendable in try test.given.values(for: workflow, from: source.path) }
    return try await Stage.opened(for: test.given) { stage in
      let run = try await stage.run(workflow, files: test.given.files, inputs)
      guard let objects = test.expected.objects else { return (run, nil) }
      // Reads of the result are not part of what is tested, and have a run of their own.
      stage.sandbox.stopFaults()
      stage.clock.pass(.seconds(1))
      return (run, try await stage.run(objects, inputs))
    }
  }

  private mutating func add(
    _ message: String, at location: SourceLocation, hint: String? = nil
  ) {
    differences.append(
      Diagnostic(
        rule: "expectation", message: message, file: file.source.path, location: location,
        hint: hint))
  }

  private mutating func add(
    _ expected: some CustomStringConvertible, _ actual: some CustomStringConvertible,
    at location: SourceLocation, hint: String? = nil
  ) { add("expected \(expected), but it is \(actual)", at: location, hint: hint) }

  // MARK: The run

  private mutating func compare(_ run: Stage.Result) {
    let (expected, report) = (test.expected, run.report)
    if let exit = expected.exit, exit.value != run.exit {
      add("exit code \(exit.value)", run.exit, at: exit.location)
    }
    let status = report?.status.rawValue ?? "refused"
    if let wanted = expected.status, wanted.value != status {
      add(wanted.value, status, at: wanted.location)
    }
    for request in expected.requests { compare(request, with: report) }
    for output in expected.outputs {
      let (wanted, actual) = (output.expected.value, report?.end?.outputs[output.name] ?? .null)
      if wanted != actual {
        add(wanted.serialized(), actual.serialized(), at: output.expected.location)
      }
    }
    compare(expected.calls, report?.summary.calls ?? 0)
    compare(expected.writes, run.writes.count)
    compare(expected.conditions, with: report)
  }

  private mutating func compare(_ count: TestFile.Located<TestFile.Count>?, _ number: Int) {
    guard let count, !count.value.includes(number) else { return }
    add(count.value, number, at: count.location)
  }

  private mutating func compare(
    _ request: TestFile.Named<TestFile.Outcomes>, with report: Report?
  ) {
    let instances = (report?.requests ?? []).filter {
      // A group that was skipped as a whole has an outcome without an item.
      $0.facts.name == request.name
        && ($0.item != nil || !$0.facts.isRepeated || $0.status != nil)
    }
    var counts: [String: Int] = [:]
    for instance in instances { counts[instance.status?.rawValue ?? "unfinished", default: 0] += 1 }
    var isOne = instances.count == 1 && instances[0].item == nil
    switch request.expected.value {
    case .all(let outcome) where counts.keys.elementsEqual([outcome]): return
    case .counts(let wanted) where counts == wanted: return
    case .counts: isOne = false
    case .all: break
    }
    let actual =
      counts.isEmpty
      ? "not sent" : isOne ? counts.keys.joined() : "\(TestFile.Outcomes.counts(counts))"
    let failure = instances.lazy.compactMap { $0.currentEnd?.failure }.first
    add(
      request.expected.value, actual, at: request.expected.location, hint: failure?.error.message)
  }

  private mutating func compare(_ conditions: [Workflow.Expectation], with report: Report?) {
    guard !conditions.isEmpty else { return }
    guard let report, let start = report.start, let document = try? JSON(parsing: report.json),
      let inputs = try? test.given.values(for: file.workflow, from: "")
    else { return add("the run was refused", at: conditions[0].expression.location) }
    for condition in conditions {
      let (holds, actual) = condition.expression.evaluate(
        on: document, inputs: inputs, run: start.identity, of: file.workflow)
      if !holds { add(actual, of: condition) }
    }
  }

  // MARK: Objects

  private mutating func compare(_ workflow: Workflow, with run: Stage.Result?) {
    let instances = run?.report?.requests ?? []
    if instances.isEmpty { add("the objects were not read", at: test.location) }
    for instance in instances {
      let request = workflow.requests[instance.index]
      let verdicts = instance.currentEnd?.expectations ?? []
      for (verdict, condition) in zip(verdicts, request.expect) where !verdict.passed {
        add(verdict.actual, of: condition)
      }
      guard instance.status != .succeeded, verdicts.allSatisfy(\.passed) else { continue }
      let reason = instance.currentEnd?.failure?.error.message
      add("'\(request.displayName)' was not read", at: request.location, hint: reason)
    }
  }

  /// Adds a condition that does not hold, with the value of its left side.
  private mutating func add(_ actual: JSON?, of condition: Workflow.Expectation) {
    add(
      condition.message ?? "this does not hold", at: condition.expression.location,
      hint: actual.map { "the value is \($0.serialized().prefix(200))" })
  }
}

extension TestFile.Given {
  /// The checked values of the inputs.
  func values(for workflow: Workflow, from path: String) throws -> InputValues {
    let file = SourceFile(path: path, bytes: Array(JSON.object(inputs).serialized().utf8))
    let (values, problems) = InputValues.resolving(
      workflow, flags: [], file: file, environment: [:])
    guard let values else {
      // The command's own advice is about its options.
      let own = problems.map { problem in
        problem.split(separator: ": set --input").first.map(String.init) ?? problem
      }
      throw CommandFailure(
        .invalid, own.joined(separator: "\n"),
        hint: own == problems ? nil : "write inputs: {NAME: …} in the case")
    }
    return values
  }
}
