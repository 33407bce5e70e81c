import CommandHarness
import JSONPath
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// An interrupted run over the rows of a file is resumed row by row.
struct ItemResumeTests {
  private static let rows = 200

  private let graphflow: CommandFixture
  private let sandbox: SandboxProcess

  init() throws {
    let graphflow = try CommandFixture()
    sandbox = try SandboxProcess(for: graphflow)
    self.graphflow = graphflow
  }

  private func writeRows(_ rows: some Sequence<Int>) throws {
    let lines = rows.map { "sku-\($0),text number \($0)\n" }
    try graphflow.folder.write("sku,text\n" + lines.joined(), to: "rows.csv")
  }

  private func writeWorkflow(key: String?) throws -> String {
    try graphflow.folder.write(
      """
      graphflow: 1
      requests:
        publish:
          for_each: {file: rows.csv}
          \(key.map { "key: \"\($0)\"" } ?? "description: no key")
          requests:
            post:
              post: me/feed
              params: {message: "{item=$.text}"}
            verify:
              get: "{result=post:$.id}"
              params: {fields: message}
              expect: ["$.message == {item=$.text}"]

      """, to: "rows.yaml")
  }

  /// Starts the run with many small calls, and sends it a signal after some of them.
  private func interruptedRun(of file: String, by signal: Int32) throws -> ChildProcess.End {
    let run = try graphflow.start(
      ["run", file, "--batch-size", "4", "--concurrency", "2", "--verbose"],
      environment: sandbox.environment)
    try run.read { process in
      String(decoding: process.standardError, as: UTF8.self).contains("\ncall 40:")
    }
    run.signal(signal)
    return try run.wait()
  }

  private func resume() throws -> (outcome: Outcome, report: JSON) {
    try graphflow.report("resume", "latest", environment: sandbox.environment)
  }

  /// How often each text was published, according to the feed, read page by page.
  private func published() throws -> [String: Int] {
    let file = try graphflow.folder.write(
      """
      graphflow: 1
      requests:
        feed:
          get: me/feed
          params: {fields: message, limit: 100}
          paginate: true
      outputs: {texts: "{result=feed:$.data[*].message}"}

      """, to: "feed.yaml")
    let (outcome, report) = try graphflow.report("run", file, environment: sandbox.environment)
    #expect(outcome.code == 0, "\(outcome.error)")
    var counts: [String: Int] = [:]
    for text in try report.all("$.outputs.texts[*]") { counts[text.string ?? "", default: 0] += 1 }
    return counts.filter { $0.key.hasPrefix("text number ") }
  }

  private func successfulPosts() throws -> Int {
    try sandbox.calls().flatMap(\.operations).count { $0.method == "POST" && $0.code == 200 }
  }

  @Test func `after kill -9 every message is published once or in doubt`() throws {
    try writeRows(0..<Self.rows)
    let file = try writeWorkflow(key: "{item=$.sku}")
    #expect(try interruptedRun(of: file, by: SIGKILL) == .killed(SIGKILL))

    let (outcome, report) = try resume()

    let doubtful = Set(
      try report.all("$.requests[?@.status == 'in_doubt'].item.key").compactMap(\.string))
    // Two calls of two posts each may have been in flight.
    #expect(doubtful.count <= 4)
    #expect(outcome.code == (doubtful.isEmpty ? 0 : 3), "\(outcome.error)")
    let published = try published()
    for row in 0..<Self.rows {
      let count = published["text number \(row)", default: 0]
      #expect(count == 1 || count == 0 && doubtful.contains("sku-\(row)"), "row \(row): \(count)")
    }
    #expect(try successfulPosts() == published.values.reduce(0, +))
    #expect(try report.one("$.summary.requests").integer == 2 * Self.rows)
  }

  @Test func `after SIGINT moved rows are matched by key and new rows are sent`() throws {
    try writeRows(0..<Self.rows)
    let file = try writeWorkflow(key: "{item=$.sku}")
    #expect(try interruptedRun(of: file, by: SIGINT) == .exited(130))
    try writeRows((0..<Self.rows + 10).reversed())

    let (outcome, report) = try resume()

    #expect(outcome.code == 0, "\(outcome.error)")
    let read = try report.all("$.requests[?@.name == 'publish.verify']")
    #expect(read.count == Self.rows + 10)
    for request in read {
      let number = request["item"]?["key"]?.string?.dropFirst("sku-".count) ?? "?"
      #expect(request["body"]?["message"]?.string == "text number \(number)")
    }
    let numbers = try report.one("$.summary")
    #expect(numbers["succeeded"] == numbers["requests"])
    let published = try published()
    #expect(published.count == Self.rows + 10)
    #expect(published.values.allSatisfy { $0 == 1 })
    #expect(try successfulPosts() == Self.rows + 10)
  }

  @Test func `without a key a changed file is refused and an unchanged one is resumed`() throws {
    try writeRows(0..<Self.rows)
    let file = try writeWorkflow(key: nil)
    #expect(try interruptedRun(of: file, by: SIGINT) == .exited(130))
    let before = try successfulPosts()
    try writeRows(1..<Self.rows)

    let refused = try graphflow("resume", "latest", environment: sandbox.environment)

    #expect(refused.code == 65)
    #expect(
      graphflow.stable(refused.error) == """
        error: 'rows.csv' has changed since the run {run} was started, and its items have no `key`
          restore the old file, or start a new run; only items with a `key` are found again

        """)
    #expect(try successfulPosts() == before)
    try writeRows(0..<Self.rows)
    #expect(try resume().outcome.code == 0)
    #expect(try successfulPosts() == Self.rows)
  }

  @Test func `a file may be elsewhere, but must be the same`() throws {
    try writeRows(1...ItemResumeTests.rows)
    let file = try writeWorkflow(key: nil)
    _ = try interruptedRun(of: file, by: SIGINT)
    let rows = graphflow.folder.path + "/rows.csv"
    try graphflow.folder.makeFolder("elsewhere")
    let moved = graphflow.folder.path + "/elsewhere/moved.csv"
    #expect(rename(rows, moved) == 0)

    let missing = try graphflow("resume", "latest", environment: sandbox.environment)
    #expect(missing.code == 66, "\(missing.error)")
    let other = try graphflow.folder.write("sku,text\n1,other\n", to: "other.csv")
    let refused = try graphflow(
      "resume", "latest", "--file", "rows.csv=\(other)", environment: sandbox.environment)
    #expect(refused.code == 65)
    #expect(refused.error.contains("/other.csv' is not the 'rows.csv' with which the run "))

    let resumed = try graphflow(
      "resume", "latest", "--file", "rows.csv=\(moved)", environment: sandbox.environment)
    #expect(resumed.code == 0, "\(resumed.error)")
    let posts = try sandbox.calls().flatMap(\.operations).filter { $0.method == "POST" }
    #expect(posts.count { $0.isApplied } == ItemResumeTests.rows)
  }

  @Test func `a resumed run reports each line of the whole run once`() throws {
    try writeRows(0..<Self.rows)
    let file = try writeWorkflow(key: "{item=$.sku}")
    #expect(try interruptedRun(of: file, by: SIGINT) == .exited(130))
    let path = graphflow.folder.path + "/resumed.jsonl"

    let outcome = try graphflow(
      "resume", "latest", "--report", path, environment: sandbox.environment)

    #expect(outcome.code == 0, "\(outcome.error)")
    let lines = try text(of: path).split(separator: "\n").map { try JSON(parsing: String($0)) }
    let requests = lines.compactMap { $0["request"] }
    #expect(lines.count == 2 * Self.rows + 2)
    #expect(lines.first?["run"]?["resumed"] == 1)
    #expect(requests.allSatisfy { $0["status"] == "succeeded" })
    let instances = requests.map {
      "\($0["name"]?.string ?? "")\($0["item"]?["key"]?.string ?? "")"
    }
    #expect(Set(instances).count == 2 * Self.rows)
    #expect(lines.last?["summary"]?["succeeded"]?.integer == 2 * Self.rows)
  }
}
