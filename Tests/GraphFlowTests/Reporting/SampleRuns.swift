import GraphAPI
import JSONPath

@testable import GraphFlow

/// Runs as their events.
enum SampleRuns {
  static let id = RunID("01JD4K4W00ABCDEFGHJKMNPQRS") ?? other
  static let begin: Int64 = 1_795_165_200_000

  private static var other: RunID {
    var generator = SystemRandomNumberGenerator()
    return RunID(startedAt: timestamp(0), using: &generator)
  }

  static func timestamp(_ offset: Int64) -> Timestamp { Timestamp(milliseconds: begin + offset) }

  static func start(_ requests: [RequestFacts], inputs: JSON.Object = [:]) -> RunEvent {
    .runStarted(
      RunStart(
        id: id, workflow: "post-and-verify", file: "workflows/post-and-verify.yaml",
        fileDigest: String(repeating: "0123456789abcdef", count: 4), startedAt: timestamp(0),
        graphVersion: "v25.0", graphURL: "https://graph.facebook.com", profile: "default",
        inputs: inputs, requests: requests))
  }

  static func end(
    _ status: RunStatus, _ exitCode: Int, after offset: Int64 = 412, lowerBound: Int = 1,
    outputs: JSON.Object = [:], waited: Int64 = 0
  ) -> RunEvent {
    .runEnded(
      RunEnd(
        finishedAt: timestamp(offset), status: status, exitCode: exitCode, outputs: outputs,
        callsLowerBound: lowerBound, waitedMilliseconds: waited))
  }

  static func call(
    _ number: Int, _ operations: [(request: Int, attempt: Int)], kind: CallKind = .batch,
    round: Int = 1, at offset: Int64 = 200
  ) -> RunEvent {
    .callStarted(
      CallStart(
        number: number, round: round, kind: kind, startedAt: timestamp(offset),
        operations: operations.map { AttemptID(request: $0.request, number: $0.attempt) }))
  }

  static func answered(
    _ number: Int, status: Int? = 200, took: Int64 = 180, usage: JSON? = nil, failure: String? = nil
  ) -> RunEvent {
    .callEnded(
      CallEnd(
        number: number, durationMilliseconds: took, httpStatus: status, bytesSent: 512,
        bytesReceived: status == nil ? 0 : 900, usage: usage, failure: failure))
  }

  static func attempt(
    _ request: Int, _ number: Int = 1, call: Int = 1, at offset: Int64 = 200, took: Int64 = 180,
    outcome: AttemptOutcome = .succeeded, code: Int? = 200, failure: Failure? = nil
  ) -> RunEvent {
    .attemptEnded(
      AttemptEnd(
        attempt: AttemptID(request: request, number: number), call: call,
        startedAt: timestamp(offset), durationMilliseconds: took, outcome: outcome, code: code,
        failure: failure))
  }

  static func ended(
    _ request: Int, _ status: RequestStatus = .succeeded, code: Int? = 200, body: String? = nil,
    failure: Failure? = nil, skipped: SkipReason? = nil, because: String? = nil,
    expectations: [ExpectationResult] = [], path: String? = nil, countsAsSuccess: Bool = false
  ) -> RunEvent {
    .requestEnded(
      RequestEnd(
        request: request, status: status, code: code, body: body.map { Array($0.utf8) },
        isTainted: false, failure: failure, skipReason: skipped, skipDetail: because,
        expectations: expectations, resolvedPath: path, countsAsSuccess: countsAsSuccess))
  }

  /// A run of a number of reads, fifty in a call, with the events that the runner would write.
  static func reads(_ count: Int, bodyOf body: (Int) -> String) -> [RunEvent] {
    var events = [
      start(
        (0..<count).map { index in
          RequestFacts(
            name: "read-\(index)", method: .get, path: "{input=page}/posts", line: index + 10,
            dependsOn: [])
        })
    ]
    for first in stride(from: 0, to: count, by: 50) {
      let requests = first..<min(first + 50, count)
      let number = first / 50 + 1
      let time = Int64(number * 20)
      events.append(call(number, requests.map { ($0, 1) }, at: time))
      events.append(answered(number, usage: ["app": ["call_count": 3]]))
      for request in requests {
        events.append(attempt(request, call: number, at: time))
        events.append(ended(request, body: body(request), path: "1234567890/posts"))
      }
    }
    events.append(end(.succeeded, 0, lowerBound: (count + 49) / 50))
    return events
  }
}
