import GraphFlow

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A run of reads over the rows of a file against ``InstantResponder``: what is left is what the
/// run itself costs, its journal with full sync and its report as lines included.
enum ReadBench {
  /// What is measured.
  static let name = "reads"

  /// The figures for each number of reads: operations a second, processor time, peak of memory, and
  /// bytes of the journal.
  static func measured(counts: [Int], rounds: Int) throws -> [(name: String, value: String)] {
    try BenchFolder.with("reads") { folder in
      let file = try AtomicFile(at: folder + "/bench.yaml")
      try file.append(Array(workflow.utf8))
      try file.finish()
      // What the child inherits is no token of anybody.
      setenv("GRAPHFLOW_ACCESS_TOKEN", "bench-token", 1)
      var figures: [(String, String)] = []
      var peaks: [Int] = []
      for count in counts {
        try BenchData.writeRows(count, to: folder + "/rows.csv")
        var best: BenchProcess?
        var journal = 0
        for round in 0..<rounds {
          let state = "\(folder)/state-\(round)"
          let process = try run(in: folder, state: state)
          if best.map({ process.time < $0.time }) ?? true { best = process }
          journal = try FileReading.size(under: state, of: "journal")
          BenchFolder.remove(state)
        }
        guard let best else { continue }
        peaks.append(best.peak)
        figures.append(("run of \(count) reads, instant responder", line(best, count, journal)))
        if count == counts.last {
          let shares = try RunShares(of: workflow(in: folder), in: folder, count: count)
          figures.append(("of it", try shares.measured(whole: best.processorTime)))
        }
      }
      let ratio = Double(peaks.last ?? 0) / Double(max(1, peaks.first ?? 0))
      return figures + [("ratio of the peaks", Stopwatch.number(ratio))]
    }
  }

  private static func workflow(in folder: String) throws -> Workflow {
    let source = SourceFile(path: folder + "/bench.yaml", bytes: Array(workflow.utf8))
    guard let workflow = Workflow.reading(source).workflow else {
      throw CommandFailure(.internalError, "the bench's workflow is refused")
    }
    return workflow
  }

  private static func run(in folder: String, state: String) throws -> BenchProcess {
    let responder = try InstantResponder()
    return try BenchProcess([
      "run", folder + "/bench.yaml", "--graph-url", "http://127.0.0.1:\(responder.port)",
      "--concurrency", "8", "--quiet", "--report", folder + "/report.jsonl", "--state-dir", state,
    ]) { responder.serve(until: $0) }
  }

  private static func line(_ process: BenchProcess, _ count: Int, _ journal: Int) -> String {
    let rate = Stopwatch.rate(count: count, of: "operations", in: process.time)
    let cost = Stopwatch.seconds(process.processorTime) * 100_000 / Double(count)
    let bytes = Stopwatch.number(Double(journal) / Double(count))
    return "\(rate), \(Stopwatch.number(cost)) CPU s per 100000, \(process.memory), "
      + "journal \(bytes) bytes an operation"
  }

  private static let workflow = """
    graphflow: 1
    requests:
      read:
        for_each: {file: rows.csv}
        key: "{item=$.id}"
        get: "{item=$.id}"
        params: {fields: "id,name"}

    """
}

extension FileReading {
  /// The size of all files under a folder whose names begin like this, in bytes.
  fileprivate static func size(under folder: String, of prefix: String) throws -> Int {
    var size = 0
    for name in try entries(of: folder) {
      let path = folder + "/" + name
      if isFolder(path), !isLink(path) {
        size += try self.size(under: path, of: prefix)
      } else if name.hasPrefix(prefix) {
        var status = stat()
        if lstat(path, &status) == 0 { size += Int(status.st_size) }
      }
    }
    return size
  }
}
