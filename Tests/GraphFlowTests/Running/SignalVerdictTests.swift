import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// A signal counts only if it kept something from being sent or awaited.
struct SignalVerdictTests {
  private static let post = "w: {post: me/feed, params: {message: hi}}"

  /// The end of a run that is stopped while its first call is under way.
  private func end(
    _ requests: [String], _ result: CallResult
  ) throws -> (end: RunEnd?, report: Report) {
    var run = try Simulation(workflow(requests: requests))
    #expect(try run.run(killedAtCall: 1) == nil)
    run.state.cancel(exitCode: 143)
    run.state.handleCallResult(result, forCall: run.numbers[1] ?? 1, at: run.now)
    let end = try run.run()
    #expect(run.calls.count == 1)
    return (end, Report(of: run.events))
  }

  private static func answer(_ body: String, code: Int = 200) -> CallResult {
    .answered(
      .items([
        .response(OperationResponse(code: code, body: ResponseBody(Array(body.utf8))))
      ]), CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
  }

  private static let success = answer(#"{"id":"1_2"}"#)
  private static let refusal = answer(#"{"error":{"message":"no","code":100}}"#, code: 400)
  private static let lost = CallResult.failed(
    TransportFailure(kind: .connectionLost, message: "lost"))
  private static let givenUp = CallResult.failed(
    TransportFailure(kind: .cancelled, message: "cancelled"))

  @Test(
    arguments: [
      ([post], success, 0), ([post], refusal, 1), ([post], lost, 3), ([post], givenUp, 143),
      // A dependent would have been sent, or would not.
      ([post, "r: {get: \"{result=w:$.id}\", batch: alone}"], success, 143),
      ([post, "r: {get: \"{result=w:$.id}\", batch: alone}"], lost, 3),
      ([post, "r: {get: me, depends_on: [w], when: \"1 == 2\"}"], success, 0),
      ([post, "r: {get: me, depends_on: [w], on_dependency_failure: run}"], refusal, 143),
      // A request would have been sent again or checked.
      (["r: {get: me}"], lost, 143), (["r: {get: me, retry: false}"], lost, 1),
      (
        [
          "w: {post: me/feed, params: {message: hi}, confirm: {get: me/feed, "
            + "params: {fields: \"id,message,created_time\"}, when: \"$.data[?@.message == 'hi']\"}}"
        ], lost, 143
      ),
      ([post, "g: {for_each: [], get: me, depends_on: [w]}"], success, 0),
      ([post, "g: {for_each: [1], get: me, depends_on: [w]}"], success, 143),
      ([post, "g: {for_each: \"{result=w:$.id}\", get: me}"], refusal, 1),
    ] as [([String], CallResult, Int)])
  func `a signal after the last call does not change the end`(
    _ requests: [String], _ result: CallResult, _ exitCode: Int
  ) throws {
    let (end, report) = try end(requests, result)

    #expect(end?.exitCode == exitCode)
    #expect((end?.status == .cancelled) == (exitCode == 143))
    #expect(report.exitCode == exitCode)
    // The report shows the doubt in addition to the signal.
    if case .failed = result, requests.first?.hasPrefix("w") == true {
      #expect(report.summary.inDoubt == 1)
    }
  }
}
