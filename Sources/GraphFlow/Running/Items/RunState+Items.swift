import GraphAPI
import JSONPath

/// Opening the items of groups, a window at a time, and closing them.
extension RunState {
  /// What has to be read before the round can be packed, if anything: also what there is no room
  /// for yet, because whether more items come, and how many are the last, decides about the packing.
  var itemsToRead: Action? {
    for index in groups.indices where wantsItems(index) {
      guard case .file(let path) = groups[index].supply else { continue }
      return .readItems(group: index, path: path, atMost: ItemWindow.limit)
    }
    return nil
  }

  /// Whether more of a group's items have to be read from its file before a round can be packed.
  private func wantsItems(_ index: Int) -> Bool {
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

  /// Works out what can be told of a group's items before they are opened.
  func preparation(ofGroup index: Int) -> ItemPreparation {
    ItemPreparation(of: index, in: workflow, inputs: inputs, run: identity, graph)
  }

  /// Hands in what came of ``Action/readItems(group:path:atMost:)``; no items are the end.
  mutating func receive(
    _ items: Result<[PreparedItem], ItemsUnreadable>,
    forGroup index: Int
  ) {
    switch items {
    case .success(let items):
      groups[index].buffer = groups[index].buffer + items
      if items.isEmpty { groups[index].supply = .buffer }
    case .failure(let problem):
      groups[index].supply = .buffer
      groups[index].failure = BindingFailure.items(problem.message).failure
    }
  }

  /// Opens what there is room for, and ends groups that are through; whether there was any.
  mutating func advanceGroups(at now: Duration) -> Bool {
    let before = groups.map { ($0.nextItem, $0.isFinished) }
    for index in groups.indices where !groups[index].isFinished {
      if groups[index].supply == .untouched { start(index, at: now) }
      finishIfComplete(index, at: now)
    }
    let flow = ItemFlow(through: workflow.groups, of: packer)
    for index in groups.indices where !groups[index].isFinished {
      let room = flow.room(for: index, open: groups.lazy.map(\.open.count))
      while !groups[index].isFinished,
        isStopped || !isCancelled && groups[index].hasPlace(in: room),
        let item = groups[index].buffer.popFirst()
      {
        open(item, of: index, at: now)
      }
      finishIfComplete(index, at: now)
      // The room that is left is its own, once more was read.
      if wantsItems(index), groups[index].hasPlace(in: room) { break }
    }
    return !before.elementsEqual(groups) { $0 == ($1.nextItem, $1.isFinished) }
  }

  /// The groups whose next items wait until there is room for them.
  var groupsWithMoreItems: Set<Int> {
    Set(groups.indices.filter { !groups[$0].isFinished && !groups[$0].buffer.isEmpty })
  }

  /// Looks at a group's source as soon as what it refers to is over.
  private mutating func start(_ index: Int, at now: Duration) {
    let group = workflow.groups[index]
    // Items that were open once keep their outcomes, and what is in doubt of them is told.
    if isStopped, !group.members.contains(where: recorded.hasItems) {
      return endUnopened(index, Ending(skipped: .stopped), at: now)
    }
    if let reference = group.source.reference {
      guard isComplete(reference.request) else { return }
      if let skip = skipWithoutBody(of: reference.request) {
        return endUnopened(index, skip, at: now)
      }
    }
    do throws(BindingFailure) {
      switch try bindings(for: nil).items(of: group.source) {
      case .values(let values): fill(index, with: values)
      case .file(let path): groups[index].supply = .file(path: path)
      case .unknown: break
      }
    } catch {
      endUnopened(index, Ending(status: .failed, failure: error.failure), at: now)
    }
  }

  /// Whether a request, or the whole group that it is a member of, is over.
  private func isComplete(_ request: Int) -> Bool {
    workflow.requests[request].group.map { groups[$0].isFinished } ?? instances[request].isFinished
  }

  private func skipWithoutBody(of request: Int) -> Ending? {
    let referred = workflow.requests[request]
    let hasBody =
      referred.group == nil ? instances[request].hasSucceeded : bodies.hasAny(of: request)
    guard !hasBody else { return nil }
    let isRefunded = instances[request].outcome?.isRefunded == true
    return Ending(
      skipped: .dependency,
      detail: referred.displayName,
      isRefunded: isRefunded
    )
  }

  private mutating func fill(_ index: Int, with values: [JSON]) {
    groups[index].supply = .buffer
    let group = workflow.groups[index]
    let preparation = preparation(ofGroup: index)
    var items = values.enumerated().map { preparation.item($1, at: $0) }
    if group.key == nil, let first = group.members.first {
      // The file may have changed, and other requests be sent first.
      let known = group.members.compactMap { recorded.lists[$0] }.first
      var list = ItemList(request: first, digests: known?.digests ?? [])
      guard let keys = list.keys(of: values) else {
        groups[index].failure = .otherItems
        return
      }
      if list != known { events.append(.itemsListed(list)) }
      for (place, key) in keys.enumerated() { items[place].place = key }
    }
    groups[index].buffer = items[...]
  }

  /// Opens an item: its instances are there from now on.
  private mutating func open(_ prepared: PreparedItem, of index: Int, at now: Duration) {
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
        // Journal and report hold keys, and a resumed run finds its items by them.
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
      group: index,
      index: position,
      key: key,
      value: value,
      isOfAnswer: group.source.reference != nil
    )
    groups[index].open[position] = GroupRun.OpenItem(
      item: item,
      bound: prepared.bound,
      unfinished: group.members.count
    )
    packer.open(position, of: index, members: group.members)
    if isStopped || groups[index].sendsNoMore {
      problem = problem ?? Ending(skipped: .stopped)
    }
    defer { scheduleLookups(ofItem: position, group.members) }
    for member in group.members {
      let instance = graph.instance(of: member, item: position)
      if restore(instance, at: now) { continue }
      if let problem {
        end(instance, problem, at: now)
      } else if packer.isFree(instance) {
        freed.append(instance)
      }
    }
  }

  /// Ends what the journal knows of items that this session has not opened.
  ///
  /// What has succeeded, is in doubt or took effect stays as it is, and counts. The rest is not sent.
  ///
  /// - Parameters:
  ///   - index: the group.
  ///   - failure: why nothing more is sent for them.
  mutating func endUnopenedItems(of index: Int, because failure: Failure) {
    for member in workflow.groups[index].members {
      // That the group could not be opened in an earlier session is history.
      _ = recorded.takeUp(InstanceID(request: member, item: nil))
      for (item, entry) in recorded.left(of: member) where !entry.isDoubtful {
        _ = recorded.takeUp(InstanceID(request: member, item: item))
        if let end = entry.end, entry.isFinal || end.isRefunded || end.status == .cancelled {
          tally.verdict.count(InstanceState.Outcome(end))
        } else if isLost(entry, of: workflow.requests[member]) {
          tally.verdict.noteDoubt()
        } else {
          let failure = entry.end?.failure ?? failure
          _ = noteEnd(
            of: workflow.requests[member],
            index: member,
            item: item,
            Ending(status: .cancelled, failure: failure),
            code: entry.end?.code
          )
        }
      }
    }
  }

  /// Whether a request may have been sent for items of which nobody knows: the journal has lost its
  /// end, and no person has said that nothing happened.
  private mutating func takesUpLost(_ member: Int) -> Bool {
    let entry = recorded.takeUp(InstanceID(request: member, item: nil))
    return recorded.hasLostEnd && workflow.requests[member].isUnsafeWrite
      && !entry.isKnownSinceLoss
  }

  /// Ends a group that never came to an item: one outcome for each member.
  private mutating func endUnopened(_ index: Int, _ ending: Ending, at now: Duration) {
    for member in workflow.groups[index].members {
      let outcome = noteEnd(
        of: workflow.requests[member],
        index: member,
        item: nil,
        takesUpLost(member) ? Ending(status: .inDoubt, failure: .lost) : ending,
        code: nil
      )
      groups[index].unopenedIsRefunded = outcome.isRefunded
    }
    close(index)
  }

  private mutating func finishIfComplete(_ index: Int, at now: Duration) {
    guard !groups[index].isFinished, groups[index].supply == .buffer, groups[index].buffer.isEmpty,
      groups[index].open.isEmpty
    else { return }
    if let failure = groups[index].failure {
      endUnopened(index, Ending(status: .failed, failure: failure), at: now)
    } else {
      endUnopenedItems(of: index, because: .missingItem)
      close(index)
    }
  }

  private mutating func close(_ index: Int) {
    groups[index].isFinished = true
    for member in workflow.groups[index].members {
      bodies.collect(member: member, itemCount: groups[index].nextItem)
    }
    freed += packer.settle(~index)
  }

  /// What an instance sends, if that was worked out when its item was read.
  func preparedRequest(of instance: Int) -> BoundRequest? {
    guard let index = graph.group(of: instance) else { return nil }
    guard let item = groups[index].open[graph.item(of: instance)], !item.bound.isEmpty,
      let place = workflow.groups[index].members.firstIndex(of: graph.request(of: instance))
    else { return nil }
    return item.bound[place]
  }

  /// Counts an instance of an item that is over; the last one closes the item.
  mutating func finishItem(of instance: Int, hasFailed: Bool) {
    guard let index = graph.group(of: instance) else { return }
    let position = graph.item(of: instance)
    let group = workflow.groups[index]
    guard groups[index].noteEnd(ofItem: position, hasFailed: hasFailed, group.maxFailures) else {
      return
    }
    let members = group.members
    packer.close(position, of: index, members: members)
    for member in members {
      let instance = graph.instance(of: member, item: position)
      instances.forget(instance)
      bodies.forget(instance)
    }
  }
}

/// Why the items of a group cannot be read.
package struct ItemsUnreadable: Error, Hashable, Sendable {
  /// What is wrong, with the place in the file.
  package let message: String

  /// Says why the items of a group cannot be read.
  package init(message: String) {
    self.message = message
  }
}

extension Failure {
  /// Why nothing more is sent for the items of a list.
  fileprivate static let otherItems = Failure(
    error: GraphError(message: "its list of items is another one than before"),
    category: .other,
    reason: .parameter,
    hint: "without a key nobody can tell which of them were sent: look what is left, and send that "
      + "with a new run; give the for_each a key"
  )

  /// Why an item's request is not sent again by a resumed run.
  fileprivate static let missingItem = Failure(
    error: GraphError(message: "its item is no longer in the source"),
    category: .other,
    reason: .cancelled,
    hint: "it was not sent; put the item back, and graphflow resume RUN sends it"
  )
}
