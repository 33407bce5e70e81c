package import GraphAPI
package import JSONPath

/// One immutable fact about a run.
///
/// Events are the truth: the journal stores them, progress shows them, the report is a fold over
/// them, and a resumed run is a ``RunState`` that has received them again. No event holds a token:
/// bodies, messages and inputs are redacted before they become part of one.
///
/// Indirect, because every event is handed on several times.
package indirect enum RunEvent: Hashable, Sendable {
  /// The run began; always the first event.
  case runStarted(RunStart)
  /// The run goes on after an interruption, at this time.
  case runResumed(Timestamp)
  /// The end of the journal was lost, and the run goes on without it from this time.
  ///
  /// From here on a write that may not be repeated is sent only once a person has said that it did
  /// not happen.
  case endLost(Timestamp)
  /// A token's grants were read.
  case permissionsRead([PermissionReading])
  /// A profile's token did not do, and its source was asked again.
  case tokenRead(TokenReading)
  /// The intent to send: journaled, durably if it holds a write, before the first byte leaves.
  case callStarted(CallStart)
  /// A confirmation check was read before the first send of the writes that it is for.
  case baselineRead(Baseline)
  /// A list of items without keys was read.
  case itemsListed(ItemList)
  /// Nothing is sent for a while, because of Graph's limits or because it does not answer.
  case paused(QuotaPause)
  /// An HTTP call is over, answered or not.
  case callEnded(CallEnd)
  /// One try of one operation is over.
  case attemptEnded(AttemptEnd)
  /// A request has reached its final outcome.
  case requestEnded(RequestEnd)
  /// The run is over; the last event, unless the run is resumed after it.
  case runEnded(RunEnd)
}

/// What is known when a run starts.
package struct RunStart: Hashable, Sendable {
  /// The run's identity.
  package var id: RunID
  /// The workflow's name.
  package var workflow: String
  /// The workflow file's path as the user gave it.
  package var file: String
  /// The SHA-256 of the file, lower-case hexadecimal; a changed file is not resumed.
  package var fileDigest: String
  /// When the run started.
  package var startedAt: Timestamp
  /// The Graph version of requests that name none, such as `v25.0`.
  package var graphVersion: String
  /// The host that is called.
  package var graphURL: String
  /// The profile that the workflow's token comes from.
  package var profile: String
  /// Whether the host is a sandbox inside the process, which is gone with it.
  package var isSandboxRun = false
  /// The inputs' values, secrets as `***`.
  package var inputs: JSON.Object
  /// The requests, in the file's order; a request's index here is its identity in other events.
  package var requests: [RequestFacts]
  /// The SHA-256 of each file of items that was known before the run, by path.
  ///
  /// Without a `key`, items of a changed file cannot be told from those of the old one.
  package var itemFiles: [String: String] = [:]
  /// The folder that relative paths were meant from, so that a run can be resumed from anywhere.
  package var folder: String?
  /// What the person who started it chose: a run that goes on goes on with it.
  package var options = RunOptions()
  /// The key under which there is at most one run of the file; nil for a run without.
  package var key: String?
}

/// What the report says of a request whatever becomes of it.
package struct RequestFacts: Hashable, Sendable {
  /// The name; an instance of a group is `publish.post`.
  package var name: String
  /// The verb.
  package var method: OperationMethod
  /// The path's template as written.
  package var path: String
  /// The line of the name in the file, from 1.
  package var line: Int
  /// The names of the requests it waits for, for data or for order.
  package var dependsOn: [String]
  /// Whether it may be sent again when nobody knows whether it took effect.
  ///
  /// A killed run's report calls the others in doubt.
  package var isIdempotent = false
  /// Whether it is sent once for each item of a source.
  package var isRepeated = false
}

/// What one permission of one token was found to be.
package struct PermissionReading: Hashable, Sendable {
  /// Whose permission it is: the profile, or the reference that the token came from.
  package var token: String
  /// The permission's name.
  package var permission: String
  /// `granted`, `declined`, `expired` or `missing`.
  package var status: String
}

/// What came of asking the source of a profile's token again.
package struct TokenReading: Hashable, Sendable {
  /// What the source gave.
  package enum Outcome: String, Hashable, Sendable {
    /// Another token, with which the run goes on.
    case renewed
    /// The same token, or one that was refused before.
    case unchanged
    /// None.
    case unavailable
  }

  /// The profile.
  package var profile: String
  /// What its source gave.
  package var outcome: Outcome
  /// When it was asked.
  package var at: Timestamp
  /// Why it was asked.
  package var failure: Failure
}

/// What an HTTP call is for.
package enum CallKind: String, Hashable, Sendable {
  /// Up to 50 operations.
  case batch
  /// One operation, sent alone.
  case single
  /// A confirmation check: before a write is sent for the first time, or when it is in doubt.
  case confirm
  /// A permission look-up or a token refresh.
  case auth
}

/// An HTTP call that is about to be sent.
package struct CallStart: Hashable, Sendable {
  /// The call's number in the run, from 1.
  package var number: Int
  /// The round it belongs to, from 1; calls of a round may be under way together.
  package var round: Int
  /// What it is for.
  package var kind: CallKind
  /// When it was started.
  package var startedAt: Timestamp
  /// The operations it carries, in the order of the batch; of a look, the attempts that it looks for.
  package var operations: [AttemptID]
  /// For each operation the number of the baseline that was read before it, 0 for none; empty if
  /// there are none.
  package var baselines: [Int] = []
  /// The same moment by Graph's clock, where writes are sent that have a confirmation check.
  package var serverTime: ServerTime?
}

/// One try of one request.
package struct AttemptID: Hashable, Sendable {
  /// The request's index.
  package var request: Int
  /// The attempt's number, from 1.
  package var number: Int
  /// The item, if the request is a member of a group.
  package var item: ItemID?
}

/// Which item of a group's source an instance is for.
package struct ItemID: Hashable, Sendable {
  /// The position, from 0.
  package var index: Int
  /// The identity that its author gave it; the index where there is no `key`.
  package var key: String
}

/// An HTTP call that is over.
package struct CallEnd: Hashable, Sendable {
  /// The call's number.
  package var number: Int
  /// How long it took, in milliseconds.
  package var durationMilliseconds: Int64
  /// The HTTP status, or `nil` if there was no answer.
  package var httpStatus: Int?
  /// The size of the body that was sent.
  package var bytesSent: Int
  /// The size of the body that was received.
  package var bytesReceived: Int
  /// What the usage headers said, worst of all of the answer's.
  package var usage: JSON?
  /// Why there was no usable answer, in a sentence for people.
  package var failure: String?
}

/// How one try ended.
package enum AttemptOutcome: String, Hashable, Sendable {
  /// Graph answered with success.
  case succeeded
  /// Graph refused, or it is proved that nothing happened.
  case failed
  /// Nobody knows whether a write took effect.
  case inDoubt = "in_doubt"
}

/// One try of one operation that is over.
package struct AttemptEnd: Hashable, Sendable {
  /// Which try of which request.
  package var attempt: AttemptID
  /// The call that carried it.
  package var call: Int
  /// When its call started.
  package var startedAt: Timestamp
  /// How long its call took, in milliseconds.
  package var durationMilliseconds: Int64
  /// How it ended.
  package var outcome: AttemptOutcome
  /// The operation's HTTP status, or `nil` if it was not answered.
  package var code: Int?
  /// Why it did not succeed.
  package var failure: Failure?
}

/// Why something did not succeed: Graph's facts and our judgement.
package struct Failure: Error, Hashable, Sendable {
  /// Graph's own fields; for failures of ours only the message.
  package var error: GraphError {
    get {
      switch facts {
      case .said(let error, _): error
      }
    }
    set { facts = .said(newValue, hint: hint) }
  }
  /// What the executor does about it.
  package var category: ErrorCategory
  /// What kind of trouble it is.
  package var reason: FailureReason
  /// What a person can do.
  package var hint: String {
    get {
      switch facts {
      case .said(_, let hint): hint
      }
    }
    set { facts = .said(error, hint: newValue) }
  }
  private var facts: Facts

  /// Out of the way: every event has room for a failure, and few have one.
  private indirect enum Facts: Hashable, Sendable {
    case said(GraphError, hint: String)
  }

  init(error: GraphError, category: ErrorCategory, reason: FailureReason, hint: String) {
    self.category = category
    self.reason = reason
    facts = .said(error, hint: hint)
  }
}

/// A request's final fate.
package enum RequestStatus: String, Hashable, Sendable {
  /// It was answered with success and its expectations hold.
  case succeeded
  /// It was refused, gave up, or an expectation does not hold.
  case failed
  /// It was not sent, for a reason that is given.
  case skipped
  /// It is a write of which nobody knows whether it took effect.
  case inDoubt = "in_doubt"
  /// The run was stopped before it could start.
  case cancelled
}

/// Why a request was not sent.
package enum SkipReason: String, Hashable, Sendable {
  /// Its `when` is false.
  case condition
  /// Something it refers to or waits for did not succeed.
  case dependency
  /// A permission that it needs is not granted.
  case permission
  /// The run stopped starting new requests.
  case stopped
}

/// The verdict on one entry of `expect`.
package struct ExpectationResult: Hashable, Sendable {
  /// The expression as written.
  package var check: String
  /// Whether it holds.
  package var passed: Bool
  /// The author's message, if there is one.
  package var message: String?
  /// The value of the left side of a comparison.
  package var actual: JSON?
}

/// How a run ended.
public enum RunStatus: String, Hashable, Sendable {
  /// Every request succeeded or is excused.
  case succeeded
  /// At least one request failed.
  case failed
  /// At least one write is in doubt.
  case inDoubt = "in_doubt"
  /// A signal stopped it.
  case cancelled
  /// It can go on later: throttled past its limit, or interrupted.
  case unfinished
}

/// What a run came to.
package struct RunEnd: Hashable, Sendable {
  /// When it ended.
  package var finishedAt: Timestamp
  /// How it ended.
  package var status: RunStatus
  /// The exit code of the command.
  package var exitCode: Int
  /// The workflow's `outputs`, redacted.
  package var outputs: JSON.Object
  /// The fewest HTTP calls that any packing of what was sent could have used.
  package var callsLowerBound: Int
  /// Time spent waiting for retries and throttles, in milliseconds.
  package var waitedMilliseconds: Int64
  /// From when on it is of use to go on; nil where nobody knows, or there is nothing to go on with.
  package var resumeAfter: Timestamp?
}
