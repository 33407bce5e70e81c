import CommandHarness
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Runs of one file with different values of the inputs that `overlap_key` names.
struct OverlapKeyTests {
  private var graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  private func file() throws -> String {
    try graphflow.folder.write(
      """
      graphflow: 1
      inputs: {page: string, text: {type: string, default: Hello}}
      overlap_key: [page]
      requests:
        a: {post: me/feed, params: {message: "{input=page} {input=text}"}}

      """, to: "pages.yaml")
  }

  /// A run that has sent its call and never gets an answer.
  private func runUnderWay(_ words: [String]) throws -> ChildProcess {
    let run = try graphflow.start(["run", "--verbose"] + words)
    try run.read { String(decoding: $0.standardError, as: UTF8.self).contains("call 1") }
    return run
  }

  @Test mutating func `runs for two pages overlap, and runs for one do not`() throws {
    let port = try SilentPort()
    graphflow.environment = [
      "GRAPHFLOW_ACCESS_TOKEN": "t0ken", "GRAPHFLOW_GRAPH_URL": port.url,
    ]
    let file = try file()
    let first = try runUnderWay([file, "--input", "page=1"])
    defer { first.signal(SIGKILL) }

    let same = try graphflow("run", file, "--input", "page=1", "--input", "text=other")
    let other = try runUnderWay([file, "--input", "page=2"])
    defer { other.signal(SIGKILL) }

    #expect(same.code == 75, "\(same.error)")
  }

  @Test
  mutating func `a run key belongs to a page, and an unfinished run blocks its own page only`()
    throws
  {
    let file = try file()
    let sandbox = try SandboxProcess(for: graphflow)
    graphflow.environment = sandbox.environment
    for page in ["1", "2", "1"] {
      let run = try graphflow("run", file, "--input", "page=\(page)", "--run-key", "k")
      #expect(run.code == 0, "\(run.error)")
    }
    let posts = try sandbox.calls().flatMap(\.operations).filter { $0.method == "POST" }
    #expect(posts.count == 2)

    let port = try SilentPort()
    graphflow.environment["GRAPHFLOW_GRAPH_URL"] = port.url
    let killed = try runUnderWay([file, "--input", "page=1"])
    killed.signal(SIGKILL)
    _ = try killed.wait()

    let same = try graphflow("run", file, "--input", "page=1")
    let other = try runUnderWay([file, "--input", "page=2"])
    defer { other.signal(SIGKILL) }

    #expect(same.code == 3, "\(same.error)")
  }
}
