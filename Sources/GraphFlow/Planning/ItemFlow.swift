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

    /// Whether one more item may be opened.
    ///
    /// - Parameters:
    ///   - open: the group's open items.
    ///   - left: the number of items that are not open yet; nil if unknown.
    /// - Returns: whether it may.
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
