/// What a read came to, and when that is what it would come to again.
///
/// A read is a function of the world, the request, the session and the time. Nothing else is
/// recalled: every operation is charged and logged by itself.
final class Recollection: Sendable {
  /// Kept, so that no other request takes its identity.
  fileprivate let request: GraphRequest
  fileprivate let session: Session?
  fileprivate let changeCount: UInt64
  fileprivate let now: Int
  /// What the read counts against.
  let charges: UsageMeter.Charges
  /// Without what it tells of usage.
  let answer: Answer
  /// The answer as an item of a batch.
  let item: ItemText
  /// What the log says of it.
  let result: OperationResult

  fileprivate init(
    _ answer: Answer,
    to request: GraphRequest,
    _ session: Session?,
    charges: UsageMeter.Charges,
    changeCount: UInt64,
    now: Int
  ) {
    self.answer = answer
    self.request = request
    self.session = session
    self.charges = charges
    self.changeCount = changeCount
    self.now = now
    item = ItemText(answer)
    result = OperationResult(
      World.Execution(answer: answer, isApplied: answer.hasSucceeded),
      resolvedURL: nil
    )
  }

  /// A token's grant is the world's, so that its text is enough.
  fileprivate func isFor(_ other: Session?) -> Bool {
    session === other || session?.token == other?.token
  }
}

extension World {
  /// What a read came to when it was last asked for, if nothing has changed since.
  mutating func recall(_ request: GraphRequest, _ session: Session?) -> Recollection? {
    guard request.isKept, faults.lag == nil else { return nil }
    return recollections.find(request.hash) { [changeCount, now] known in
      known.request === request && known.changeCount == changeCount && known.now == now
        && known.isFor(session)
    }
  }

  /// Charges a read of which nothing but its recollection is needed; nil if more has to be done.
  mutating func retell(_ request: GraphRequest, to caller: Caller) -> Recollection? {
    guard faults.course.isEmpty, let known = recall(request, caller.session),
      known.answer.etag != nil || !(caller.showsHeaders && request.wantsHeaders),
      meter.countsUnblocked(known.charges, request.cost, at: now)
    else { return nil }
    return known
  }

  /// Keeps what a read came to for the next time.
  mutating func remember(
    _ answer: Answer,
    to request: GraphRequest,
    _ session: Session?,
    _ charges: UsageMeter.Charges
  ) {
    guard request.isKept, request.isRead, faults.lag == nil else { return }
    let recollection = Recollection(
      answer,
      to: request,
      session,
      charges: charges,
      changeCount: changeCount,
      now: now
    )
    recollections.insert(recollection, request.hash)
  }
}

extension GraphRequest {
  /// Whether it changes nothing.
  var isRead: Bool { method == .get && !isLogin }

  /// A number that few requests share.
  fileprivate var hash: UInt64 {
    (UInt64(UInt(bitPattern: ObjectIdentifier(self))) &* 0x9E37_79B9_7F4A_7C15) >> 32
  }
}
