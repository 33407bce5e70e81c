import GraphFlow

/// Runs over the rows of files against the sandbox inside the process, each run in a process of its
/// own: memory must not grow with the rows.
enum ItemBench {
  /// What is measured.
  static let name = "items"

  /// The figures: rows a second and peaks of memory for a hundredth of the rows and for all, and by
  /// how much the second peak is higher.
  static func measured(rows: Int) throws -> [(name: String, value: String)] {
    try BenchFolder.with("items") { folder in
      let workflow = try AtomicFile(at: folder + "/bench.yaml")
      try workflow.append(Array(ItemBench.workflow.utf8))
      try workflow.finish()
      var figures: [(String, String)] = []
      var peaks: [Int] = []
      for count in [max(1, rows / 100), rows] {
        try BenchData.writeRows(count, to: folder + "/rows.csv")
        let process = try BenchProcess([
          "run", folder + "/bench.yaml", "--sandbox", "--quiet",
          "--report", folder + "/report.jsonl", "--state-dir", folder + "/state",
        ])
        peaks.append(process.peak)
        let rate = Stopwatch.rate(count: count, of: "rows", in: process.time)
        figures.append(("run over \(count) rows, sandbox inside", "\(rate), \(process.memory)"))
      }
      let ratio = Double(peaks[1]) / Double(max(1, peaks[0]))
      return figures + [("ratio of the peaks", Stopwatch.number(ratio))]
    }
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
}
