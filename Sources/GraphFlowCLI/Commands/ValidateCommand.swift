import ArgumentParser
import GraphAPI
import GraphFlow
import JSONPath

/// `graphflow validate`: checks workflow files; for pre-commit, CI and editors.
struct ValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate", abstract: "Check workflow files; sends nothing and needs no token.",
    discussion: """
      Every problem is reported on standard output, with its place and the rule that found it. In a \
      folder, all .yaml and .yml files at any depth that have a top-level key 'graphflow' are \
      checked, except hidden ones, node_modules, and what a .gitignore or .graphflowignore there \
      names. Exit codes: 0 no errors, 65 errors (with --strict also warnings), 66 a file cannot be \
      read.

      With --fix, certain typos are corrected in the files first: a misspelt key or name with one \
      nearest candidate, and retired names that have one successor. Everything else stays as it is.

      With --graph-version, it also reports what the files lose between the version that they use and \
      that one: their own, or that of the configuration.

      Example: check a folder; the same for programs; correct a file; before a change of version:

        graphflow validate workflows
        graphflow validate --format json workflows
        graphflow validate --fix workflows/page-post.yaml
        graphflow validate --graph-version v26.0 workflows
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json, sarif, github
  }

  @Argument(
    help: .value("file-or-dir", "Files or folders; - is standard input, . the current folder."),
    completion: .workflows)
  var paths: [String] = ["."]

  @Flag(help: "Treat warnings as errors.")
  var strict = false

  @Flag(help: "Correct certain typos in the files.")
  var fix = false

  @Option(
    name: .customLong("graph-version"),
    help: .value("version", "Report what the files lose up to this version, such as v26.0."))
  var graphVersion: String?

  @Option(help: "How to print the diagnostics.")
  var format: Format = .text

  @Flag(name: .shortAndLong, help: "Print nothing unless there is a problem.")
  var quiet = false

  func validate() throws {
    try require(!fix || !paths.contains("-"), "--fix changes files; standard input is not a file")
    if let graphVersion, GraphVersion(graphVersion) == nil {
      throw ValidationError("--graph-version: '\(graphVersion)' is not a version, such as v25.0")
    }
  }

  func run() throws {
    var outcome = CommandOutcome()
    var candidates: [WorkflowFiles.Candidate] = []
    /// The candidates of each folder, which must hold at least one workflow.
    var folders: [(path: String, range: Range<Int>)] = []
    for path in paths {
      outcome.attempt {
        let start = candidates.count
        candidates += try WorkflowFiles.candidates(at: path)
        folders.append((path, start..<candidates.count))
      }
    }
    let showsText = format == .text
    let distinct = DistinctFiles(candidates)
    let target = graphVersion.flatMap { GraphVersion($0) }
    // Without a comparison, a stranger's files are checked without the operator's configuration.
    let settings = LintSettings.now(
      version: target == nil ? .current : Configuration.adviceVersion, comparedWith: target)
    if !quiet, let target, let end = target.end(before: settings.today) {
      let since = end.isEmpty ? "" : ", since \(end)"
      Terminal.warn("Graph treats \(target) as its oldest available version\(since)")
    }
    if !quiet, let target, let newest = GraphVersion.known.first?.version, target > newest {
      Terminal.warn("what \(target) ends is not known: the newest known version is \(newest)")
    }
    let files = distinct.map(changing: fix) { [fix] in
      CheckedFile($0, fixes: fix, showsText: showsText, settings)
    }
    for (path, range) in folders
    where distinct.places[range].allSatisfy({ files[$0].isSkipped }) {
      outcome.recordFailure(
        CommandFailure(
          .unreadable, "there is no workflow file in '\(path)'",
          hint: "a workflow file ends in .yaml or .yml and has a top-level key 'graphflow'"))
    }
    for file in files {
      if let failure = file.failure { outcome.recordFailure(failure) }
      if file.diagnostics.contains(where: isError) { outcome.record(.invalid) }
    }
    try print(files)
    if !quiet { printSummary(of: files, outcome.status) }
    try outcome.status.throwUnlessSucceeded()
  }

  private func isError(_ diagnostic: Diagnostic) -> Bool {
    diagnostic.severity == .error || strict && diagnostic.severity == .warning
  }

  private func print(_ files: [CheckedFile]) throws {
    let all = files.flatMap(\.diagnostics)
    switch format {
    case .text:
      for file in files where !file.text.isEmpty { try Terminal.printResult(file.text) }
    case .json: try Terminal.printJSON(list: all.map(\.json))
    case .sarif: try Terminal.printJSON(all.sarif(toolVersion: toolVersion), pretty: true)
    case .github: try Terminal.printResult(Array(all.gitHubCommands.utf8))
    }
  }

  private func printSummary(of files: [CheckedFile], _ status: ExitStatus) {
    let fixes = files.reduce(0) { $0 + $1.fixes }
    if fixes > 0 { Terminal.notify(fixes == 1 ? "fixed 1 problem" : "fixed \(fixes) problems") }
    let skipped = files.count(where: \.isSkipped)
    let count = files.count - skipped
    let isValid = status == .succeeded && format == .text
    guard isValid || skipped > 0 else { return }
    var text = count == 1 ? "1 file" : "\(count) files"
    text += !isValid ? " checked" : count == 1 ? " is valid" : " are valid"
    if skipped > 0 { text += ", \(skipped) skipped: no graphflow key" }
    Terminal.notify(text)
  }
}
