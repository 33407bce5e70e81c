import ArgumentParser
import GraphFlow

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

      Example: check a folder, as a machine would read it:

        graphflow validate --format json workflows
      """
  )

  /// How diagnostics are printed.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text
    case json
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

  @Option(help: "How to print the diagnostics.")
  var format: Format = .text

  @Flag(name: .shortAndLong, help: "Say nothing at all unless there is a problem.")
  var quiet = false

  func run() throws {
    var statuses: [ExitStatus] = []
    var found: [(diagnostics: [Diagnostic], source: SourceFile)] = []
    for path in paths {
      do {
        for source in try WorkflowFiles.sources(at: path) {
          let diagnostics = Workflow.reading(source).diagnostics
          statuses.append(status(of: diagnostics))
          found.append((diagnostics, source))
        }
      } catch let failure as CommandFailure {
        Terminal.sayFailure(failure)
        statuses.append(failure.status)
      }
    }
    try print(found)
    let status = ExitStatus.worst(of: statuses)
    if status == .succeeded && !quiet && format == .text {
      Terminal.say(found.count == 1 ? "1 file is valid" : "\(found.count) files are valid")
    }
    if status != .succeeded { throw CommandFailure.silent(status) }
  }

  private func status(of diagnostics: [Diagnostic]) -> ExitStatus {
    diagnostics.contains { $0.severity == .error || strict && $0.severity == .warning }
      ? .invalid : .succeeded
  }

  private func print(_ found: [(diagnostics: [Diagnostic], source: SourceFile)]) throws {
    switch format {
    case .text:
      for (diagnostics, source) in found where !diagnostics.isEmpty {
        try Terminal.printResult(
          Diagnostics.text(of: diagnostics, in: source, on: .standardOutput)
        )
      }
    case .json:
      try Terminal.printResult(Diagnostics.json(of: found.flatMap(\.diagnostics)))
    }
  }
}
