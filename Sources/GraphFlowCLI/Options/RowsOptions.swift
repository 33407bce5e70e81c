import ArgumentParser
import GraphFlow

/// The options for the rows of outputs.
struct RowsOptions: ParsableArguments {
  @Option(
    name: .customLong("rows"),
    help: .value(
      "output=path", "Write the rows of an output to this file; may be repeated.",
      discussion: """
        The name ends in .csv, .jsonl or .json. The file appears when the run has succeeded for every \
        item; otherwise resume completes it. Without this option the rows are kept in the state \
        directory. {name} in the path is replaced by the workflow's name. An output whose file is \
        named in the workflow, for each item, is written there; a path that ends in / names another \
        folder for these files.
        """))
  var destinations: [RowsDestination] = []

  func validate() throws {
    for rows in destinations where !rows.isFolder { _ = try rows.format }
  }

  /// Refuses outputs without rows, files that cannot be written, and two outputs in one file, before
  /// anything is sent.
  func check(for workflows: [Workflow]) throws {
    var taken: Set<String> = []
    for rows in destinations {
      let owners = workflows.filter { $0.outputs.contains(where: rows.isMeant) }
      guard !owners.isEmpty else {
        let known = workflows.flatMap(\.outputs).filter { $0.each != nil }.map(\.name)
        throw CommandFailure(
          .usage, "no output named '\(rows.output)' has rows",
          hint: NearestName.to(rows.output, among: known).map { "did you mean '\($0)'?" }
            ?? (known.isEmpty
              ? "an output has rows if it has `each` and `columns`"
              : "outputs with rows: \(known.joined(separator: ", "))"))
      }
      for workflow in owners where rows.isFolder {
        try require(
          workflow.outputs.contains { rows.isMeant($0) && $0.file != nil },
          "'\(rows.file.path)' is a folder, and the output '\(rows.output)' has no `file`")
      }
      for workflow in owners where !rows.isFolder {
        try require(
          workflow.outputs.allSatisfy { !rows.isMeant($0) || $0.file == nil },
          "the output '\(rows.output)' has a file for each item; name their folder, as in --rows "
            + "\(rows.output)=DIR/")
        try rows.file.check(for: workflow.name)
        let path = rows.file.path(for: workflow.name)
        try require(
          taken.insert(path).inserted,
          "the rows of two outputs would be in \(path); give each of them a file of its own")
      }
    }
  }
}

/// A file for the rows of an output: `output=path`.
struct RowsDestination: ExpressibleByArgument, Sendable {
  let output: String
  let file: ReportDestination

  init?(argument: String) {
    guard let assignment = InputAssignment(argument: argument) else { return nil }
    (output, file) = (assignment.name, ReportDestination(argument: assignment.value))
  }

  var format: RowFormat {
    get throws {
      guard let format = RowFormat(path: file.path) else {
        throw ValidationError(
          "'\(file.path)' does not end in \(RowFormat.endings), so the format of the rows is unknown"
        )
      }
      return format
    }
  }

  /// Whether it is a folder, below which each item has its file.
  var isFolder: Bool { file.path.hasSuffix("/") }

  /// The folder for a workflow, without its slash.
  func folder(for workflow: String) -> String {
    let path = file.path(for: workflow)
    return path == "/" ? path : String(path.dropLast())
  }

  func isMeant(_ output: Workflow.Output) -> Bool {
    output.each != nil && output.name == self.output
  }
}
