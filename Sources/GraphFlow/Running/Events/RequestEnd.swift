/// The final outcome of a request.
///
/// Its values are in a box, because each outcome is copied many times on its way to the journal and the
/// reports.
package struct RequestEnd: Hashable, Sendable {
  private var values: Box<Values>

  private struct Values: Hashable {
    var request: Int
    var item: ItemID?
    var status: RequestStatus
    var code: Int?
    var body: Body?
    var isTainted: Bool
    var resolvedPath: String?
    var countsAsSuccess: Bool
    /// Indirect, because a run makes hundreds of thousands of outcomes without them.
    @Indirect var rareValues: RareValues?
  }

  /// A body, and what is known of its text: no report parses it again, and no mask searches it.
  private struct Body: Hashable {
    let text: [UInt8]
    var depth: Int?
    var mayContainSecret: Bool?

    static func == (one: Body, other: Body) -> Bool { one.text == other.text }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }
  }

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
    body: [UInt8]? = nil, bodyDepth: Int? = nil, mayBodyContainSecret: Bool? = nil,
    isTainted: Bool = false, failure: Failure? = nil,
    skipReason: SkipReason? = nil, skipDetail: String? = nil,
    expectations: [ExpectationResult] = [], resolvedPath: String? = nil,
    countsAsSuccess: Bool = false, madeIDs: [String] = [], note: String? = nil,
    isDecision: Bool = false
  ) {
    let isUsual =
      failure == nil && skipReason == nil && skipDetail == nil && expectations.isEmpty
      && madeIDs.isEmpty && note == nil && !isDecision
    values = Box(
      Values(
        request: request, item: item, status: status, code: code,
        body: body.map {
          Body(text: $0, depth: bodyDepth, mayContainSecret: mayBodyContainSecret)
        }, isTainted: isTainted,
        resolvedPath: resolvedPath, countsAsSuccess: countsAsSuccess,
        rareValues: isUsual
          ? nil
          : RareValues(
            failure: failure, skipReason: skipReason, skipDetail: skipDetail,
            expectations: expectations, madeIDs: madeIDs, note: note, isDecision: isDecision)))
  }

  /// The request's index.
  package var request: Int {
    get { values.value.request }
    set { values = values.changed { $0.request = newValue } }
  }

  /// The item of a member of a group; `nil` outside groups, and if the group never opened an item.
  package var item: ItemID? { values.value.item }
  package var status: RequestStatus { values.value.status }
  /// The last HTTP status of the operation.
  package var code: Int? { values.value.code }

  /// The redacted body, in any encoding; `nil` if there is none or it is not kept.
  package var body: [UInt8]? {
    get { values.value.body?.text }
    set { values = values.changed { $0.body = newValue.map { Body(text: $0) } } }
  }

  /// How deep the body is nested; nil if it is unknown whether it is JSON in one line.
  var bodyDepth: Int? { values.value.body?.depth }

  /// Whether the body may contain a secret's name; nil if that is unknown.
  var mayBodyContainSecret: Bool? { values.value.body?.mayContainSecret }

  /// Whether the body was redacted, so that a resumed run may have to read it again.
  package var isTainted: Bool { values.value.isTainted }
  /// The path that was sent, redacted; `nil` if nothing was.
  package var resolvedPath: String? { values.value.resolvedPath }
  /// Whether the outcome counts as success for the run.
  ///
  /// It does with `on_error: ignore`, if `when` was false, and for dependents of such a request.
  package var countsAsSuccess: Bool { values.value.countsAsSuccess }
  var rareValues: RareValues? { values.value.rareValues }

  /// Replaces values by their redacted forms, as far as there are any.
  mutating func redact(body: [UInt8]?, path: String?, rareValues: RareValues?) {
    self.values = values.changed { values in
      values.body = body.map { Body(text: $0) } ?? values.body
      values.isTainted = values.isTainted || body != nil
      values.resolvedPath = path ?? values.resolvedPath
      values.rareValues = rareValues ?? values.rareValues
    }
  }

  package var failure: Failure? { values.value.$rareValues?.value.failure }
  package var skipReason: SkipReason? { values.value.$rareValues?.value.skipReason }
  /// The cause of the skip, such as the missing permissions, or the request that failed.
  package var skipDetail: String? { values.value.$rareValues?.value.skipDetail }
  /// The verdicts on `expect`, in order.
  package var expectations: [ExpectationResult] {
    values.value.$rareValues?.value.expectations ?? []
  }
  /// The ids of the nodes it made, which confirmation checks for other writes must not claim.
  package var madeIDs: [String] { values.value.$rareValues?.value.madeIDs ?? [] }
  /// A note besides the outcome, such as that a link to the next page repeats.
  package var note: String? { values.value.$rareValues?.value.note }
  /// Whether the outcome is a person's decision about a write in doubt.
  package var isDecision: Bool { values.value.$rareValues?.value.isDecision ?? false }
}
