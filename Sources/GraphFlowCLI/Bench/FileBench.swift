import GraphFlow

/// How long `validate` takes over many files and over a large one, all rules on.
enum FileBench {
  /// What is measured.
  static let name = "validate"

  /// The figures: 1,000 files of 50 requests in one call, and 100,000 requests in one file.
  static func measured(_ stopwatch: Stopwatch) throws -> [(name: String, value: String)] {
    try BenchFolder.with("files") { folder in
      let small = BenchData.workflow(requests: 50).bytes
      for index in 0..<1000 { try write(small, to: "\(folder)/\(index).yaml") }
      let many = try best(of: stopwatch.rounds, ["validate", folder])
      let large = folder + "/large.yaml"
      try write(BenchData.workflow(requests: 100_000).bytes, to: large)
      let one = try best(of: stopwatch.rounds, ["validate", large])
      return [
        ("validate 1000 files of 50 requests", figure(many)),
        ("validate 100000 requests in one file", figure(one)),
      ]
    }
  }

  private static func best(of rounds: Int, _ arguments: [String]) throws -> BenchProcess {
    var best = try BenchProcess(arguments)
    for _ in 1..<max(1, rounds) {
      let next = try BenchProcess(arguments)
      if next.time < best.time { best = next }
    }
    return best
  }

  private static func figure(_ process: BenchProcess) -> String {
    "\(Stopwatch.milliseconds(process.time)), \(process.memory)"
  }

  private static func write(_ bytes: [UInt8], to path: String) throws {
    let file = try AtomicFile(at: path)
    try file.append(bytes)
    try file.finish()
  }
}
