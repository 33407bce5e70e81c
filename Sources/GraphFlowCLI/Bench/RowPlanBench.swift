import GraphFlow

/// Plans over the rows of files, each in a process of its own: memory must not grow with the rows.
enum RowPlanBench {
  /// What is measured.
  static let name = "plan over rows"

  /// Times and peaks of memory for a hundredth of the rows and for all, and by how much the second
  /// peak is higher; with keys, which must not occur twice, and without.
  static func measured(rows: Int) throws -> [(name: String, value: String)] {
    try BenchFolder.with("row-plans") { folder in
      var figures: [(String, String)] = []
      var peaks: [String: [Int]] = [:]
      for count in [max(1, rows / 100), rows] {
        try BenchData.writeRows(count, to: folder + "/rows.csv")
        for (kind, key) in [("no key", ""), ("a key", "    key: \"{item=$.id}\"\n")] {
          let workflow = try AtomicFile(at: folder + "/bench.yaml")
          try workflow.append(Array(RowPlanBench.workflow(key: key).utf8))
          try workflow.finish()
          let process = try BenchProcess(["plan", folder + "/bench.yaml"])
          peaks[kind, default: []].append(process.peak)
          let time = Stopwatch.milliseconds(process.time)
          figures.append(("plan over \(count) rows, \(kind)", "\(time), \(process.memory)"))
        }
      }
      let ratios = peaks.sorted { $0.key > $1.key }.map { kind, peaks in
        let ratio = Double(peaks[peaks.count - 1]) / Double(max(1, peaks[0]))
        return ("ratio of the peaks, \(kind)", Stopwatch.number(ratio))
      }
      return figures + ratios
    }
  }

  private static func workflow(key: String) -> String {
    """
    graphflow: 1
    requests:
      publish:
        for_each: {file: rows.csv}
    \(key)    requests:
          post: {post: me/feed, idempotent: false, params: {message: "{item=$.note}"}}
          verify: {get: "{result=post:$.id}"}

    """
  }
}
