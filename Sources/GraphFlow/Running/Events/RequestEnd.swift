/// A request that has reached its final outcome.
package struct RequestEnd: Hashable, Sendable {
  /// The request's index.
  package var request: Int
  /// The item, if the request is a member of a group; `nil` too if the group never came to an item.
  package var item: ItemID?
  /// The outcome.
  package var status: RequestStatus
  /// The last HTTP status of the operation.
  package var code: Int?
  /// The redacted body, whatever its text is; `nil` if there is none or it is not kept.
  package var body: [UInt8]?
  /// Whether redaction took something out of the body, so that a resumed run has to ask again.
  package var isTainted: Bool
  /// The path that was sent, redacted; `nil` if nothing was.
  package var resolvedPath: String?
  /// Whether this outcome counts as success for the run: `when` was false, a dependent of such a
  /// one, or `on_error: ignore`.
  package var countsAsSuccess: Bool
  /// What most have not: a run makes hundreds of thousands of these.
  @Indirect private var particulars: Particulars?

  private struct Particulars: Hashable, Sendable {
    var failure: Failure?
    var skipReason: SkipReason?
    var skipDetail: String?
    var expectations: [ExpectationResult] = []
    var madeIDs: [String] = []
    var note: String?
    var isDecision = false
  }

  /// Describes how a request ended.
  package init(
    request: Int,
    item: ItemID? = nil,
    status: RequestStatus,
    code: Int? = nil,
    body: [UInt8]? = nil,
    isTainted: Bool = false,
    failure: Failure? = nil,
    skipReason: SkipReason? = nil,
    skipDetail: String? = nil,
    expectations: [ExpectationResult] = [],
    resolvedPath: String? = nil,
    countsAsSuccess: Bool = false,
    madeIDs: [String] = [],
    note: String? = nil,
    isDecision: Bool = false
  ) {
    self.request = request
    self.item = item
    self.status = status
    self.code = code
    self.body = body
    self.isTainted = isTainted
    self.resolvedPath = resolvedPath
    self.countsAsSuccess = countsAsSuccess
    let particulars = Particulars(
      failure: failure,
      skipReason: skipReason,
      skipDetail: skipDetail,
      expectations: expectations,
      madeIDs: madeIDs,
      note: note,
      isDecision: isDecision
    )
    self.particulars = particulars == Particulars() ? nil : particulars
  }

  /// Whether there is anything but the outcome, its body and its path.
  var hasParticulars: Bool { $particulars != nil }

  /// Why it failed or is in doubt.
  package var failure: Failure? { $particulars?.value.failure }
  /// Why it was skipped.
  package var skipReason: SkipReason? { $particulars?.value.skipReason }
  /// What was missing: the permissions, the request that failed.
  package var skipDetail: String? { $particulars?.value.skipDetail }
  /// The verdicts on `expect`, in order.
  package var expectations: [ExpectationResult] { $particulars?.value.expectations ?? [] }
  /// The ids of what it made, where looks for other writes must not take it for theirs.
  package var madeIDs: [String] { $particulars?.value.madeIDs ?? [] }
  /// What is told besides the outcome: that a link to the next page repeats.
  package var note: String? { $particulars?.value.note }
  /// Whether a person has found this out about a write in doubt.
  package var isDecision: Bool { $particulars?.value.isDecision ?? false }
}
