import CommandHarness
import JSONPath
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A post whose answer is lost, on a real connection: it is confirmed by a check, and made once.
struct ConfirmTests {
  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  private func workflow(within: String = "30s") throws -> String {
    try graphflow.folder.write(
      """
      graphflow: 1
      requests:
        publish:
          post: me/feed
          params: {message: hello}
          confirm:
            get: me/feed
            params: {fields: "id,message,created_time"}
            when: $.data[?@.message == 'hello']
            within: \(within)
          # What is judged here first lets nothing follow in the same call.
          expect: ["$.id"]
        read:
          get: "{result=publish:$.id}"

      """, to: "publish.yaml")
  }

  /// The kinds of calls in a report.
  private func kinds(_ report: JSON) throws -> [JSON] {
    // A single operation may be sent as a batch or alone.
    try report.all("$.calls[*].kind").map { $0 == "single" ? "batch" : $0 }
  }

  @Test func `a published post is found, and not published again`() throws {
    let port = try PublishingPort([.cut])

    let (outcome, report) = try graphflow.report(
      "run", try workflow(), environment: port.environment)

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(port.published == 1 && port.attempts == 1)
    #expect(try kinds(report) == ["confirm", "batch", "confirm", "batch"])
    #expect(try report.one("$.calls[0].operations") == [])
    #expect(try report.one("$.calls[2].operations") == ["publish"])
    #expect(try report.one("$.summary.calls") == 2)
    let publish = try report.one("$.requests[0]")
    #expect(try publish.one("$.status") == "succeeded")
    #expect(try publish.one("$.body.id") == "1_1")
    #expect(try publish.one("$.code") == .null)
    #expect(try publish.all("$.expectations[*].passed") == [true])
    #expect(try publish.all("$.attempts[*].outcome") == ["in_doubt"])
    #expect(try report.one("$.requests[1].resolved_path") == "1_1")
  }

  @Test func `a lost post is published once reads have caught up`() throws {
    let port = try PublishingPort([.swallowed])

    let (outcome, report) = try graphflow.report(
      "run", try workflow(within: "1s"), environment: port.environment)

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(port.published == 1 && port.attempts == 2)
    #expect(try report.all("$.requests[0].attempts[*].outcome") == ["in_doubt", "succeeded"])
    #expect(try kinds(report) == ["confirm", "batch", "confirm", "confirm", "batch", "batch"])
  }

  @Test func `after kill -9 during the post, the post is found and not published again`() throws {
    let port = try PublishingPort([.held])
    let run = try graphflow.start(
      ["run", try workflow(), "--verbose"], environment: port.environment)
    try port.waitUntilHeld()
    run.signal(SIGKILL)
    #expect(try run.wait() == .killed(SIGKILL))

    let (outcome, report) = try resume(port)

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(port.published == 1 && port.attempts == 1)
    #expect(try report.one("$.run.resumed") == 1)
    #expect(try report.all("$.requests[*].status") == ["succeeded", "succeeded"])
    #expect(try kinds(report) == ["confirm", "batch", "confirm", "batch"])
  }

  @Test func `after kill -9 between two checks, the post is checked for again`() throws {
    let port = try PublishingPort([.cut], blindReads: 3)
    let run = try graphflow.start(
      ["run", try workflow(), "--verbose"], environment: port.environment)
    try run.read { process in
      String(decoding: process.standardError, as: UTF8.self).contains("\ncall 4: HTTP 200")
    }
    run.signal(SIGKILL)
    #expect(try run.wait() == .killed(SIGKILL))
    let (outcome, report) = try resume(port)

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(port.published == 1 && port.attempts == 1)
    #expect(try kinds(report) == ["confirm", "batch", "confirm", "confirm", "confirm", "batch"])
  }

  private func resume(_ port: PublishingPort) throws -> (outcome: Outcome, report: JSON) {
    try graphflow.report("resume", "latest", environment: port.environment)
  }
}
