package import GraphAPI
package import JSONPath

/// An immutable fact about a run.
///
/// Events are the source of truth: the journal stores them, progress shows them, the report is a
/// fold over them, and a resumed run is a ``RunState`` that has replayed them. No event contains a
/// token: bodies, messages and inputs are redacted first.
///
/// Large values are indirect, because every event is copied several times.
package enum RunEvent: Hashable, Sendable {
  /// Always the first event.
  indirect case runStarted(RunStart)
  case runResumed(Timestamp)
  /// The run was resumed at this time with a truncated journal.
  ///
  /// From here on a write that may not be repeated is sent only after a person has stated that it
  /// did not take effect.
  case endLost(Timestamp)
  case permissionsRead([PermissionReading])
  /// Graph refused a profile's token, and its source was read again.
  indirect case tokenRead(TokenReading)
  /// The intent to send a call.
  ///
  /// It is journaled before the first byte is sent, and durably if the call has a write.
  indirect case callStarted(CallStart)
  indirect case baselineRead(Baseline)
  indirect case itemsListed(ItemList)
  indirect case reportRun(AdReportRun)
  indirect case paused(QuotaPause)
  case concurrencyChanged(ConcurrencyChange)
  /// An HTTP call has finished, answered or not.
  indirect case callEnded(CallEnd)
  indirect case attemptEnded(AttemptEnd)
  case requestEnded(RequestEnd)
  /// The run has ended; the last event, unless the run is resumed.
  indirect case runEnded(RunEnd)
}

/// The facts of a run at its start.
package struct RunStart: Hashable, Sendable {
  package var id: RunID
  package var workflow: String
  /// The workflow file's path as the user gave it.
  package var file: String
  /// The SHA-256 of the file in lower-case hexadecimal; a changed file is not resumed.
  package var fileDigest: String
  package var startedAt: Timestamp
  /// The instant of all dates, if it is not the start: that of the job's first run.
  package var datesFrom: Timestamp?
  /// The Graph version of requests without a version of their own, such as `v25.0`.
  package var graphVersion: String
  package var graphURL: String
  /// The profile of the workflow's token.
  package var profile: String
  /// Whether the host is a sandbox inside the process, which ends with the process.
  package var isSandboxRun = false
  /// The inputs' values, secrets as `***`.
  package var inputs: JSON.Object
  /// The requests, in the file's order; the index of a request identifies it in other events.
  package var requests: [RequestFacts]
  /// The SHA-256 of each file of items that was checked before the run, by path.
  ///
  /// Without a `key`, items of a changed file cannot be matched with those of the old one.
  package var itemFiles: [String: String] = [:]
  /// The base of relative paths, so that the run can be resumed in any folder.
  package var folder: String?
  /// The options of the person who started it; a resumed run keeps them.
  package var options = RunOptions()
  /// The key with which the file may be run at most once; nil for a run without a key.
  package var key: String?
  /// The id of the job that the run is a part of: the same for all its parts, on every host.
  package var job: String?
  /// The number of requests, each once for each item; nil if it was not known before the run.
  package var total: Int?

  /// Whether another run performs a request: one of the job, or an earlier one.
  func isElsewhere(_ request: RequestFacts) -> Bool {
    guard let part = request.part else { return false }
    return options.shard?.performs(part) != true
  }
}

/// The facts of a request in the report that do not depend on its outcome.
package struct RequestFacts: Hashable, Sendable {
  /// The name; an instance of a group is `publish.post`.
  package var name: String
  package var method: OperationMethod
  /// The path's template as written.
  package var path: String
  /// The line of the name in the file, from 1.
  package var line: Int
  /// The names of the requests that it waits for, for data or for order.
  package var dependsOn: [String]
  /// Whether it may be sent again when it is unknown whether it took effect.
  ///
  /// The report of a killed run shows the other requests as in doubt.
  package var isIdempotent = false
  /// Whether it is sent once for each item of a group.
  package var isRepeated = false
  /// The part of the job that performs it, or that it was performed earlier; nil if the run itself
  /// performs everything.
  package var part: JobPhase?
  /// The digest of what decides its outcome; nil in journals of older versions.
  package var definition: String?
  /// The included file in which it is; nil for the workflow file.
  package var file: String?
}

/// The status of a permission of a token.
package struct PermissionReading: Hashable, Sendable {
  /// The token's origin: its profile, or the reference that selected it.
  package var token: String
  package var permission: String
  /// `granted`, `declined`, `expired` or `missing`.
  package var status: String
}

/// The result of reading the source of a profile's token again.
package struct TokenReading: Hashable, Sendable {
  /// The result.
  package enum Outcome: String, Hashable, Sendable {
    /// The source has another token, which the run uses from now on.
    case renewed
    /// The source has the same token, or one that was refused before.
    case unchanged
    /// The source has no token.
    case unavailable
  }

  package var profile: String
  package var outcome: Outcome
  package var at: Timestamp
  /// Why the source was read.
  package var failure: Failure
}

/// The kind of an HTTP call.
package enum CallKind: String, Hashable, Sendable, CaseIterable {
  /// A batch of up to 50 operations.
  case batch
  /// One operation without a batch.
  case single
  /// A confirmation check: before a write is sent for the first time, or when it is in doubt.
  case confirm
  /// A call that reads permissions, or tests whether Graph answers.
  case auth

  /// Whether a call of this kind carries the workflow's requests.
  var carriesOperations: Bool { self == .batch || self == .single }
}

/// An HTTP call that is about to be sent.
package struct CallStart: Hashable, Sendable {
  /// The call's number in the run, from 1.
  package var number: Int
  /// One more than the highest round of the calls whose answers it needed; from 1.
  package var round: Int
  package var kind: CallKind
  package var startedAt: Timestamp
  /// Its operations, in the order of the batch; for a check, the attempts at the writes in doubt.
  package var operations: [AttemptID]
  /// The number of each operation's baseline, 0 for none; empty if no operation has one.
  package var baselines: [Int] = []
  /// The start by Graph's clock; nil if the call has no write with a confirmation check.
  package var serverTime: ServerTime?
}

/// The identity of an attempt at a request.
package struct AttemptID: Hashable, Sendable {
  /// The request's index.
  package var request: Int
  /// The attempt's number, from 1.
  package var number: Int
  /// The item, if the request is a member of a group.
  package var item: ItemID?
}

/// The identity of an item of a group.
package struct ItemID: Hashable, Sendable {
  /// The position, from 0.
  package var index: Int
  /// The key; the index if the group has no `key`.
  package var key: String
}

/// The run that makes a report from now on: a resumed run polls it, and starts no other one.
package struct AdReportRun: Hashable, Sendable {
  /// The request's index.
  package var request: Int
  package var item: ItemID?
  /// Graph's id of the run; nil if there is none any more: it has failed, or has expired.
  package var run: String?
}

/// The result of an HTTP call.
package struct CallEnd: Hashable, Sendable {
  package var number: Int
  package var durationMilliseconds: Int64
  /// The HTTP status, or `nil` if there was no answer.
  package var httpStatus: Int?
  package var bytesSent: Int
  package var bytesReceived: Int
  /// The usage in the headers of the answer, the largest of each value.
  package var usage: JSON?
  /// Why there was no usable answer, in a sentence for people.
  package var failure: String?
  /// The versions in which Graph has answered others.
  package var otherVersions: [VersionAnswer] = []
}

/// A version that was asked for, and the one in which Graph answered instead.
///
/// Source: Graph API, "Versioning": an expired version is answered as the oldest usable one, and the
/// header `facebook-api-version` names that.
package struct VersionAnswer: Hashable, Sendable {
  package var asked: String
  package var served: String

  static let header = "facebook-api-version"

  /// What to do about it.
  var sentence: String {
    "Graph answers \(asked) as \(served): test with a version that it still has, and name that"
  }
}

/// A change of the number of calls that may be under way at a time.
package struct ConcurrencyChange: Hashable, Sendable {
  /// Why the number has changed.
  package enum Cause: String, Hashable, Sendable {
    /// More calls were answered as fast as fewer ones.
    case growth
    /// With more calls under way, the answers took longer.
    case latency
    /// Graph refused operations because of a rate limit.
    case throttled
    /// A call timed out.
    case timeout
  }

  package var at: Timestamp
  /// The number from now on.
  package var calls: Int
  package var cause: Cause
}

/// The outcome of an attempt.
package enum AttemptOutcome: String, Hashable, Sendable {
  case succeeded
  /// Graph refused it, or it is proved that it had no effect.
  case failed
  /// It is unknown whether a write took effect.
  case inDoubt = "in_doubt"
}

/// The result of an attempt at an operation.
package struct AttemptEnd: Hashable, Sendable {
  package var attempt: AttemptID
  /// The call that carried it, with its start and how long it took.
  package var call: Int
  package var startedAt: Timestamp
  package var durationMilliseconds: Int64
  package var outcome: AttemptOutcome
  /// The operation's HTTP status, or `nil` if it was not answered.
  package var code: Int?
  package var failure: Failure?
}

/// The final status of a request.
package enum RequestStatus: String, Hashable, Sendable {
  /// It was answered with success and its expectations hold.
  case succeeded
  /// Its last attempt failed, or an expectation does not hold.
  case failed
  /// It was not sent, for a stated reason.
  case skipped
  /// It is a write, and it is unknown whether it took effect.
  case inDoubt = "in_doubt"
  /// The run was stopped before it could start.
  case cancelled
}

/// Why a request was not sent.
package enum SkipReason: String, Hashable, Sendable {
  /// Its `when` is false.
  case condition
  /// A request that it refers to or waits for did not succeed.
  case dependency
  /// A permission that it needs is not granted.
  case permission
  /// The run, or its group, sends nothing more after failures.
  case stopped
}

/// The verdict on one entry of `expect`.
package struct ExpectationResult: Hashable, Sendable {
  /// The expression as written.
  package var check: String
  package var passed: Bool
  package var message: String?
  /// The value of the left side of a comparison.
  package var actual: JSON?
}

/// How a run ended.
public enum RunStatus: String, Hashable, Sendable {
  /// Every request succeeded, or counts as success.
  case succeeded
  /// At least one request failed.
  case failed
  /// At least one write is in doubt.
  case inDoubt = "in_doubt"
  /// A signal stopped it.
  case cancelled
  /// It can be resumed later: it was throttled for too long, or interrupted.
  case unfinished
}

/// The result of a run.
package struct RunEnd: Hashable, Sendable {
  package var finishedAt: Timestamp
  package var status: RunStatus
  package var exitCode: Int
  /// The workflow's `outputs`, redacted.
  package var outputs: JSON.Object
  /// The smallest number of HTTP calls that any packing of the sent requests could have needed.
  package var callsLowerBound: Int
  /// The time spent waiting for retries and throttling.
  package var waitedMilliseconds: Int64
  /// The earliest time to resume it; nil if that is unknown, or there is nothing to resume.
  package var resumeAfter: Timestamp?
}
