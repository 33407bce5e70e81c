/// Limits how many instances of items are open at a time: read, but not completed.
///
/// So the memory of plans and runs does not grow with the number of items.
enum ItemWindow {
  /// Room for forty full batches.
  static let limit = 2000
  /// How far the limit may be exceeded to fill batches.
  private static let ceiling = 5000

  /// Whether a group may open one more item.
  ///
  /// If an item takes several calls, the last items are opened together with the items before them.
  /// Otherwise their calls would be nearly empty.
  ///
  /// - Parameters:
  ///   - own: the group's open items. A group may always fill one batch, because another group that
  ///     waits for it must not keep it from starting.
  ///   - others: the open instances of the other groups.
  ///   - members: the number of the group's members.
  ///   - left: the number of items that are not open yet, if an item takes several calls; nil if it
  ///     does not, or if the number is unknown.
  /// - Returns: whether it may.
  static func hasRoom(own: Int, others: Int, members: Int, left: Int?) -> Bool {
    let most = itemLimit(members: members)
    if own * members < BatchLimits.widest || own * members + others < most * members { return true }
    let last = lastItems(members: members)
    guard let left, left <= last else { return false }
    return (own + left) * members + others <= (most + last) * members
  }

  /// How many of the last items may be opened beyond the limit: half of it.
  static func lastItems(members: Int) -> Int {
    let most = itemLimit(members: members)
    return (most + most / 2) * members <= ceiling ? most / 2 : 0
  }

  /// How many items may be open: enough to reach the limit of instances, if possible rounded up to a
  /// multiple of the batch width, so that the instances of one member fill their batches.
  private static func itemLimit(members: Int) -> Int {
    let least = limit / max(members, 1) + (limit % max(members, 1) == 0 ? 0 : 1)
    let remainder = least % BatchLimits.widest
    let filling = remainder == 0 ? least : least + BatchLimits.widest - remainder
    return filling * members <= ceiling ? filling : least
  }
}

extension BatchLimits {
  /// The greatest width of a batch.
  fileprivate static let widest = BatchLimits().width
}
