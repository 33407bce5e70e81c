import GraphAPI
import JSONPath

@testable import GraphFlow

/// At least one event of every kind, with contents that break naive encodings.
enum HostileEvents {
  static let text = "a\"b\\c\n\r\t\0\u{1b}[31m \u{202e}\u{2028} é e\u{301} 👩‍👩‍👧 {result=a:$} ' ; --"

  static let deep =
    [UInt8](repeating: UInt8(ascii: "["), count: 512)
    + [UInt8](repeating: UInt8(ascii: "]"), count: 512)

  static let value: JSON = .object(
    JSON.Object([
      (text, .string(text)), ("", .null), ("n", .number(number("1.10"))),
      ("big", .number(number("1e400"))), ("list", [true, false, [:], []]),
    ]))

  static let failure = Failure(
    error: GraphError(
      message: text, type: text, code: .max, subcode: .min, userTitle: text, userMessage: "",
      isTransient: false, fbtraceID: text, data: value, originalResponse: .null, isFromGraph: false),
    category: .recoverable, reason: .unresolvedReference, hint: text)

  static let bareFailure = Failure(
    error: GraphError(message: ""), category: .other, reason: .unknown, hint: "")

  static var all: [RunEvent] {
    [
      .runStarted(start), .runResumed(Timestamp(milliseconds: 0)),
      .endLost(Timestamp(milliseconds: 9)), .permissionsRead([]),
      .itemsListed(ItemList(request: .max, digests: [text, ""])),
      .reportRun(AdReportRun(request: .max, item: ItemID(index: 0, key: text), run: text)),
      .reportRun(AdReportRun(request: 0)),
      .permissionsRead([PermissionReading(token: text, permission: text, status: "granted")]),
      .tokenRead(
        TokenReading(
          profile: text, outcome: .unavailable, at: Timestamp(milliseconds: 0), failure: failure)),
      .concurrencyChanged(
        ConcurrencyChange(at: Timestamp(milliseconds: 0), calls: .max, cause: .timeout)),
    ] + calls + requests + ends
  }

  static let start = RunStart(
    id: SampleRuns.id, workflow: text, file: text, fileDigest: "",
    startedAt: Timestamp(milliseconds: 253_402_300_799_999), graphVersion: text, graphURL: text,
    profile: text, isSandboxRun: true, inputs: value.object ?? [:],
    requests: OperationMethod.allCases.flatMap { method in
      [true, false].map { isIdempotent in
        RequestFacts(
          name: text, method: method, path: text, line: .max, dependsOn: [text, ""],
          isIdempotent: isIdempotent)
      }
    },
    options: RunOptions(
      limits: BatchLimits(width: 7, unsafeWrites: 8, strategy: .fastest), concurrency: 9,
      maxUnsafeWrites: 10, requiresPermissions: true), key: text)

  private static let calls: [RunEvent] =
    [CallKind.batch, .single, .confirm, .auth].map { kind in
      .callStarted(
        CallStart(
          number: .max, round: .min, kind: kind, startedAt: Timestamp(milliseconds: 1),
          operations: kind == .auth ? [] : [AttemptID(request: 0, number: .max)]))
    } + [
      .callEnded(
        CallEnd(
          number: 1, durationMilliseconds: .max, httpStatus: nil, bytesSent: .max, bytesReceived: 0,
          usage: value, failure: text)),
      .callEnded(
        CallEnd(
          number: 1, durationMilliseconds: .min, httpStatus: .min, bytesSent: 0,
          bytesReceived: .max, usage: .null, failure: nil)),
    ]

  private static let requests: [RunEvent] =
    [AttemptOutcome.succeeded, .failed, .inDoubt].map { outcome in
      .attemptEnded(
        AttemptEnd(
          attempt: AttemptID(request: .max, number: .min), call: 0,
          startedAt: Timestamp(milliseconds: 2), durationMilliseconds: 3, outcome: outcome,
          code: outcome == .inDoubt ? nil : 200, failure: outcome == .succeeded ? nil : failure))
    }
    + bodies.map { body in
      .requestEnded(
        RequestEnd(
          request: 0, status: .succeeded, code: 200, body: body, isTainted: true, failure: nil,
          skipReason: nil, skipDetail: nil, expectations: [], resolvedPath: text,
          countsAsSuccess: false, madeIDs: body == nil ? [] : [text, ""], isDecision: body == nil))
    }
    + [RequestStatus.failed, .skipped, .inDoubt, .cancelled].map { status in
      .requestEnded(
        RequestEnd(
          request: -1, status: status, code: nil, body: nil, isTainted: false, failure: bareFailure,
          skipReason: .condition, skipDetail: text,
          expectations: [
            ExpectationResult(check: text, passed: false, message: nil, actual: value),
            ExpectationResult(check: "", passed: true, message: text, actual: nil),
            ExpectationResult(check: "", passed: true, message: "", actual: deepValue),
          ], resolvedPath: nil, countsAsSuccess: true))
    }

  private static let ends: [RunEvent] =
    [RunStatus.succeeded, .failed, .inDoubt, .cancelled, .unfinished].map { status in
      .runEnded(
        RunEnd(
          finishedAt: Timestamp(milliseconds: 4), status: status, exitCode: -1,
          outputs: ["o": deepValue, text: value], callsLowerBound: .max, waitedMilliseconds: .max))
    }

  private static let bodies: [[UInt8]?] = [
    nil, [], Array("{\"id\": 1.10 , \"id\":2}\r\n".utf8), [0, 0xff, 0xfe], Array("<html>".utf8),
    deep,
  ]

  private static var deepValue: JSON { (try? JSON(parsing: deep)) ?? .null }

  private static func number(_ lexeme: String) -> JSON.Number {
    JSON.Number(lexeme: lexeme) ?? JSON.Number(0)
  }
}
