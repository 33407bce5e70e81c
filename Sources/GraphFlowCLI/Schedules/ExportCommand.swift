import ArgumentParser
import GraphFlow

/// `graphflow export`: workflows as jobs of other schedulers.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write files for other schedulers.",
    discussion: """
      Example: a DAG for Airflow that runs a workflow in eight shards:

        graphflow export airflow nightly.yaml --shards 8 --output dags/nightly.py
      """, subcommands: [ExportAirflowCommand.self])
}

/// `graphflow export airflow`: workflows as DAGs of Airflow.
struct ExportAirflowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "airflow", abstract: "Write a Python file with an Airflow DAG for each workflow.",
    discussion: """
      The DAG has the workflow's name, schedule and time zone, and its inputs as params. It runs the \
      shards side by side, what they need before them and the rest after them, and reports all as one. \
      The workers need the package graphflow-cli[airflow], the connection graphflow_default, and a \
      state that all of them share.

      Example: eight shards, and the file where the workers have it:

        graphflow export airflow nightly.yaml --shards 8 --folder /srv/workflows \
      --output dags/nightly.py
      """)

  @Argument(help: .value("file", "The workflows."), completion: .workflows)
  var files: [String]

  @Option(help: .value("n", "The number of shards, 1 to 1000."))
  var shards = 1

  @Option(
    name: .shortAndLong, help: .value("file.py", "Write to this file; default: standard output."),
    completion: .file(extensions: ["py"]))
  var output: String?

  @Option(
    help: .value("dir", "The folder of the files on the workers; default: that of each file."))
  var folder: String?

  @Option(help: .value("id", "The connection that holds token and state."))
  var connection = "graphflow_default"

  @Option(help: .value("name", "The pool whose slots the tasks take; default: Airflow's."))
  var pool: String?

  func validate() throws {
    try require(!files.contains("-"), "a DAG needs a file; standard input is not a file")
    try require((1...1000).contains(shards), "--shards is from 1 to 1000")
    try require(folder?.hasPrefix("/") ?? true, "--folder is a path from the root, with / in front")
  }

  func run() throws {
    var graphs: [AirflowDAG] = []
    for file in files {
      let workflow = try WorkflowFiles.workflow(at: file, needsFiles: false)
      let path = StateDirectory.canonical(file)
      let name = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
      let graph = try AirflowDAG(
        workflow, at: folder.map { "\($0)/\(name)" } ?? path, shards: shards,
        connection: connection, pool: pool)
      guard !graphs.contains(where: { $0.id == graph.id }) else {
        throw CommandFailure(
          .invalid, "two of the workflows have the name '\(graph.id)', but a DAG's must be its own")
      }
      graphs.append(graph)
    }
    let text = AirflowDAG.module(of: graphs)
    guard let output else { return try Terminal.printResult(Array(text.utf8)) }
    let file = try AtomicFile(at: output, .readable, through: ProcessRedactor.stream)
    try file.append(Array(text.utf8))
    try file.finish()
    Terminal.notify("wrote \(Untrusted.shown(output))")
  }
}
