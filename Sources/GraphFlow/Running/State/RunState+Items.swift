import GraphAPI
import JSONPath

/// Opens and closes the items of groups, a window at a time.
extension RunState {
  /// The next read of a file of items, if one has to precede the packing of the round.
  ///
  /// Items are read even without room for them: the packing depends on whether more items follow,
  /// and on the number of the last ones.
  var itemsToRead: Action? {
    for index in groups.indices where needsItems(index) {
      guard case .file(let path) = groups[index].supply else { continue }
      return .readItems(group: index, path: path, atMost: ItemWindow.limit)
    }
    return nil
  }

  /// Whether more of a group's items have to be read from its file before a round can be packed.
  private func needsItems(_ index: Int) -> Bool {
    guard !isStopped, cancellation == nil, !groups[index].isFinished,
      case .file = groups[index].supply
    else { return false }
    let members = workflow.groups[index].members
    let last =
      packer.takesSeveralCalls(index, members: members)
      ? ItemWindow.lastItems(members: members.count) : 0
    return groups[index].buffer.count <= last
  }

  /// A group's file of items, from its beginning.
  func items(ofFile path: String, forGroup index: Int) -> ReadAhead<PreparedItem> {
    let preparation = preparation(ofGroup: index)
    return ReadAhead { [open = context.openItems] in
      try open(path)
    } element: {
      preparation.item($0, at: $1)
    }
  }

  /// Prepares the items of a group before they are opened.
  func preparation(ofGroup index: Int) -> ItemPreparation {
    ItemPreparation(of: index, in: workflow, inputs: inputs, run: identity, graph)
  }

  /// Processes the result of ``Action/readItems(group:path:atMost:)``; no items are the end.
  mutating func handleItems(_ items: Result<[PreparedItem], ItemsUnreadable>, forGroup index: Int) {
    switch items {
    case .success(let items):
      groups[index].buffer = groups[index].buffer + items
      if items.isEmpty { groups[index].supply = .buffer }
    case .failure(let problem):
      groups[index].supply = .buffer
      groups[index].failure = BindingFailure.items(problem.message).failure
    }
  }

  /// Opens items while there is room, and closes groups that have finished.
  ///
  /// - Returns: Whether an item was opened or a group closed.
  mutating func advanceGroups(at now: Duration) -> Bool {
    let before = groups.map { ($0.nextItem, $0.isFinished) }
    for index in groups.indices where !groups[index].isFinished {
      if groups[index].supply == .untouched { startGroup(index) }
      finishIfComplete(index)
    }
    let flow = ItemFlow(through: workflow.groups, of: packer)
    for index in groups.indices where !groups[index].isFinished {
      let room = flow.room(for: index, open: groups.lazy.map(\.open.count))
      while !groups[index].isFinished,
        isStopped || !isCancelled && groups[index].hasPlace(in: room),
        let item = groups[index].buffer.popFirst()
      { openItem(item, of: index, at: now) }
      finishIfComplete(index)
      // The remaining room is for this group's next items, which have to be read first.
      if needsItems(index), groups[index].hasPlace(in: room) { break }
    }
    return !before.elementsEqual(groups) { $0 == ($1.nextItem, $1.isFinished) }
  }

  /// The groups with items that wait for room.
  var groupsWithMoreItems: Set<Int> {
    Set(groups.indices.filter { !groups[$0].isFinished && !groups[$0].buffer.isEmpty })
  }

  /// Evaluates a group's source once the request that it refers to has finished.
  private mutating func startGroup(_ index: Int) {
    let group = workflow.groups[index]
    // Items of the journal keep their outcomes, and the report has to show those in doubt.
    if isStopped, !group.members.contains(where: recorded.hasItems) {
      return completeUnopened(index, Ending(skipped: .stopped))
    }
    if let reference = group.source.reference {
      guard isComplete(reference.request) else { return }
      if let skip = skipWithoutBody(of: reference.request) { return completeUnopened(index, skip) }
    }
    do throws(BindingFailure) {
      switch try bindings(for: nil).items(of: group.source) {
      case .values(let values): fillBuffer(index, with: values)
      case .file(let path): groups[index].supply = .file(path: path)
      case .unknown: break
      }
    } catch {
      completeUnopened(index, Ending(status: .failed, failure: error.failure))
    }
  }

  /// Whether a request, or the whole group of a member, has finished.
  private func isComplete(_ request: Int) -> Bool {
    workflow.requests[request].group.map { groups[$0].isFinished } ?? instances[request].isFinished
  }

  private func skipWithoutBody(of request: Int) -> Ending? {
    let referred = workflow.requests[request]
    let hasBody =
      referred.group == nil ? instances[request].hasSucceeded : bodies.hasAny(of: request)
    guard !hasBody else { return nil }
    let countsAsSuccess = instances[request].outcome?.countsAsSuccess == true
    return Ending(
      skipped: .dependency, detail: referred.displayName, countsAsSuccess: countsAsSuccess)
  }

  private mutating func fillBuffer(_ index: Int, with values: [JSON]) {
    groups[index].supply = .buffer
    let group = workflow.groups[index]
    let preparation = preparation(ofGroup: index)
    var items = values.enumerated().map { preparation.item($1, at: $0) }
    if group.key == nil, let first = group.members.first {
      // The file may have changed, and another member may be the first one now.
      let known = group.members.compactMap { recorded.lists[$0] }.first
      var list = ItemList(request: first, digests: known?.digests ?? [])
      guard let keys = list.keys(of: values) else {
        groups[index].failure = .changedItems
        return
      }
      if list != known { events.append(.itemsListed(list)) }
      for (place, key) in keys.enumerated() { items[place].place = key }
    }
    groups[index].buffer = items[...]
  }

  /// Opens an item: its instances exist from now on.
  private mutating func openItem(_ prepared: PreparedItem, of index: Int, at now: Duration) {
    let value = prepared.value
    let group = workflow.groups[index]
    let position = groups[index].nextItem
    groups[index].nextItem += 1
    var key = ItemID.unkeyed(at: position).key
    var problem: Ending?
    recordSecrets(ofItem: value, in: index)
    do throws(BindingFailure) {
      if let template = group.key, let own = try prepared.key?.get() {
        guard !own.isEmpty else { throw .emptyKey(template) }
        // Keys are written to journal and report, and a resumed run matches its items by them.
        guard mask.redacted(own) == nil else { throw .secretKey }
        if case .values = group.source, !groups[index].keys.insert(own).inserted {
          throw .duplicateKey(own)
        }
        key = own
      } else {
        key = String(prepared.place ?? position)
      }
    } catch {
      problem = Ending(status: .failed, failure: error.failure)
    }
    let item = Item(
      group: index, index: position, key: key, value: value,
      isFromAnswer: group.source.reference != nil)
    groups[index].open[position] = GroupRun.OpenItem(
      item: item, bound: prepared.bound, unfinished: group.members.count)
    packer.openItem(position, of: index, members: group.members)
    if isStopped || groups[index].hasReachedFailureLimit {
      problem = problem ?? Ending(skipped: .stopped)
    }
    defer { scheduleLookups(ofItem: position, group.members) }
    for member in group.members {
      let instance = graph.instance(of: member, item: position)
      if restore(instance, at: now) { continue }
      if let problem {
        completeInstance(instance, problem, at: now)
      } else if packer.isFree(instance) {
        unblocked.append(instance)
      }
    }
  }

  /// Completes the journal's items that this session has not opened.
  ///
  /// Instances that succeeded, are in doubt or took effect keep their outcomes, and count. The
  /// others are not sent.
  ///
  /// - Parameters:
  ///   - index: The group.
  ///   - failure: Why nothing more is sent for them.
  mutating func completeUnopenedItems(of index: Int, because failure: Failure) {
    for member in workflow.groups[index].members {
      // The outcome of the group as a whole in an earlier session no longer applies.
      _ = recorded.adopt(InstanceID(request: member, item: nil))
      for (item, entry) in recorded.left(of: member) where !entry.isDoubtful {
        _ = recorded.adopt(InstanceID(request: member, item: item))
        if let end = entry.end, entry.isFinal || end.countsAsSuccess || end.status == .cancelled {
          tally.verdict.count(InstanceState.Outcome(end))
        } else if isLost(entry, of: workflow.requests[member]) {
          tally.verdict.recordDoubt()
        } else {
          let failure = entry.end?.failure ?? failure
          _ = recordRequestEnd(
            of: workflow.requests[member], index: member, item: item,
            Ending(status: .cancelled, failure: failure), code: entry.end?.code)
        }
      }
    }
  }

  /// Restores the record of a group without items.
  ///
  /// - Returns: Whether the request may have been sent for unknown items: the journal is truncated,
  ///   and no person has stated that it did not take effect.
  private mutating func adoptLost(_ member: Int) -> Bool {
    let entry = recorded.adopt(InstanceID(request: member, item: nil))
    return recorded.hasLostEnd && workflow.requests[member].isUnsafeWrite
      && !entry.isKnownSinceLostEnd
  }

  /// Completes a group that never opened an item: one outcome for each member.
  private mutating func completeUnopened(_ index: Int, _ ending: Ending) {
    for member in workflow.groups[index].members {
      let outcome = recordRequestEnd(
        of: workflow.requests[member], index: member, item: nil,
        adoptLost(member) ? Ending(status: .inDoubt, failure: .lost) : ending)
      groups[index].unopenedCountsAsSuccess = outcome.countsAsSuccess
    }
    closeGroup(index)
  }

  private mutating func finishIfComplete(_ index: Int) {
    guard !groups[index].isFinished, groups[index].supply == .buffer, groups[index].buffer.isEmpty,
      groups[index].open.isEmpty
    else { return }
    if let failure = groups[index].failure {
      completeUnopened(index, Ending(status: .failed, failure: failure))
    } else {
      completeUnopenedItems(of: index, because: .missingItem)
      closeGroup(index)
    }
  }

  private mutating func closeGroup(_ index: Int) {
    groups[index].isFinished = true
    for member in workflow.groups[index].members {
      bodies.collect(member: member, itemCount: groups[index].nextItem)
    }
    unblocked += packer.settle(~index)
  }

  /// The request of an instance, if it was bound when its item was read.
  func preparedRequest(of instance: Int) -> BoundRequest? {
    guard let index = graph.group(of: instance) else { return nil }
    guard let item = groups[index].open[graph.item(of: instance)], !item.bound.isEmpty,
      let place = workflow.groups[index].members.firstIndex(of: graph.request(of: instance))
    else { return nil }
    return item.bound[place]
  }

  /// Counts a finished instance of an item; the last one closes the item.
  mutating func recordItemProgress(of instance: Int, hasFailed: Bool) {
    guard let index = graph.group(of: instance) else { return }
    let position = graph.item(of: instance)
    let group = workflow.groups[index]
    guard groups[index].recordInstanceEnd(ofItem: position, hasFailed: hasFailed, group.maxFailures)
    else { return }
    let members = group.members
    packer.closeItem(position, of: index, members: members)
    for member in members {
      let instance = graph.instance(of: member, item: position)
      instances.removeValue(of: instance)
      bodies.forget(instance)
    }
  }
}

extension Failure {
  /// Why a resumed run sends nothing for the items of a changed list.
  fileprivate static let changedItems = Failure(
    error: GraphError(message: "its list of items has changed"), category: .other,
    reason: .parameter,
    hint:
      "without a key it is unknown which of its items were sent: check what is missing, and send "
      + "that with a new run; give the for_each a key")

  /// Why a resumed run does not send the request of an item.
  fileprivate static let missingItem = Failure(
    error: GraphError(message: "its item is no longer in the source"), category: .other,
    reason: .cancelled,
    hint: "it was not sent; put the item back, and graphflow resume RUN sends it")
}
