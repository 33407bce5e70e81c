import GraphFlow

/// How long it takes to pack graphs that are made up in memory, and how much memory.
enum PackBench {
  /// What the memory is measured under.
  static let memoryName = "memory of packing"

  private static let counts = [10_000, 100_000, 1_000_000]

  /// The times for three shapes and three sizes, with the calls that came out.
  static var figures: [BenchFigure] {
    PackingBench.Shape.allCases.flatMap { shape in
      counts.map { count in
        BenchFigure(name: name(shape, count)) { stopwatch in
          var calls = 0
          let time = stopwatch.best { calls = PackingBench.pack(shape, operations: count).calls }
          return "\(Stopwatch.milliseconds(time)) (\(calls) calls)"
        }
      }
    }
  }

  /// The peak of a process that packs a million operations, without what the process has anyway.
  static func memory() throws -> [(name: String, value: String)] {
    guard let count = counts.last else { return [] }
    let idle = try BenchProcess(["--version"]).peak
    return try PackingBench.Shape.allCases.map { shape in
      let process = try BenchProcess(["bench", "--rounds", "1", "--only", name(shape, count)])
      let bytes = Double(max(0, process.peak - idle)) / Double(count)
      return ("\(name(shape, count)), alone", "\(Stopwatch.number(bytes)) bytes an operation")
    }
  }

  private static func name(_ shape: PackingBench.Shape, _ count: Int) -> String {
    "pack \(count) operations: \(shape.rawValue)"
  }
}
