import GraphAPI
import JSONPath

/// Opens and closes the items of groups, a window at a time.
extension RunProgress {
  /// The next file of items to read from, if that has to precede the packing of the round.
  ///
  /// Items are read even without room for them: the packing depends on whether more items follow,
  /// and on the number of the last ones.
  var fileToRead: (group: Int, path: String, count: Int)? {
    for index in items.indices where needsItems(index) {
      guard case .file(let path) = items[index].supply else { continue }
      return (index, path, items.opensInSteps ? ItemWindow.chunk : ItemWindow.limit)
    }
    return nil
  }

  /// How many items of a group may be open after the next step; only an only group has steps.
  var openLimit: Int { items.opensInSteps ? items[0].open.count + ItemWindow.step : .max }

  /// Whether a step was the reason to open no more items.
  func isCut(by limit: Int) -> Bool {
    items.indices.contains { items[$0].open.count >= limit && items[$0].hasMore }
  }

  /// Whether more of a group's items have to be read from its file before a round can be packed.
  private func needsItems(_ index: Int) -> Bool {
    guard !verdict.startsOnlyCleanUp, !items[index].isFinished,
      case .file = items[index].supply
    else { return false }
    let members = facts.workflow.groups[index].members
    let last =
      items.opensInSteps
      ? ItemWindow.chunk / 2
      : packer.takesSeveralCalls(index, members: members)
        ? ItemWindow.lastItems(members: members.count) : 0
    return items[index].buffer.count <= last
  }

  /// Takes items that were read from a group's file; no items are the end.
  mutating func receive(_ read: Result<[PreparedItem], ItemsUnreadable>, forGroup index: Int) {
    switch read {
    case .success(let read): items[index].receive(read, isLast: read.isEmpty)
    case .failure(let problem):
      items[index].receive([], isLast: true, failure: Failure.items(problem.message))
    }
  }

  /// Opens items while there is room, up to a number in a group, and closes groups that have
  /// finished.
  ///
  /// - Returns: Whether an item was opened or a group closed.
  mutating func advanceGroups(upTo limit: Int, _ credentials: inout Credentials) -> Bool {
    let before = items.indices.map { (items[$0].nextItem, items[$0].isFinished) }
    for index in items.indices where !items[index].isFinished {
      if items[index].supply == .untouched { startGroup(index) }
      finishIfComplete(index)
    }
    let flow = ItemFlow(through: facts.workflow.groups, of: packer)
    for index in items.indices where !items[index].isFinished {
      let room = flow.room(for: index, open: items.openCounts)
      while !items[index].isFinished,
        verdict.isStopped
          || !verdict.endsEarly && items[index].open.count < limit
            && items[index].hasPlace(in: room)
            && rows.hasPlace(forItemOf: index) && hasMemory(forItemOf: index),
        let item = items[index].takeNextItem()
      { openItem(item, of: index, &credentials) }
      finishIfComplete(index)
      // The remaining room is for this group's next items, which have to be read first.
      if needsItems(index), items[index].hasPlace(in: room) { break }
    }
    return items.indices.contains {
      before[$0] != (items[$0].nextItem, items[$0].isFinished)
    }
  }

  /// Whether one more item of a group may be opened whose requests read pages or reports.
  private func hasMemory(forItemOf index: Int) -> Bool {
    items[index].hasMemory
      || !facts.workflow.groups[index].members.contains {
        facts.workflow.requests[$0].pagination != nil
      }
  }

  /// Evaluates a group's source once the request that it refers to has finished.
  private mutating func startGroup(_ index: Int) {
    let group = facts.workflow.groups[index]
    // Items of the journal keep their outcomes, and the report has to show those in doubt.
    if verdict.isStopped, !group.members.contains(where: items.recorded.hasItems) {
      return completeUnopened(index, Ending(skipped: .stopped))
    }
    if let reference = group.source.reference {
      guard isComplete(reference.request) else { return }
      if let skip = skipWithoutBody(of: reference.request) { return completeUnopened(index, skip) }
    }
    // Items of the journal end when they are opened, and their rows need the answers by then.
    guard !items.isResumed || outsideRequests(ofRowsIn: index).allSatisfy(isComplete) else {
      return
    }
    do throws(Failure) {
      switch try facts.items(of: index, with: bindings(for: nil)) {
      case .values(let values):
        if let list = items.take(values, of: index) { log.append(.itemsListed(list)) }
      case .file(let path): items[index].read(from: path)
      case .unknown: break
      }
    } catch {
      completeUnopened(index, Ending(status: .failed, failure: error))
    }
  }

  /// The requests outside a group that its rows refer to.
  private func outsideRequests(ofRowsIn index: Int) -> [Int] {
    rows.outputs(ofGroup: index).flatMap { facts.workflow.outputs[$0].placeholders }
      .compactMap(\.reference?.request).filter { facts.workflow.requests[$0].group != index }
  }

  /// Hands over the rows of a page, if outputs take their rows page by page.
  ///
  /// - Returns: Whether the elements of the page are needed no longer.
  mutating func holdRows(of page: ResponseBody, _ instance: Int) -> Bool {
    let outputs = rows.outputs(ofPagesOf: facts.graph.request(of: instance))
    guard !outputs.isEmpty, self[instance].split == nil else { return false }
    keepBody(page, of: instance)
    var bindings = bindings(for: instance)
    bindings.masksSecrets = true
    for output in outputs {
      let values = bindings.rows(of: facts.workflow.outputs[output]) ?? []
      rows.hold(values, ofItem: facts.graph.item(of: instance), for: output)
    }
    forgetBody(of: instance)
    return facts.request(of: instance).omitsResponse && !bodies.isNeededWhole(instance)
  }

  /// Whether everything that is needed of an answer was handed over with its pages.
  func isHandedOver(_ instance: Int) -> Bool {
    !bodies.isNeededWhole(instance)
      && rows.hasHeldPages(
        of: facts.graph.request(of: instance), item: facts.graph.item(of: instance))
  }

  /// Forgets the pages of an instance that were read, and their rows.
  mutating func forgetPages(of instance: Int) {
    self[instance].pages = nil
    rows.dropPages(
      of: facts.graph.request(of: instance), item: facts.graph.item(of: instance))
  }

  /// Adds the rows of an item whose requests have ended.
  mutating func collectRows(of item: Item) {
    let outcomes = facts.workflow.groups[item.group].members.map { member in
      instances[facts.graph.instance(of: member, item: item.index)].outcome
    }
    let isIncomplete = outcomes.contains {
      $0?.status != .succeeded && $0?.countsAsSuccess != true
    }
    let hasGap = outcomes.contains {
      $0?.status != .succeeded && $0?.countsAsSuccess != true && $0?.missing == nil
    }
    let missing = outcomes.lazy.compactMap { $0?.missing }.first
    let isNews = facts.workflow.groups[item.group].source.listsNews
    var bindings = bindings(for: nil)
    bindings.item = item
    bindings.masksSecrets = true
    for index in rows.outputs(ofGroup: item.group) {
      let output = facts.workflow.outputs[index]
      let hasRow =
        output.each.map {
          let instance = instances[facts.graph.instance(of: $0, item: item.index)]
          return instance.hasSucceeded || instance.outcome?.missing != nil
        } == true
      let rest = rows.holds(item.index, for: index) ? [] : hasRow ? bindings.rows(of: output) : nil
      var addition: CollectedRows.Addition =
        hasGap ? .gap : hasRow ? rest.map { .rows($0, missing: missing) } ?? .gap : .nothing
      // Many posts have no new comments, and need no file.
      if isNews, addition == .rows([], missing: nil) { addition = .nothing }
      rows.add(addition, of: ItemID(index: item.index, key: item.key), to: index)
    }
    guard let windows = facts.workflow.groups[item.group].source.keptWindows,
      let window = windows.window(ofItem: item.value)
    else { return }
    let hasFailed = outcomes.contains { $0?.status == .failed && $0?.countsAsSuccess != true }
    // What was stopped or cancelled was not tried.
    if hasFailed || !isIncomplete {
      let listed = isIncomplete ? [:] : listed(by: item)
      rows.close(Bookmark(window, isFinished: !isIncomplete, listed: listed), of: item.group)
    }
  }

  /// The ids that the pages of an item have listed, and those of the reads before, by request.
  private func listed(by item: Item) -> [String: [String]] {
    var listed = facts.listed(before: item)
    guard facts.workflow.groups[item.group].source.listsNews else { return listed }
    for member in facts.workflow.groups[item.group].members {
      let body = bodies[facts.graph.instance(of: member, item: item.index)]?.document.root
      let news = (body?["data"]?.array ?? []).compactMap { $0["id"]?.idText }
      let request = facts.workflow.requests[member]
      guard request.pagination != nil else { continue }
      let all = news + (listed[request.name] ?? [])
      listed[request.name] = Array(all.prefix(Bookmark.maximumListed))
    }
    return listed
  }

  /// Finds the files of an item that was opened.
  private mutating func openFiles(ofItem position: Int, of group: Int) throws(Failure) {
    for index in rows.outputs(ofGroup: group) {
      guard let template = facts.workflow.outputs[index].file else { continue }
      var bindings = bindings(for: nil)
      bindings.item = items[group].open[position]?.item
      let path = try bindings.filePath(template)
      guard rows.open(position, fileOf: index, at: path) else { throw .duplicateFile(path) }
    }
  }

  /// What the report shows of an output's rows: how many there are, or null if they are incomplete.
  func summary(ofRows output: Int, of request: Int) -> JSON {
    guard let group = facts.workflow.requests[request].group, items[group].isFinished,
      !items[group].outcomes.isUnopened || items[group].outcomes.countAsSuccess()
    else { return .null }
    return rows.summary(of: output) ?? .null
  }

  /// Whether a request, or the whole group of a member, has finished.
  private func isComplete(_ request: Int) -> Bool {
    facts.workflow.requests[request].group.map { items[$0].isFinished }
      ?? instances[request].isFinished
  }

  private func skipWithoutBody(of request: Int) -> Ending? {
    let referred = facts.workflow.requests[request]
    let hasBody =
      referred.group.map { group in
        // The list of the bodies of no items is empty.
        bodies.hasAny(of: request) || items[group].nextItem == 0 && items[group].hasResult
      } ?? instances[request].hasSucceeded
    guard !hasBody else { return nil }
    let countsAsSuccess =
      referred.group.map { items[$0].outcomes.countAsSuccess(of: request) }
      ?? (instances[request].outcome?.countsAsSuccess == true)
    return Ending(
      skipped: .dependency, detail: referred.displayName, countsAsSuccess: countsAsSuccess)
  }

  /// Opens an item: its instances exist from now on.
  private mutating func openItem(
    _ prepared: PreparedItem, of index: Int, _ credentials: inout Credentials
  ) {
    log.recordSecrets(ofItem: prepared.value, in: index)
    let (position, failure) = items.open(prepared, of: index, masking: log.mask)
    rows.open(position, of: index)
    var problem = failure.map { Ending(status: .failed, failure: $0) }
    do throws(Failure) { try openFiles(ofItem: position, of: index) } catch {
      problem = problem ?? Ending(status: .failed, failure: error)
    }
    if verdict.isStopped || items[index].hasReachedFailureLimit {
      problem = problem ?? Ending(skipped: .stopped)
    }
    openInstances(ofItem: position, of: index, problem: problem)
    credentials.scheduleLookups(ofItem: position, of: index, &self)
  }

  /// Completes the journal's items that this session has not opened.
  ///
  /// Instances that succeeded, are in doubt or took effect keep their outcomes, and count. The
  /// others are not sent.
  mutating func completeUnopenedItems(of index: Int, because failure: Failure) {
    for member in facts.workflow.groups[index].members {
      // The outcome of the group as a whole in an earlier session no longer applies.
      _ = items.recorded.adopt(InstanceID(request: member, item: nil))
      for (item, entry) in items.recorded.left(of: member) where !entry.isDoubtful {
        _ = items.recorded.adopt(InstanceID(request: member, item: item))
        if let end = entry.end, entry.isFinal || end.countsAsSuccess || end.status == .cancelled {
          verdict.count(InstanceState.Outcome(end))
        } else if items.recorded.isLost(entry, of: facts.workflow.requests[member]) {
          verdict.recordDoubt()
        } else {
          let failure = entry.end?.failure ?? failure
          _ = record(
            Ending(status: .cancelled, failure: failure), of: member, item: item,
            code: entry.end?.code)
        }
      }
    }
  }

  /// Completes a group that never opened an item: one outcome for each member.
  private mutating func completeUnopened(_ index: Int, _ ending: Ending) {
    for member in facts.workflow.groups[index].members {
      let outcome = record(
        adoptLost(member) ? Ending(status: .inDoubt, failure: .lost) : ending, of: member, item: nil
      )
      items[index].outcomes.record(
        outcome.status, of: member, countsAsSuccess: outcome.countsAsSuccess)
    }
    items[index].outcomes.isUnopened = true
    closeGroup(index)
  }

  /// Restores the record of a group without items.
  ///
  /// - Returns: Whether the request may have been sent for unknown items: the journal is truncated,
  ///   and no person has stated that it did not take effect.
  private mutating func adoptLost(_ member: Int) -> Bool {
    let entry = items.recorded.adopt(InstanceID(request: member, item: nil))
    return items.recorded.hasLostEnd && facts.workflow.requests[member].isUnsafeWrite
      && !entry.isKnownSinceLostEnd
  }

  private mutating func finishIfComplete(_ index: Int) {
    guard items[index].isExhausted else { return }
    if let failure = items[index].failure {
      completeUnopened(index, Ending(status: .failed, failure: failure))
    } else {
      completeUnopenedItems(of: index, because: .missingItem)
      closeGroup(index)
    }
  }
}
