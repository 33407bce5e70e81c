internal import GraphAPI

/// Limits output about requests that were not sent, often thousands for the same reason: the first few of
/// each kind are shown, and the others counted.
struct UnsentRequests: Hashable, Sendable {
  static let shown = 5
  /// The most kinds that are counted; requests of other kinds are all shown.
  private static let largestKindCount = 1000

  /// Requests of the same kind have the same reason.
  private struct Kind: Hashable {
    let status: RequestStatus
    let skipReason: SkipReason?
    /// Nil for reasons that differ from request to request.
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
    var displayText: String {
      status.displayText + (skipReason.map { " (\($0.rawValue))" } ?? "")
        + (message.map { ": " + UntrustedText.safe($0) } ?? "")
    }
  }

  private var admitted: [Kind: Int] = [:]
  private var hidden: [Kind: Int] = [:]
  /// The kinds, in the order of their first hidden requests.
  private var order: [Kind] = []

  /// Counts an outcome; returns whether it is shown.
  mutating func admits(_ end: RequestEnd?) -> Bool {
    guard let end, let kind = Kind(end) else { return true }
    let count = admitted[kind] ?? 0
    guard count >= UnsentRequests.shown else {
      if count > 0 || admitted.count < UnsentRequests.largestKindCount {
        admitted[kind] = count + 1
      }
      return true
    }
    hide(kind, 1)
    return false
  }

  /// Adds the hidden requests of another value.
  mutating func hide(_ other: UnsentRequests) {
    for kind in other.order { hide(kind, other.hidden[kind] ?? 0) }
  }

  private mutating func hide(_ kind: Kind, _ count: Int) {
    if hidden[kind] == nil { order.append(kind) }
    hidden[kind, default: 0] += count
  }

  var lines: [String] { order.map { "and \(hidden[$0] ?? 0) more \($0.displayText)" } }
}
