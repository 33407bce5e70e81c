import ArgumentParser
import GraphFlow

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A run over the rows of a file against the sandbox in the same process: with journal and report,
/// as the command makes it.
enum ItemBench {
  /// What is measured.
  static let name = "items"

  /// The figures: rows a second, and the most memory that the process had until then.
  ///
  /// A hundredth of the rows come first: memory must not grow from there.
  static func measured(rows: Int) throws -> [(name: String, value: String)] {
    let folder = "/tmp/graphflow-bench-items-\(getpid())"
    guard mkdir(folder, 0o700) == 0 else {
      throw CommandFailure(.cannotCreate, "cannot make '\(folder)': \(SystemError.last)")
    }
    var figures: [(String, String)] = []
    for count in [max(1, rows / 100), rows] {
      let time = try run(rows: count, in: folder)
      figures += [
        (
          "run over \(count) rows, sandbox in the process",
          Stopwatch.rate(count: count, of: "rows", in: time)
        ),
        ("peak memory until then, sandbox included", "\(RunBench.peakMemory() / 1_000_000) MB"),
      ]
    }
    try RunBench.removeTree(folder)
    return figures
  }

  private static func run(rows: Int, in folder: String) throws -> Duration {
    try writeRows(rows, to: "\(folder)/rows.csv")
    let source = SourceFile(path: "\(folder)/bench.yaml", bytes: Array(workflow.utf8))
    guard let workflow = Workflow.reading(source).workflow,
      let inputs = InputValues.resolving(workflow, flags: [], file: nil, environment: [:]).values
    else { throw CommandFailure(.internalError, "the bench's workflow is refused") }
    let directory = StateDirectory(path: folder + "/state")
    let session = RunSession(
      settings: nil,
      options: RunOptions(),
      directory: directory,
      outlet: RunOutlet(
        talk: try TalkOptions.parse(["--quiet"]),
        reports: [ReportDestination(path: "\(folder)/report.jsonl")],
        directory: directory
      )
    )
    let files = try ItemCheck.digests(of: workflow, inputs: inputs)
    let job = RunJob(workflow: workflow, inputs: inputs, itemFiles: files)
    let began = ContinuousClock.now
    let status = try Foreground.run { try await session.run([job], until: $0) }
    guard status == .succeeded else { throw CommandFailure(status, "the bench's run failed") }
    return began.duration(to: .now)
  }

  private static let workflow = """
    graphflow: 1
    requests:
      read:
        for_each: {file: rows.csv}
        key: "{item=$.id}"
        get: me
        params: {fields: "id,name"}

    """

  private static func writeRows(_ count: Int, to path: String) throws {
    let file = try AtomicFile(at: path)
    try file.append(Array("id,note\n".utf8))
    for index in 0..<count {
      try file.append(Array("row-\(index),some text of row number \(index)\n".utf8))
    }
    try file.finish()
  }
}
