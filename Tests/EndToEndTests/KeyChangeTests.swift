import CommandHarness
import JSONPath
import TestSupport
import Testing

/// A file of items that was saved with other keys before its run was finished.
struct KeyChangeTests {
  private let graphflow: CommandFixture
  private let sandbox: SandboxProcess

  init() throws {
    var graphflow = try CommandFixture()
    sandbox = try SandboxProcess(for: graphflow)
    graphflow.environment = sandbox.environment
    self.graphflow = graphflow
  }

  private func write(_ keys: some Sequence<String>) throws {
    try graphflow.folder.write("sku\n" + keys.map { "\($0)\n" }.joined(), to: "rows.csv")
  }

  /// Sends all rows; another request fails, so that the run can be resumed.
  private func run(rows: Int) throws {
    try write((0..<rows).map { "old-\($0)" })
    let file = try graphflow.folder.write(
      """
      graphflow: 1
      requests:
        bad: {get: me/nothing, retry: false}
        each:
          for_each: {file: rows.csv}
          key: "{item=$.sku}"
          post: me/feed
          params: {message: "{item=$.sku}"}

      """, to: "rows.yaml")
    #expect(try graphflow("run", file, "--quiet").code == 1)
  }

  private func posts() throws -> Int {
    try sandbox.calls().flatMap(\.operations).count { $0.method == "POST" }
  }

  @Test(arguments: [(200, 2, false), (200, 3, true), (700, 5, false), (700, 6, true)])
  func `changed keys are reported, and many are refused`(
    _ rows: Int, _ changed: Int, _ isRefused: Bool
  ) throws {
    try run(rows: rows)
    try write((0..<rows).map { $0 < changed ? "new-\($0)" : "old-\($0)" })

    let outcome = try graphflow("resume", "latest")

    #expect(outcome.code == (isRefused ? 65 : 1), "\(outcome.error)")
    #expect(
      outcome.error.contains(
        "\(changed) of \(rows) keys that were sent are gone, and \(changed) rows have new keys"),
      "\(outcome.error)")
    #expect(outcome.error.contains("--accept-changed") == isRefused)
    #expect(try posts() == (isRefused ? rows : rows + changed))
    guard isRefused else { return }
    #expect(try graphflow("resume", "latest", "--accept-changed").code == 1)
    #expect(try posts() == rows + changed)
  }

  @Test func `removed, added and moved rows are not changed keys`() throws {
    try run(rows: 20)
    for keys in [5..<20, 0..<40] {
      try write(keys.map { "old-\($0)" }.reversed())

      let outcome = try graphflow("resume", "latest")

      #expect(outcome.code == 1 && !outcome.error.contains("has changed"), "\(outcome.error)")
    }
    #expect(try posts() == 40)
  }
}
