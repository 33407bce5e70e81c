import ArgumentParser
import GraphFlow
import JSONPath
import Synchronization

/// `graphflow test`: runs the cases of test files, or plays a week of a schedule.
struct TestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Run test files on sandboxes, or play a week of a schedule.",
    discussion: """
      A test file NAME.test.yaml beside a workflow holds cases: what a run begins with, and what has \
      to come of it (docs/reference/tests.md). Each case has a sandbox and a state directory of its \
      own, and a clock that does not wait. Standard output gets a line for each case, and what \
      differs from what was expected, with its place in the test file. Exit codes: 0 all cases \
      passed, 1 a case failed, 65 a test file is invalid, 66 there is none.

      Example: run all tests below a folder, and write what a CI system shows:

        graphflow test workflows --junit tests.xml

      Example: what would a schedule do in a week?

        graphflow test --week workflows/cookbook/daily-post.yaml --from 2026-03-02
      """)

  @Argument(
    help: .value("file-or-dir", "Test files, or folders with such files; . by default."),
    completion: .workflows)
  var paths: [String] = []

  @Option(help: .value("text", "Only the cases whose file or name contains this text."))
  var filter: String?

  @Option(help: .value("n", "The most cases at a time, 1 to 64; by default one a processor."))
  var jobs: Int?

  @Option(
    name: .customLong("junit"),
    help: .value("file.xml", "Also write the results to this file, in the format of JUnit."),
    completion: .file(extensions: ["xml"]))
  var jUnit: String?

  @Flag(name: .shortAndLong, help: "Print nothing about cases that pass.")
  var quiet = false

  @OptionGroup(title: "A week of a schedule") var week: WeekOptions

  func validate() throws {
    try require(jobs.map { (1...64).contains($0) } ?? true, "--jobs must be from 1 to 64")
    try week.validate(isAlone: paths.isEmpty && filter == nil && jUnit == nil)
  }

  func run() throws {
    if let week = try week.week() {
      return try Foreground.run { _ in try await week.play() }.throwUnlessSucceeded()
    }
    var outcome = CommandOutcome()
    var files: [TestFile] = []
    for path in paths.isEmpty ? ["."] : paths {
      do { files += try self.files(at: path, &outcome) } catch { outcome.recordFailure(error) }
    }
    let cases = files.flatMap { file in file.cases.map { (file: file, test: $0) } }
      .filter { filter == nil || CaseResult.matches(filter ?? "", $0.file, $0.test) }
    if let filter, cases.isEmpty, !files.isEmpty {
      outcome.recordFailure(
        CommandFailure(
          .unreadable, "no case has '\(filter)' in its file or its name",
          hint: "graphflow test without --filter shows the names"))
    }
    let suite = try run(cases)
    if suite.failed > 0 { outcome.record(.failed) }
    if let jUnit {
      outcome.attempt {
        try writeAtomically(suite.jUnit, to: jUnit, through: ProcessRedactor.stream)
      }
    }
    if !cases.isEmpty, !quiet || suite.failed > 0 {
      let count = suite.results.count == 1 ? "1 case" : "\(suite.results.count) cases"
      Terminal.notify(suite.failed == 0 ? "\(count) passed" : "\(count), \(suite.failed) failed")
    }
    try outcome.status.throwUnlessSucceeded()
  }

  private func run(_ cases: [(file: TestFile, test: TestFile.Case)]) throws -> TestSuite {
    let suite = Mutex(TestSuite())
    guard !cases.isEmpty else { return TestSuite() }
    let (jobs, quiet) = (jobs ?? Parallel.processorCount, quiet)
    let status = try Foreground.run { _ in
      let ran = try await TestSuite.run(cases, atMost: jobs) { try Self.print($0, quiet) }
      suite.withLock { $0 = ran }
      return .succeeded
    }
    try status.throwUnlessSucceeded()
    return suite.withLock(\.self)
  }

  /// The test files at a path; the problems of invalid ones are printed.
  private func files(at path: String, _ outcome: inout CommandOutcome) throws -> [TestFile] {
    let isFolder = FileStatus(path)?.isFolder == true
    var files: [TestFile] = []
    var count = 0
    for candidate in try WorkflowFiles.candidates(at: path) {
      guard let source = try candidate.source(), WorkflowFiles.Kind(source) == .test else {
        if isFolder { continue }
        throw CommandFailure(
          .invalid, "'\(path)' is not a test file", hint: "a test file has a key graphflow-test: 1")
      }
      count += 1
      let (file, diagnostics) = TestReader.reading(source)
      Diagnostics.report(diagnostics, of: source)
      if let file { files.append(file) } else { outcome.record(.invalid) }
    }
    guard count > 0 else {
      throw CommandFailure(
        .unreadable, "there is no test file in '\(path)'",
        hint: "a test file has a key graphflow-test: 1, and is named after its workflow: "
          + "post.test.yaml")
    }
    return files
  }

  private static func print(_ result: CaseResult, _ quiet: Bool) throws {
    if result.hasPassed, quiet { return }
    try Terminal.printText("\(result.hasPassed ? "ok    " : "FAILED")  \(result.title)\n")
    guard !result.hasPassed else { return }
    try Terminal.printResult(
      Diagnostics.text(of: result.differences, in: result.file.source, on: STDOUT_FILENO))
    let notes = result.notes.split(separator: "\n").map { "      \($0)\n" }
    try Terminal.printText(notes.joined())
  }
}

/// The options for a week of a schedule.
struct WeekOptions: ParsableArguments {
  @Option(
    name: .customLong("week"),
    help: .value("file", "Play the schedule of this workflow for a week, in one world."),
    completion: .workflows)
  var file: String?

  @Option(
    help: .value(
      "time",
      "When the week begins: 2026-03-02 or 2026-03-02T09:00:00Z; by default 30 days after "
        + "the start of the world."))
  var from: WorldTime?

  @Option(
    help: .value("file", "What is in the sandbox at the start; default: Alex's world."),
    completion: .workflows)
  var world: String?

  @Option(help: .value("file", "What goes wrong in the week."), completion: .workflows)
  var faults: String?

  @Option(help: .value("name", "The token of the world that is used."), completion: .profiles)
  var profile: String?

  @OptionGroup var inputs: InputOptions

  /// Refuses options of a week without one, and options of test files with one.
  func validate(isAlone: Bool) throws {
    try require(file == nil || isAlone, "--week excludes test files and options for them")
    let isGiven =
      from != nil || world != nil || faults != nil || profile != nil || inputs.isGiven
    try require(
      file != nil || !isGiven, "--from, --world, --faults, --profile and inputs need --week")
  }

  /// The week; nil if there are test files to run instead.
  func week() throws -> Week? {
    guard let file else { return nil }
    let workflow = try WorkflowFiles.workflow(at: file)
    var given = TestFile.Given()
    if let world { given.world = try WorldReader.world(at: world) }
    if let faults { given.faults = try FaultReader.plan(at: faults) }
    (given.clock, given.profile) = (from?.seconds, profile)
    let scheduled = workflow.schedule?.inputs.map { name, value in
      InputAssignment(name: name.text, value: value.string ?? value.serialized())
    }
    let values = try inputs.resolved(for: workflow, recorded: scheduled ?? [])
    return try Week(of: workflow, inputs: values, given: given)
  }
}
