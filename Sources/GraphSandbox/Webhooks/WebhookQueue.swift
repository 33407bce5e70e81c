/// The deliveries of a running sandbox: decides what is sent, and when.
///
/// It is no part of the world: a world that is restored does not send again.
struct WebhookQueue: Sendable {
  /// Oldest first.
  private var pending: [WebhookDelivery] = []
  /// The last ones of which no further attempt is made.
  private var finished: [WebhookDelivery] = []
  private var lastNumber = 0

  /// The most deliveries that are pending, and that are listed afterwards.
  private static let limits = (pending: 10_000, finished: 1_000)

  var hasPending: Bool { !pending.isEmpty }

  /// All of them, oldest first.
  var deliveries: [WebhookDelivery] { (finished + pending).sorted { $0.number < $1.number } }

  /// Makes deliveries of changes: one for each callback and type of object.
  mutating func add(_ notices: [WebhookNotice], secret: String, at now: Int) {
    var groups: [[WebhookNotice]] = []
    for notice in notices {
      let index = groups.firstIndex { $0[0].isSent(with: notice) }
      if let index { groups[index].append(notice) } else { groups.append([notice]) }
    }
    for group in groups {
      for start in stride(from: 0, to: group.count, by: WebhookDelivery.changeLimit) {
        lastNumber += 1
        let part = group[start...].prefix(WebhookDelivery.changeLimit)
        pending.append(WebhookDelivery(part, number: lastNumber, secret: secret, at: now))
        if pending.count > Self.limits.pending { drop(at: pending.count - 1) }
      }
    }
  }

  /// Starts the attempts that are due; a callback gets its deliveries one after the other.
  ///
  /// - Returns: them, and when the next one is due.
  mutating func start(at now: Int) -> (due: [WebhookDelivery], next: Int?) {
    var seen: Set<CallbackURL> = []
    var (due, next): ([WebhookDelivery], Int?) = ([], nil)
    for index in pending.indices where seen.insert(pending[index].request.callback).inserted {
      guard case .waiting(let time) = pending[index].state else { continue }
      if time <= now {
        pending[index].start()
        due.append(pending[index])
      } else {
        next = min(next ?? time, time)
      }
    }
    return (due, next)
  }

  /// Whether an attempt is under way or due; deliveries behind one that has failed wait for it.
  func isActive(at now: Int) -> Bool {
    var seen: Set<CallbackURL> = []
    return pending.contains { seen.insert($0.request.callback).inserted && $0.isActive(at: now) }
  }

  /// Records how an attempt has ended.
  mutating func finish(_ number: Int, _ reply: CallbackReply, at now: Int) {
    guard let index = pending.firstIndex(where: { $0.number == number }) else { return }
    pending[index].finish(reply, at: now)
    if !pending[index].isPending { retire(at: index) }
  }

  /// Drops what is pending, because its world is gone.
  mutating func dropPending() { while hasPending { drop(at: 0) } }

  private mutating func drop(at index: Int) {
    pending[index].drop()
    retire(at: index)
  }

  private mutating func retire(at index: Int) {
    finished.append(pending.remove(at: index))
    if finished.count >= 2 * Self.limits.finished { finished.removeFirst(Self.limits.finished) }
  }
}

extension WebhookNotice {
  /// Whether one delivery may hold both.
  fileprivate func isSent(with other: WebhookNotice) -> Bool {
    callback == other.callback && change.object == other.change.object
      && includesValue == other.includesValue && isForwarded == other.isForwarded
  }
}
