import GraphAPI

/// Limits how many instances of items are open at a time: read, but not completed.
///
/// So the memory of plans and runs does not grow with the number of items.
enum ItemWindow {
  /// Room for forty full batches.
  static let limit = 2000
  /// How many items a run opens at a time whose only request needs no more than a place in a batch.
  ///
  /// They fill two batches, and are opened just before they are sent: the processor's cache holds what
  /// the operations under way and these need, but not a whole window.
  static let step = 2 * BatchRequest.maximumOperations
  /// How many of such items are read at a time: more than the few that are sent at once.
  static let chunk = 4 * step
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
    if own * members < BatchRequest.maximumOperations { return true }
    if own * members + others < most * members { return true }
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
    let width = BatchRequest.maximumOperations
    let least = (limit + max(members, 1) - 1) / max(members, 1)
    let filling = (least + width - 1) / width * width
    return filling * members <= ceiling ? filling : least
  }
}

/// Decides which groups may open more items, for plans and runs alike.
///
/// It is created again each time that items are opened, because it depends on what is settled.
struct ItemFlow {
  /// The room of one group, while the open items of the others do not change.
  struct Room {
    fileprivate let members: Int
    /// The open instances of the other groups that count against it.
    fileprivate let others: Int
    fileprivate let takesSeveralCalls: Bool

    /// Whether one more item may be opened; `left` items are not open yet, or an unknown number.
    func hasPlace(open: Int, left: Int?) -> Bool {
      ItemWindow.hasRoom(
        own: open, others: others, members: members, left: takesSeveralCalls ? left : nil)
    }
  }

  private let groups: [(members: Int, isBlocked: Bool, takesSeveralCalls: Bool)]

  init(through groups: [Workflow.Group], of packer: Packer) {
    self.groups = groups.indices.map { index in
      let members = groups[index].members
      return (
        members.count, packer.isBlocked(index, members: members),
        packer.takesSeveralCalls(index, members: members)
      )
    }
  }

  /// The room of a group, given the number of open items of each group.
  func room(for index: Int, open: some Collection<Int>) -> Room {
    let own = groups[index]
    var others = 0
    for (other, (group, count)) in zip(groups, open).enumerated() where other != index {
      // Items that cannot be sent take no room from items that can.
      if own.isBlocked || !group.isBlocked { others += count * group.members }
    }
    return Room(members: own.members, others: others, takesSeveralCalls: own.takesSeveralCalls)
  }
}
