import ArgumentParser
import GraphSandbox

/// `graphflow bench`: measures this build on this machine; hidden, for `make bench`.
struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measure the speed of this build on this machine.",
    shouldDisplay: false
  )

  @Option(help: "How often each figure is measured; the best counts.")
  var rounds = 5

  @Option(help: "How many reads the runs make.")
  var reads = 100_000

  @Option(help: "How many rows the run and the plan over a file have.")
  var rows = 1_000_000

  @Option(help: "How many objects the sandbox's world has.")
  var objects = 1_000_000

  @Option(help: "Measure only figures whose name holds this text.")
  var only = ""

  @Option(help: "Measure nothing: serve this file's bytes as the answer to every request.")
  var constant: String?

  func validate() throws {
    guard (1...1000).contains(rounds), (1...100_000).contains(reads), rows > 0,
      (2...10_000_000).contains(objects)
    else {
      throw ValidationError(
        "--rounds is from 1 to 1000, --reads from 1 to 100000, --rows from 1, "
          + "--objects from 2"
      )
    }
  }

  func run() throws {
    if let constant { return try serve(constant) }
    let stopwatch = Stopwatch(rounds: rounds)
    // Those in processes of their own come first: what they may inherit of memory is little then.
    try Terminal.printResult("this command in a process of its own, best of \(rounds), wall clock")
    if isWanted(FileBench.name) { try print(FileBench.measured(stopwatch)) }
    if isWanted(ItemBench.name) { try print(ItemBench.measured(rows: rows)) }
    if isWanted(ReadBench.name) { try print(ReadBench.measured(counts: counts, rounds: rounds)) }
    if isWanted(RowPlanBench.name) { try print(RowPlanBench.measured(rows: rows)) }
    if isWanted(WorldBench.name) { try print(WorldBench.measured(objects: objects)) }
    if isWanted(PackBench.memoryName) { try print(PackBench.memory()) }
    try Terminal.printResult(
      "in-process, one thread unless stated, monotonic clock, best of \(rounds)"
    )
    let figures = DocumentBench.figures + PlanningBench.figures + PackBench.figures
    for figure in figures where isWanted(figure.name) {
      try Terminal.printResult(line(figure.name, try figure.measured(stopwatch)))
    }
    // Once only: it takes seconds, and the sandbox works in the same process.
    if isWanted(RunBench.name) { try print(RunBench.measured(reads: reads)) }
  }

  /// What `scripts/bench-sandbox` measures the sandbox against.
  private func serve(_ path: String) throws {
    let (bytes, _) = try FileReading.beginning(of: path, limit: 64 << 20)
    _ = try Foreground.run { _ in
      try await ConstantServer(answering: bytes).run { url in
        try? Terminal.printResult("listening on " + url)
      }
      return .succeeded
    }
  }

  /// A tenth of the reads, all, and ten times as many.
  private var counts: [Int] { [max(1, reads / 10), reads, reads * 10] }

  private func print(_ figures: [(name: String, value: String)]) throws {
    for (name, value) in figures { try Terminal.printResult(line(name, value)) }
  }

  private func isWanted(_ name: String) -> Bool { only.isEmpty || name.contains(only) }

  private func line(_ name: String, _ value: String) -> String {
    name + String(repeating: " ", count: max(1, 48 - name.count)) + value
  }
}
