import ArgumentParser
import GraphFlow
import JSONPath

/// `graphflow validate`: checks workflow files; for pre-commit, CI and editors.
struct ValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Check workflow files; sends nothing and needs no token.",
    discussion: """
      Every problem of a file is reported, with its place and the rule that found it, on standard \
      output. Of a folder, all .yaml and .yml files in it and below it that have a top-level key \
      'graphflow' are checked. Exit codes: 0 no errors, 65 errors (with --strict also warnings), \
      66 a file cannot be read.

      With --fix, what is certain to be a slip of the pen is mended in the files first: the nearest \
      key or name, and retired names that have one successor. Everything else stays as it is.

      Example: check a folder, as a machine would read it:

        graphflow validate --format json workflows
      """
  )

  /// How diagnostics are printed.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text
    case json
    case sarif
    case github
  }

  @Argument(
    help: ArgumentHelp(
      "Files or folders; - is standard input. Default: the current folder.",
      valueName: "file-or-dir"
    )
  )
  var paths: [String] = ["."]

  @Flag(help: "Treat warnings as errors.")
  var strict = false

  @Flag(help: "Mend in the files what is certain to be a slip of the pen.")
  var fix = false

  @Option(help: "How to print the diagnostics.")
  var format: Format = .text

  @Flag(name: .shortAndLong, help: "Say nothing at all unless there is a problem.")
  var quiet = false

  func validate() throws {
    guard !fix || !paths.contains("-") else {
      throw ValidationError("--fix changes files, and standard input is none")
    }
  }

  func run() throws {
    var statuses: [ExitStatus] = []
    var candidates: [WorkflowFiles.Candidate] = []
    /// Where the candidates of each path are, for a folder must have a workflow.
    var ranges: [(path: String, range: Range<Int>)] = []
    for path in paths {
      do {
        let start = candidates.count
        candidates += try WorkflowFiles.candidates(at: path)
        ranges.append((path, start..<candidates.count))
      } catch let failure as CommandFailure {
        Terminal.sayFailure(failure)
        statuses.append(failure.status)
      }
    }
    let files = Self.checked(candidates, fixes: fix)
    for (path, range) in ranges where files[range].allSatisfy(\.isForeign) {
      let failure = WorkflowFiles.absence(in: path)
      Terminal.sayFailure(failure)
      statuses.append(failure.status)
    }
    statuses += files.map { status(of: $0) }
    try print(files)
    let worst = ExitStatus.worst(of: statuses)
    if !quiet { saySummary(of: files, worst) }
    if worst != .succeeded { throw CommandFailure.silent(worst) }
  }

  private static func checked(
    _ candidates: [WorkflowFiles.Candidate],
    fixes: Bool
  ) -> [CheckedFile] {
    Parallel.map(candidates.count) { CheckedFile(candidates[$0], fixes: fixes) }
  }

  private func status(of file: CheckedFile) -> ExitStatus {
    switch file.result {
    case .foreign: return .succeeded
    case .failed(let message, let hint, let status):
      Terminal.sayFailure(CommandFailure(status, message, hint: hint))
      return status
    case .checked(_, let diagnostics, _):
      let isInvalid = diagnostics.contains {
        $0.severity == .error || strict && $0.severity == .warning
      }
      return isInvalid ? .invalid : .succeeded
    }
  }

  private func print(_ files: [CheckedFile]) throws {
    let all = files.flatMap(\.diagnostics)
    switch format {
    case .text:
      for case .checked(let source, let diagnostics, _) in files.map(\.result)
      where !diagnostics.isEmpty {
        try Terminal.printResult(
          Diagnostics.text(of: diagnostics, in: source, on: .standardOutput)
        )
      }
    case .json: try Terminal.printResult(Diagnostics.json(of: all))
    case .sarif:
      let log = all.sarif(toolVersion: Report.toolVersion).serialized(pretty: true)
      try Terminal.printResult(Untrusted.json(Array(log.utf8)) + [UInt8(ascii: "\n")])
    case .github: try Terminal.printResult(Array(all.gitHubCommands.utf8))
    }
  }

  private func saySummary(of files: [CheckedFile], _ status: ExitStatus) {
    let fixes = files.reduce(0) { $0 + $1.fixes }
    if fixes > 0 {
      Terminal.say(fixes == 1 ? "1 problem is mended" : "\(fixes) problems are mended")
    }
    let count = files.count { !$0.isForeign }
    if status == .succeeded && format == .text {
      Terminal.say(count == 1 ? "1 file is valid" : "\(count) files are valid")
    }
  }
}

extension CheckedFile {
  fileprivate var isForeign: Bool {
    guard case .foreign = result else { return false }
    return true
  }

  fileprivate var diagnostics: [Diagnostic] {
    guard case .checked(_, let diagnostics, _) = result else { return [] }
    return diagnostics
  }

  fileprivate var fixes: Int {
    guard case .checked(_, _, let fixes) = result else { return 0 }
    return fixes
  }
}
