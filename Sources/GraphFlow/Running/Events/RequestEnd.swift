/// A request that has reached its final outcome.
public struct RequestEnd: Hashable, Sendable {
  /// The request's index.
  public var request: Int
  /// The item, if the request is a member of a group; `nil` too if the group never came to an item.
  public var item: ItemID?
  /// The outcome.
  public var status: RequestStatus
  /// The last HTTP status of the operation.
  public var code: Int?
  /// The redacted body, whatever its text is; `nil` if there is none or it is not kept.
  public var body: [UInt8]?
  /// Whether redaction took something out of the body, so that a resumed run has to ask again.
  public var isTainted: Bool
  /// The path that was sent, redacted; `nil` if nothing was.
  public var resolvedPath: String?
  /// Whether this outcome counts as success for the run: `when` was false, a dependent of such a
  /// one, or `on_error: ignore`.
  public var isExcused: Bool
  /// What most have not: a run makes hundreds of thousands of these.
  @Rare private var particulars: Particulars?

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
  public init(
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
    isExcused: Bool = false,
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
    self.isExcused = isExcused
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
  public var failure: Failure? { $particulars?.value.failure }
  /// Why it was skipped.
  public var skipReason: SkipReason? { $particulars?.value.skipReason }
  /// What was missing: the permissions, the request that failed.
  public var skipDetail: String? { $particulars?.value.skipDetail }
  /// The verdicts on `expect`, in order.
  public var expectations: [ExpectationResult] { $particulars?.value.expectations ?? [] }
  /// The ids of what it made, where looks for other writes must not take it for theirs.
  public var madeIDs: [String] { $particulars?.value.madeIDs ?? [] }
  /// What is told besides the outcome: that a link to the next page repeats.
  public var note: String? { $particulars?.value.note }
  /// Whether a person has found this out about a write in doubt.
  public var isDecision: Bool { $particulars?.value.isDecision ?? false }
}
