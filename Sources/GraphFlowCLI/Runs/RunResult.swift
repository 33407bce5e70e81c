import GraphAPI
import GraphFlow
import JSONPath

/// The result of a run so far, for notifications.
struct RunResult {
  private let report: Report
  /// The profiles whose tokens Graph has refused in this session, without a new one.
  private let deadTokens: [String]
  private static let maximumProblemCount = 5
  private static let maximumMessageLength = 500

  /// The start of the run; nil if it never started.
  var start: RunStart? { report.start }
  /// The permissions that tokens were found to lack.
  var lacking: [PermissionReading] { report.permissions.filter { $0.status != "granted" } }

  init(of log: inout RunLog) { (report, deadTokens) = (log.report, log.deadTokens) }

  /// Reads the result of an earlier run from its journal, with the memory of a run.
  init(_ id: RunID, in store: any StateStore) throws {
    let reading = try store.reading(id)
    deadTokens = []
    guard try !reading.wasResumed() else {
      report = Pipeline.report(of: RunHistory(try reading.events()))
      return
    }
    var stream = ReportStream()
    try reading.forEachEvent { stream.apply($0) }
    report = stream.report
  }

  /// Sends the events of a run that has ended with a status.
  ///
  /// `previous` is the last run of the same file and profile, or the same run before it continued.
  /// With `onlyChanges` nothing is sent if the result is the same as then.
  func notify(
    _ notifier: Notifier, after previous: RunResult?, onlyChanges: Bool, status: ExitStatus
  ) {
    guard let start = report.start else { return }
    if onlyChanges, let previous, previous.report.exitCode == report.exitCode,
      previous.problems == problems
    {
      return
    }
    var facts: JSON.Object = [
      "run": .string(start.id.description), "workflow": .string(start.workflow),
      "file": .string(start.file), "profile": .string(start.profile),
      "status": .string(report.status.rawValue),
      "exit_code": .number(.init(Int(status.rawValue))),
    ]
    for profile in Set(deadTokens).sorted() {
      facts["profile"] = .string(profile)
      notifier.send(.tokenInvalidated, facts)
    }
    facts["profile"] = .string(start.profile)
    for permission in lostPermissions(since: previous) {
      facts["permission"] = .string(permission)
      notifier.send(.permissionLost, facts)
    }
    facts["permission"] = nil
    guard let event = event(of: status, after: previous) else { return }
    let summary = report.summary
    facts["summary"] = [
      "requests": .number(.init(summary.requests)), "succeeded": .number(.init(summary.succeeded)),
      "failed": .number(.init(summary.failed)), "in_doubt": .number(.init(summary.inDoubt)),
      "skipped": .number(.init(summary.skipped)), "cancelled": .number(.init(summary.cancelled)),
    ]
    facts["problems"] = .array(unsuccessful.prefix(Self.maximumProblemCount).map(json(of:)))
    facts["resume_after"] = report.end?.resumeAfter.map { .string($0.description) }
    notifier.send(event, facts)
  }

  private func event(of status: ExitStatus, after previous: RunResult?) -> Notifier.Event? {
    switch status {
    case .succeeded: (previous?.report.exitCode ?? 0) == 0 ? nil : .recovered
    case .inDoubt: .inDoubt
    case .tryAgainLater where report.end?.resumeAfter != nil: .throttled
    // The person who stopped it knows it.
    case .interrupted: nil
    default: .runFailed
    }
  }

  /// The requests that failed or are in doubt, those with the same failure as one.
  private var unsuccessful: [FailureGroups.Group] {
    report.failureGroups.filter { $0.status == .failed || $0.status == .inDoubt }
  }

  /// The requests with problems and their errors, each once.
  private var problems: Set<[String]> {
    Set(
      unsuccessful.map { group in
        let error = group.failure?.error
        return [
          group.first.facts.name, group.status?.rawValue ?? "",
          "\(error?.code ?? 0)/\(error?.subcode ?? 0)",
        ]
      })
  }

  /// The permissions that have expired, or that the previous run still had.
  private func lostPermissions(since previous: RunResult?) -> [String] {
    report.permissions.filter { reading in
      let old = previous?.report.permissions.first {
        $0.token == reading.token && $0.permission == reading.permission
      }
      guard reading.status != "granted", old?.status != reading.status else { return false }
      return reading.status == "expired" || old?.status == "granted"
    }.map(\.permission)
  }

  private func json(of group: FailureGroups.Group) -> JSON {
    let failure = group.failure
    return [
      "request": .string(group.first.displayName),
      "count": .number(.init(group.count)),
      "status": .string(group.status?.rawValue ?? ""),
      "code": failure?.error.code.map { .number(.init($0)) } ?? .null,
      "subcode": failure?.error.subcode.map { .number(.init($0)) } ?? .null,
      "reason": failure.map { .string($0.reason.rawValue) } ?? .null,
      "message": failure.map {
        .string(String($0.error.message.prefix(Self.maximumMessageLength)))
      } ?? .null,
    ]
  }
}

extension Notifier {
  /// Reports that a run was refused, or could not continue.
  func sendRefusal(of job: RunJob, _ failure: CommandFailure) {
    guard failure.status != .interrupted else { return }
    send(
      failure.status == .inDoubt ? .inDoubt : .runFailed,
      [
        "workflow": .string(job.workflow.name), "file": .string(job.workflow.source.path),
        "exit_code": .number(.init(Int(failure.status.rawValue))),
        "message": .string(failure.message), "hint": failure.hint.map(JSON.string) ?? .null,
      ])
  }
}
