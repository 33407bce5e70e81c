import GraphAPI

/// What a call may still carry: in all, and of each lane.
struct CallRoom: Sendable {
  /// The most operations that Graph counts a batch as: 50, each with 50 ids.
  static let largest = 2500

  /// How many operations it may carry in all.
  let operations: Int
  private var own: [Lane: Allowance]
  /// The limits of each lane; lanes share that of their token, and others.
  private let limits: [Lane: Set<Fingerprint>]
  /// How many operations a limit has room for.
  private var left: [Fingerprint: Int]
  /// The lanes with an operation in the call.
  private var begun: Set<Lane> = []
  /// The allowance of a lane with too little room for an operation that Graph counts as several; nil
  /// if one such operation may exceed it.
  private let shortage: Allowance?

  init(operations: Int, own: [Lane: Allowance], of room: Pacer.Room, shortage: Allowance?) {
    (self.operations, self.own, self.shortage) = (operations, own, shortage)
    (limits, left) = (room.limits, room.left)
  }

  /// Whether every lane has room for the largest batch.
  var isAmple: Bool {
    own.values.allSatisfy { if case .operations(Self.largest...) = $0 { true } else { false } }
  }

  /// Takes the room for an operation that Graph counts as `size`.
  ///
  /// - Returns: Why the operation has to wait; nil if it need not.
  mutating func take(_ size: Int, of lane: Lane?) -> Allowance? {
    guard let lane, let allowance = own[lane] else { return nil }
    guard case .operations(let own) = allowance else { return allowance }
    let limits = limits[lane] ?? []
    let count = limits.reduce(own) { min($0, left[$1] ?? $0) }
    let isFirst = !begun.contains(lane)
    guard size <= count || isFirst && count > 0 && shortage == nil else {
      return isFirst ? shortage ?? .afterAnswer : .afterAnswer
    }
    begun.insert(lane)
    self.own[lane] = .operations(max(0, own - size))
    for limit in limits { left[limit]? -= size }
    return nil
  }
}
