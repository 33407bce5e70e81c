/// How many instances of items are open at a time: read, but not over.
///
/// So neither a plan nor a run takes memory in proportion to the number of items.
enum ItemWindow {
  /// Room for forty full batches.
  static let limit = 2000
  /// How far the limit may be passed so that batches are filled.
  private static let ceiling = 5000

  /// Whether a group may open one more item.
  ///
  /// Where an item takes several calls, the last items are opened with those before them: alone they
  /// would go through their calls with nothing to fill these.
  ///
  /// - Parameters:
  ///   - own: the group's items that are open. One batch of its own is always granted: another
  ///     group, which waits for this one, must not keep it from beginning.
  ///   - others: the open instances of the other groups.
  ///   - members: the number of the group's members.
  ///   - left: how many items are not open yet, if an item takes several calls and they are not
  ///     more than ``lastItems(members:)``.
  /// - Returns: whether it may.
  static func hasRoom(own: Int, others: Int, members: Int, left: Int?) -> Bool {
    let most = itemLimit(members: members)
    if own * members < BatchLimits.widest || own * members + others < most * members { return true }
    let last = lastItems(members: members)
    guard let left, left <= last else { return false }
    return (own + left) * members + others <= (most + last) * members
  }

  /// How many items are opened beyond the limit, if they are the last: half of it.
  static func lastItems(members: Int) -> Int {
    let most = itemLimit(members: members)
    return (most + most / 2) * members <= ceiling ? most / 2 : 0
  }

  /// How many items may be open: as many as hold the limit of instances, and if possible a multiple
  /// of the width, so that one member's instances of all of them fill their batches.
  private static func itemLimit(members: Int) -> Int {
    let least = limit / max(members, 1) + (limit % max(members, 1) == 0 ? 0 : 1)
    let remainder = least % BatchLimits.widest
    let filling = remainder == 0 ? least : least + BatchLimits.widest - remainder
    return filling * members <= ceiling ? filling : least
  }
}

extension BatchLimits {
  /// The widest batch that there is.
  fileprivate static let widest = BatchLimits().width
}
