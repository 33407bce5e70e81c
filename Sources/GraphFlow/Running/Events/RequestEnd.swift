/// The final outcome of a request.
package struct RequestEnd: Hashable, Sendable {
  /// The request's index.
  package var request: Int
  /// The item of a member of a group; `nil` outside groups, and if the group never opened an item.
  package var item: ItemID?
  package var status: RequestStatus
  /// The last HTTP status of the operation.
  package var code: Int?
  /// The redacted body, in any encoding; `nil` if there is none or it is not kept.
  package var body: [UInt8]?
  /// Whether the body was redacted, so that a resumed run may have to read it again.
  package var isTainted: Bool
  /// The path that was sent, redacted; `nil` if nothing was.
  package var resolvedPath: String?
  /// Whether the outcome counts as success for the run.
  ///
  /// It does with `on_error: ignore`, if `when` was false, and for dependents of such a request.
  package var countsAsSuccess: Bool
  /// Indirect, because a run makes hundreds of thousands of outcomes without them.
  @Indirect var rareValues: RareValues?

  /// The values besides the outcome, its body and its path.
  struct RareValues: Hashable, Sendable {
    var failure: Failure?
    var skipReason: SkipReason?
    var skipDetail: String?
    var expectations: [ExpectationResult] = []
    var madeIDs: [String] = []
    var note: String?
    var isDecision = false
  }

  package init(
    request: Int, item: ItemID? = nil, status: RequestStatus, code: Int? = nil,
    body: [UInt8]? = nil, isTainted: Bool = false, failure: Failure? = nil,
    skipReason: SkipReason? = nil, skipDetail: String? = nil,
    expectations: [ExpectationResult] = [], resolvedPath: String? = nil,
    countsAsSuccess: Bool = false, madeIDs: [String] = [], note: String? = nil,
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
    let rareValues = RareValues(
      failure: failure, skipReason: skipReason, skipDetail: skipDetail, expectations: expectations,
      madeIDs: madeIDs, note: note, isDecision: isDecision)
    self.rareValues = rareValues == RareValues() ? nil : rareValues
  }

  package var failure: Failure? { $rareValues?.value.failure }
  package var skipReason: SkipReason? { $rareValues?.value.skipReason }
  /// The cause of the skip, such as the missing permissions, or the request that failed.
  package var skipDetail: String? { $rareValues?.value.skipDetail }
  /// The verdicts on `expect`, in order.
  package var expectations: [ExpectationResult] { $rareValues?.value.expectations ?? [] }
  /// The ids of the nodes it made, which confirmation checks for other writes must not claim.
  package var madeIDs: [String] { $rareValues?.value.madeIDs ?? [] }
  /// A note besides the outcome, such as that a link to the next page repeats.
  package var note: String? { $rareValues?.value.note }
  /// Whether the outcome is a person's decision about a write in doubt.
  package var isDecision: Bool { $rareValues?.value.isDecision ?? false }
}
