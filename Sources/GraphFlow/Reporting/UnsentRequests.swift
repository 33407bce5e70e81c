internal import GraphAPI

/// Requests that were not sent for one and the same reason, often thousands: the first few of a kind
/// are shown, and the others counted.
struct UnsentRequests: Hashable, Sendable {
  /// How many of each kind are shown.
  static let shown = 5
  /// How many kinds are told apart; of others all are shown.
  private static let largestKindCount = 1000

  /// What makes two of them alike.
  private struct Kind: Hashable {
    let status: RequestStatus
    let skipReason: SkipReason?
    /// Why the run ended before it could be sent, or why it never could; what one came to on its way
    /// makes no kind.
    let message: String?

    init?(_ end: RequestEnd) {
      let reason = end.failure?.reason
      switch end.status {
      case .skipped, .cancelled:
        message = reason == .cancelled ? end.failure?.error.message : nil
      case .failed where reason == .token || reason == .unresolvedReference:
        message = end.failure?.error.message
      case .succeeded, .failed, .inDoubt: return nil
      }
      status = end.status
      skipReason = end.skipReason
    }

    /// `cancelled: the budget is used up`, `skipped (dependency)`.
    var words: String {
      status.words + (skipReason.map { " (\($0.rawValue))" } ?? "")
        + (message.map { ": " + UntrustedText.safe($0) } ?? "")
    }
  }

  private var admitted: [Kind: Int] = [:]
  private var hidden: [Kind: Int] = [:]
  /// The kinds in the order in which one was first hidden.
  private var order: [Kind] = []

  /// Counts an outcome; whether it is to be shown.
  mutating func admits(_ end: RequestEnd?) -> Bool {
    guard let end, let kind = Kind(end) else { return true }
    let count = admitted[kind] ?? 0
    guard count >= UnsentRequests.shown else {
      if count > 0 || admitted.count < UnsentRequests.largestKindCount { admitted[kind] = count + 1 }
      return true
    }
    hide(kind, 1)
    return false
  }

  /// Counts what another one has hidden.
  mutating func hide(_ other: UnsentRequests) {
    for kind in other.order { hide(kind, other.hidden[kind] ?? 0) }
  }

  private mutating func hide(_ kind: Kind, _ count: Int) {
    if hidden[kind] == nil { order.append(kind) }
    hidden[kind, default: 0] += count
  }

  /// A line for each kind of which some are not shown.
  var lines: [String] { order.map { "and \(hidden[$0] ?? 0) more \($0.words)" } }
}
