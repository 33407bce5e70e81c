import CommandHarness
import TestSupport
import Testing

/// Plans of long files are streamed: their rows are not kept in memory.
struct PlanMemoryTests {
  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  private func write(_ count: Int, _ form: String) throws -> String {
    var rows = form == "csv" ? "id,text\n" : ""
    for index in 0..<count {
      rows +=
        form == "csv"
        ? "row-\(index),the text of row \(index)\n"
        : "{\"id\": \"row-\(index)\", \"text\": \"the text of row \(index)\"}\n"
    }
    try graphflow.folder.write(rows, to: "rows-\(count).\(form)")
    return try graphflow.folder.write(
      """
      graphflow: 1
      requests:
        publish:
          for_each: {file: rows-\(count).\(form)}
          key: "{item=$.id}"
          requests:
            post: {post: me/feed, idempotent: false, params: {message: "{item=$.text}"}}
            verify: {get: "{result=post:$.id}"}
      """, to: "\(form)-\(count).yaml")
  }

  /// Eight bytes are stored for each row, and half as much again while they are sorted.
  ///
  /// A key would take at least twice as much, and a row ten times.
  @Test(arguments: ["csv", "jsonl"])
  func `the memory of a plan does not grow with the rows`(_ form: String) throws {
    var peaks: [Int] = []
    for count in [10_000, 110_000] {
      let plan = try graphflow.start(["plan", try write(count, form)])
      peaks.append(plan.peakMemory())
      #expect(try plan.wait() == .exited(0))
    }

    // The array doubles as it grows; half a megabyte is constant, and another is tolerance.
    #expect(peaks[1] - peaks[0] < 100_000 * 12 + 1_300_000, "\(peaks)")
  }
}
