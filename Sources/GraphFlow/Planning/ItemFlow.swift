/// Which groups have room for more items: asked by plan and run alike, so that they open the same.
///
/// Made anew each time that items are opened, from what is settled by then.
struct ItemFlow {
  /// The room of one group, while the items of the others stay as they are.
  struct Room {
    fileprivate let members: Int
    /// The open instances of the other groups that count against it.
    fileprivate let others: Int
    fileprivate let takesSeveralCalls: Bool

    /// Whether one more item may be opened, with so many open and so many left; nil if nobody knows
    /// how many are left.
    func hasPlace(open: Int, left: Int?) -> Bool {
      ItemWindow.hasRoom(
        own: open,
        others: others,
        members: members,
        left: takesSeveralCalls ? left : nil
      )
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

  /// The room of a group, with so many items of each group open.
  func room(for index: Int, open: some Collection<Int>) -> Room {
    let own = groups[index]
    var others = 0
    for (other, (group, count)) in zip(groups, open).enumerated() where other != index {
      // What cannot be sent takes no room from what can.
      if own.isBlocked || !group.isBlocked { others += count * group.members }
    }
    return Room(
      members: own.members,
      others: others,
      takesSeveralCalls: own.takesSeveralCalls
    )
  }
}
