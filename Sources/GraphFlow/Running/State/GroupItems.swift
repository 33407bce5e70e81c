import GraphAPI
import JSONPath

/// The items of all groups: those that are open, those that follow, and what a journal says of them.
struct GroupItems: Sendable {
  private let facts: RunFacts
  private var groups: [GroupRun]
  /// What the journal of an interrupted run holds about instances.
  var recorded = RecordedItems()
  /// Whether the run was interrupted, and continues.
  private(set) var isResumed = false
  /// Whether the items of the only group are opened in steps: its calls are the same then.
  let opensInSteps: Bool

  init(of facts: RunFacts) {
    self.facts = facts
    opensInSteps = facts.allowsSteps
    groups = facts.workflow.groups.map { _ in GroupRun() }
  }

  mutating func resume(from recorded: RecordedItems) {
    let inherited = self.recorded
    self.recorded = recorded
    self.recorded.inherit(from: inherited)
    isResumed = true
  }

  subscript(group: Int) -> GroupRun {
    @inline(__always) _read { yield groups[group] }
    @inline(__always) _modify { yield &groups[group] }
  }

  var indices: Range<Int> { groups.indices }

  /// The number of open items of each group.
  var openCounts: some Collection<Int> { groups.lazy.map(\.open.count) }

  /// Whether items of any group are still to be opened, as far as is known.
  var haveMore: Bool { groups.contains(where: \.hasMore) }

  /// The number of instances whose items were not opened yet; nil as long as a file was not read
  /// completely.
  var unopenedInstances: Int? {
    var count = 0
    for (group, run) in zip(facts.workflow.groups, groups) where run.hasMore {
      guard run.supply == .buffer else { return nil }
      count += run.buffer.count * group.members.count
    }
    return count
  }

  /// The groups with items that wait for room.
  var groupsWithMoreItems: Set<Int> {
    Set(groups.indices.filter { !groups[$0].isFinished && !groups[$0].buffer.isEmpty })
  }

  var groupsAtFailureLimit: Int { groups.count(where: \.hasReachedFailureLimit) }

  /// The item of an instance; nil outside groups, and if the item is not open.
  func item(of instance: Int) -> Item? {
    guard let group = facts.graph.group(of: instance) else { return nil }
    return groups[group].open[facts.graph.item(of: instance)]?.item
  }

  /// Whether an instance exists; an instance of a group exists only while its item is open.
  func isOpen(_ instance: Int) -> Bool {
    guard let group = facts.graph.group(of: instance) else { return true }
    return groups[group].open[facts.graph.item(of: instance)] != nil
  }

  /// The item of an instance as events identify it.
  func itemID(of instance: Int) -> ItemID? {
    item(of: instance).map { ItemID(index: $0.index, key: $0.key) }
  }

  /// The request of an instance, if it was bound when its item was read.
  func preparedRequest(of instance: Int) -> BoundRequest? {
    guard let index = facts.graph.group(of: instance),
      let item = groups[index].open[facts.graph.item(of: instance)], !item.bound.isEmpty,
      let place = facts.workflow.groups[index].members.firstIndex(
        of: facts.graph.request(of: instance))
    else { return nil }
    return item.bound[place]
  }

  /// Prepares the items of a group before they are opened.
  func preparation(ofGroup index: Int) -> ItemPreparation {
    ItemPreparation(
      of: index, in: facts.workflow, inputs: facts.inputs, run: facts.identity, facts.graph,
      shard: facts.options.shard)
  }

  /// Takes the items of a list.
  ///
  /// - Returns: The keys of a list without keys, if the journal does not hold them yet.
  mutating func take(_ values: [JSON], of index: Int) -> ItemList? {
    let group = facts.workflow.groups[index]
    let preparation = preparation(ofGroup: index)
    var items = values.enumerated().compactMap { preparation.item($1, at: $0) }
    var news: ItemList?
    if group.key == nil, let first = group.members.first {
      // The file may have changed, and another member may be the first one now.
      let known = group.members.compactMap { recorded.lists[$0] }.first
      var list = ItemList(request: first, digests: known?.digests ?? [])
      guard let keys = list.keys(of: values) else {
        groups[index].receive([], isLast: true, failure: .changedItems)
        return nil
      }
      if list != known { news = list }
      for place in items.indices { items[place].place = keys[items[place].index] }
    }
    groups[index].receive(items, isLast: true)
    return news
  }

  /// Opens a group's next item.
  ///
  /// - Returns: Its position, and why nothing is sent for it, if its key cannot be used.
  mutating func open(
    _ prepared: PreparedItem, of index: Int, masking mask: SecretMask
  ) -> (position: Int, failure: Failure?) {
    let position = prepared.index
    var key: String?
    var failure: Failure?
    do throws(Failure) {
      if let own = try prepared.key?.get() {
        if own.isEmpty, let template = facts.workflow.groups[index].key {
          throw .emptyKey(template)
        }
        // Keys are written to journal and report, and a resumed run matches its items by them.
        guard mask.redacted(own) == nil else { throw .secretKey }
        if case .values = facts.workflow.groups[index].source, !groups[index].addKey(own) {
          throw .duplicateKey(own)
        }
        key = own
      } else {
        key = String(prepared.place ?? position)
      }
    } catch {
      failure = error
    }
    let item = Item(
      group: index, index: position, key: key ?? ItemID.unkeyed(at: position).key,
      value: prepared.value, isFromAnswer: facts.workflow.groups[index].source.reference != nil)
    groups[index].open(
      item, bound: prepared.bound, memberCount: facts.workflow.groups[index].members.count)
    return (position, failure)
  }

  /// Whether a GET has to be sent again, because its body is still needed, and held a secret or is
  /// kept out of the journal.
  ///
  /// The journal holds such a body only in part, or not at all. It is needed by requests that have
  /// not finished, or that have to be sent again for the same reason. The recursion follows chains of
  /// such GETs. Outputs show a body with `***` in place of secrets, but they need all of it.
  func mustBeReadAgain(_ request: Int, _ item: ItemID?, _ end: RequestEnd) -> Bool {
    let keys = facts.workflow.requests[request]
    let isOmitted = keys.omitsResponse && end.status == .succeeded && end.body == nil
    guard keys.method == .get, end.isTainted || isOmitted else { return false }
    return isOmitted && facts.isInOutput[request] || isStillNeeded(request, item)
  }

  private func isStillNeeded(_ request: Int, _ item: ItemID?) -> Bool {
    facts.graph.requests.successors(of: request).contains { successor in
      let follower = facts.workflow.requests[successor.request]
      let isSameItem = follower.group == facts.workflow.requests[request].group
      // A body that a group needs is needed as long as the group may get another item.
      guard isSameItem || follower.group == nil else { return true }
      let followerItem = follower.group == nil ? nil : item
      let id = InstanceID(request: successor.request, item: followerItem)
      if facts.isElsewhere[successor.request], !recorded.contains(id) { return false }
      let entry = recorded[id]
      guard entry.isFinal, let end = entry.end else { return true }
      return mustBeReadAgain(successor.request, followerItem, end)
    }
  }
}

extension RunFacts {
  /// Whether nothing needs more operations than a step to fill its batches.
  ///
  /// Permissions and confirmation checks are read for many items at once.
  fileprivate var allowsSteps: Bool {
    guard workflow.groups.count == 1, workflow.groups[0].members.count == 1,
      workflow.requests.count <= ItemWindow.step, !canConfirm,
      options.limits.strategy == .fewestCalls
    else { return false }
    return workflow.requests.allSatisfy { request in
      request.permissions.isEmpty
        && (options.limits.unsafeWrites >= options.limits.width || !request.isUnconfirmable)
    }
  }
}
