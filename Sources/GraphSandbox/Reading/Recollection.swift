/// What a read came to, and when that is what it would come to again.
///
/// A read is a function of the world, the request, the session and the time. Nothing else is
/// recalled: every operation is checked, charged and logged by itself.
final class Recollection: Sendable {
  /// Kept, so that no other request takes its identity.
  let request: GraphRequest
  /// Its grant is the world's.
  let token: String?
  let changeCount: UInt64
  let now: Int
  /// What the read counts against.
  let charges: [UsageMeter.Charge]
  /// Without what it tells of usage.
  let answer: Answer

  init(
    _ answer: Answer,
    to request: GraphRequest,
    token: String?,
    charges: [UsageMeter.Charge],
    changeCount: UInt64,
    now: Int
  ) {
    self.answer = answer
    self.request = request
    self.token = token
    self.charges = charges
    self.changeCount = changeCount
    self.now = now
  }
}

extension World {
  /// What a read came to when it was last asked for, if nothing has changed since.
  mutating func recall(_ request: GraphRequest, _ session: Session?) -> Recollection? {
    guard request.isKept, faults.lag == nil else { return nil }
    return recollections.find(request.hash) { [changeCount, now] known in
      known.request === request && known.changeCount == changeCount && known.now == now
        && known.token == session?.token
    }
  }

  /// Keeps what a read came to for the next time.
  mutating func remember(
    _ answer: Answer,
    to request: GraphRequest,
    _ session: Session?,
    _ charges: [UsageMeter.Charge]
  ) {
    guard request.isKept, request.isRead, faults.lag == nil else { return }
    let recollection = Recollection(
      answer,
      to: request,
      token: session?.token,
      charges: charges,
      changeCount: changeCount,
      now: now
    )
    recollections.insert(recollection, request.hash)
  }
}

extension GraphRequest {
  /// Whether it changes nothing.
  fileprivate var isRead: Bool { method == .get && !isLogin }

  /// A number that few requests share.
  fileprivate var hash: UInt64 {
    (UInt64(UInt(bitPattern: ObjectIdentifier(self))) &* 0x9E37_79B9_7F4A_7C15) >> 32
  }
}
