import ArgumentParser
import GraphFlow

/// `graphflow fmt`: writes files in the canonical form.
struct FormatCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fmt", abstract: "Write workflow, test, world and faults files in one form.",
    discussion: """
      Comments, the order of requests and the meaning stay; what cannot be written without changing \
      them is left as it is. In a folder, the files are those that validate checks. The names of \
      changed files go to standard output. Exit codes: 0, 65 a file is not YAML or of another kind, \
      66 it cannot be read; with --check 1 if a file would change.

      Example: format a folder; fail in CI if somebody forgot to; format what an editor sends:

        graphflow fmt workflows
        graphflow fmt --check workflows
        graphflow fmt - < workflows/page-post.yaml
      """)

  @Argument(
    help: .value(
      "file-or-dir", "Files or folders; - is standard input, which goes to standard output."),
    completion: .workflows)
  var paths: [String] = ["."]

  @Flag(help: "Change nothing, and end with 1 if a file would change.")
  var check = false

  func run() throws {
    var outcome = CommandOutcome()
    var candidates: [WorkflowFiles.Candidate] = []
    for path in paths {
      outcome.attempt { candidates += try WorkflowFiles.candidates(at: path) }
    }
    var isChanged = false
    for candidate in candidates {
      outcome.attempt { if try format(candidate) { isChanged = true } }
    }
    if isChanged, check { outcome.record(.failed) }
    try outcome.status.throwUnlessSucceeded()
  }

  /// Formats a file; returns whether its form was another one.
  private func format(_ candidate: WorkflowFiles.Candidate) throws -> Bool {
    guard let source = try candidate.source()?.alone else { return false }
    let path = source.path
    guard let kind = WorkflowFiles.Kind(source) else {
      throw CommandFailure(.invalid, "'\(path)' is not a file of graphflow")
    }
    guard let formatted = source.formatted(isWorkflow: kind == .workflow) else {
      throw CommandFailure(
        .invalid, "'\(path)' cannot be formatted; it stays as it is",
        hint:
          "graphflow validate '\(path)' shows mistakes; keys on several lines or after '?', and "
          + "line breaks other than LF and CR LF are not supported")
    }
    let isChanged = formatted != source.bytes
    guard path != "-" else {
      if !check { try Terminal.printResult(formatted) }
      return isChanged
    }
    guard isChanged, let place = candidate.place else { return false }
    if !check { try place.replace(source.bytes, with: formatted) }
    try Terminal.printResult(Untrusted.shown(path))
    return true
  }
}
