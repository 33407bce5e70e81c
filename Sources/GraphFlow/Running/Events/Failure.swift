package import GraphAPI
import JSONPath

/// Why something did not succeed: the error and its classification.
package struct Failure: Error, Hashable, Sendable {
  /// For an error of GraphFlow it has only a message.
  package var error: GraphError { details.value.error }
  /// How the run reacts to the error.
  package var category: ErrorCategory
  package var reason: FailureReason
  /// What a person can do about it.
  package var hint: String {
    get { details.value.hint }
    set { details = details.changed { $0.hint = newValue } }
  }
  /// The whole answer to the request, JSON or not; nil if there was none, or if the call failed as a
  /// whole.
  var answer: String? {
    get { details.value.answer }
    set { if newValue != answer { details = details.changed { $0.answer = newValue } } }
  }
  /// What could not be read, if the rest was: a list of maps by the words of `split`.
  var missing: JSON? { details.value.missing }
  /// In a box: many values have room for a failure, and few have one.
  private var details: Box<Details>

  private struct Details: Hashable {
    let error: GraphError
    var hint: String
    var answer: String?
    let missing: JSON?
  }

  init(
    error: GraphError, category: ErrorCategory, reason: FailureReason, hint: String,
    answer: String? = nil, missing: JSON? = nil
  ) {
    self.category = category
    self.reason = reason
    details = Box(Details(error: error, hint: hint, answer: answer, missing: missing))
  }

  /// Combines an error and its classification.
  ///
  /// If the error names missing permissions, the hint ends with the command that asks for them.
  init(_ error: GraphError, _ classification: Classification) {
    var hint = classification.hint
    if classification.reason == .permission {
      let denied = error.deniedPermissions.filter { $0.utf8.allSatisfy(WorkflowName.isPart) }
      if !denied.isEmpty { hint += " To ask for it: \(PermissionRequest.command(denied))" }
    }
    self.init(
      error: error, category: classification.category, reason: classification.reason, hint: hint)
  }

  /// A failure that GraphFlow itself has found.
  init(
    _ message: String, _ reason: FailureReason, category: ErrorCategory = .other, hint: String
  ) {
    self.init(
      error: GraphError(message: message), category: category, reason: reason, hint: hint)
  }

  /// The failure with a remark added to its hint.
  func adding(_ remark: String) -> Failure {
    var failure = self
    failure.hint = hint.isEmpty ? remark : "\(hint) (\(remark))"
    return failure
  }
}

// MARK: - Writes in doubt

extension Failure {
  /// What to do about a write that may have taken effect; it never suggests sending it again.
  static let doubtHint =
    "it may have taken effect: check on Facebook first; then graphflow resume RUN with "
    + "--applied NAME=ID or --not-applied NAME"

  /// What to do about a write refused as a duplicate after an attempt that may have taken effect.
  static let repetitionHint =
    "Graph refused it as a duplicate, so an earlier attempt has probably taken effect; "
    + doubtHint

  /// The hint for a write that no check found, and that is not sent again.
  static let notFoundHint =
    "it did not happen: `confirm` searched for it and found nothing; graphflow resume RUN sends it "
    + "again"

  static let unreadableCheck = Failure(
    "the answer is neither an object nor a list", .unknown,
    hint: "inspect the edge of `confirm` with graphflow get")

  static let cutOffCheck = Failure(
    "the link to the next page cannot be followed", .server,
    hint: "inspect the edge of `confirm` with graphflow get")

  /// Why it is unknown whether a write was sent at all.
  static let lost = Failure(
    "the end of the journal is lost: this write may have been sent", .unknown, hint: doubtHint)

  static let interrupted = Failure(
    "the run was interrupted while this write was under way", .unknown, hint: doubtHint)

  /// Why a write that was in doubt is still to be sent.
  static let notApplied = Failure(
    "a person has stated that it did not take effect", .cancelled,
    hint: "graphflow resume RUN sends it")
}

// MARK: - Requests that were not sent

extension Failure {
  /// Why a resumed run sends nothing for the items of a changed list.
  static let changedItems = Failure(
    "its list of items has changed", .parameter,
    hint:
      "without a key it is unknown which of its items were sent: check what is missing, and send "
      + "that with a new run; give the for_each a key")

  /// Why a resumed run does not send the request of an item.
  static let missingItem = Failure(
    "its item is no longer in the source", .cancelled,
    hint: "it was not sent; put the item back, and graphflow resume RUN sends it")

  /// Why a write beyond the limit of writes was not sent.
  static let writeLimit = Failure(
    "the run has sent as many writes as it may (max_writes)", .writeLimit,
    hint: "it was not sent; graphflow resume RUN --max-writes N sends it, if N is more in all")

  /// Why a preview does not send something.
  static let onlyShown = Failure(
    "a preview sends no writes", .cancelled, hint: "run the workflow without --preview")

  /// Why a write was not sent after a preview.
  static let notApproved = Failure(
    "it is not one of the writes that the preview showed", .notApproved,
    hint: "a value has changed since; it was not sent: run the workflow again with --preview")

  private static let tokenHint = "set GRAPHFLOW_ACCESS_TOKEN or configure the profile"

  static func missingToken(_ profile: String) -> Failure {
    Failure(
      "the profile '\(profile)' has no token", .token, category: .recoverable,
      hint: tokenHint)
  }

  /// Why a request without a problem of its own was never sent: a limit or a signal ended the run.
  static func unsent(cause: QuotaPause.Cause?, isStopped: Bool) -> Failure {
    let message =
      switch cause {
      case _ where isStopped: "the run was stopped"
      case .budget: "the budget is used up"
      case .deadline: "the deadline has passed"
      case .throttled: "Graph has refused more calls"
      case .usage: "most of one of Graph's limits is used up"
      case .outage: "Graph does not answer"
      case nil: "the run has ended"
      }
    return Failure(message, .cancelled, hint: "it was not sent; graphflow resume RUN sends it")
  }
}

// MARK: - Answers that cannot be used

extension Failure {
  package static let noPage = Failure(
    "the answer is not a page: it has no list `data`", .parameter,
    hint: "`paginate` is for edges such as me/feed; remove it for single objects")

  package static let brokenLink = Failure(
    "the link `paging.next` to the next page cannot be followed", .server,
    hint: "the pages that were read are incomplete; run it again, or limit it with `max_pages`")

  static func polledFailure(_ check: String) -> Failure {
    Failure(
      "`\(check)` holds, so the polling has failed", .expectation,
      hint: "see the last answer in the report")
  }

  static func pollLimitReached(_ check: String) -> Failure {
    Failure(
      "`\(check)` did not hold in time", .timeout,
      hint: "increase `within`, or see the last answer in the report")
  }

  /// Why a report has no rows: its run ended, and Graph gave no reason.
  static func reportRunEnded(_ status: String) -> Failure {
    let isSkipped = status == "Job Skipped"
    return Failure(
      "the run of the report has ended as \"\(status)\"", .server,
      category: isSkipped ? .transient : .other,
      hint: isSkipped
        ? "Graph did not make the report in time; it has to be requested again"
        : "Graph gave no reason: ask for less, such as a shorter time or fewer breakdowns")
  }

  static let reportLimitReached = Failure(
    "the run of the report was not complete in time", .timeout,
    hint: "graphflow resume RUN polls the same run again; increase `within`")

  static let noReach = Failure(
    "Graph left `reach` out of the rows: the ad account has used up its reports of the day with the "
      + "reach of long ago by breakdowns", .throttled,
    hint: "graphflow resume RUN tomorrow; or ask for `reach` of the last 13 months, or without "
      + "`breakdowns`")

  static let noReportRun = Failure(
    "the answer has no `report_run_id`, so no report was started", .parameter,
    hint: "`report` is for insights of ad accounts, campaigns, ad sets and ads")

  static let noCheck = Failure(
    "the request has no `confirm`", .unknown,
    hint: "add a `confirm` that finds the write")

  static func noToken(_ problem: String) -> Failure {
    Failure(
      problem, .token,
      hint: tokenHint)
  }
}
