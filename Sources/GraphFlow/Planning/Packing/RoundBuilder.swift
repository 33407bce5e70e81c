/// Fills the batches of a round by a list.
///
/// This is list scheduling in Graham's sense. It walks the ready instances in the order of a
/// ``PriorityList`` and places each one where there is room, together with the instances that depend
/// on it and may share its batch. If nothing else is under way, the first batch is always sent. The
/// others are sent only if they do not increase the total number of calls; otherwise their instances
/// fill later rounds. While more items will come, only full batches are sent in addition to the first,
/// because the next items can fill the empty places.
struct RoundBuilder {
  /// The options of a list rule.
  struct Style: Hashable, Sendable {
    /// Whether dependent instances stay together if one batch can hold them.
    var keepsWhole = true
    /// Whether what is left is bounded by heads and tails, not by tails alone, which takes longer; only
    /// for graphs without groups.
    var boundsBothEnds = false
    /// The calls that may be made from this round on; at least the lower bound.
    var calls = 0
    /// The groups with items that are not opened yet.
    var unfinished: Set<Int> = []
    /// Whether answers will come that may make more instances ready.
    var isUnderWay = false
  }

  /// The most pieces that are passed over before a batch is closed.
  private static let passedOverLimit = 64

  private let list: PriorityList
  private var style: Style
  private let admission: (Int) -> Packer.Admission
  private(set) var batches: [OpenBatch] = []
  private var refused: [PriorityList.Place] = []
  /// The longest tail, in rounds, of the placed requests.
  private var longestTail: Int32 = 0

  /// `admission` decides about each request that could be placed.
  init(
    _ work: RemainingWork, list: PriorityList, style: Style,
    admission: @escaping (Int) -> Packer.Admission
  ) {
    self.list = list
    self.style = style
    self.admission = admission
    self.style.calls = max(style.calls, fewestCalls(for: work))
    if work.limits.strategy == .fastest { self.style.unfinished = [] }
  }

  /// Fills the batches; their instances are no longer ready.
  mutating func build(_ work: inout RemainingWork, _ ready: inout MinHeap<PriorityList.Place>) {
    while true {
      let batch = filled(&work, &ready)
      guard !batch.requests.isEmpty else { break }
      guard batches.isEmpty && !style.isUnderWay || isWorthACall(batch, work) else {
        work.discard(batch)
        for instance in batch.requests where work.status(of: instance) == .ready {
          ready.insert(list.place(of: instance, in: work.graph))
        }
        break
      }
      batches.append(batch)
    }
    for place in refused { ready.insert(place) }
  }

  /// A lower bound for the calls that send what is not placed yet.
  private func fewestCalls(for work: RemainingWork) -> Int {
    guard style.boundsBothEnds else { return work.backlog.calls(work.limits) }
    return LowerBound(for: work.graph.requests, limits: work.limits) {
      [.waiting, .ready].contains(work.status(of: $0)) ? 1 : 0
    }.calls
  }

  /// Whether one more call now does not increase the total number of calls, or saves a round.
  private func isWorthACall(_ batch: OpenBatch, _ work: RemainingWork) -> Bool {
    if !batch.isFull(work.limits), isBeforeMoreItems(batch, work) { return false }
    let isAffordable = batches.count + 1 + fewestCalls(for: work) <= style.calls
    switch work.limits.strategy {
    case .fewestCalls: return isAffordable
    case .fastest:
      return isAffordable
        || batch.requests.contains { tail(of: $0, work) >= longestTail }
    }
  }

  /// Whether the answers of the round, including this batch, make room for items that are not open
  /// yet.
  private func isBeforeMoreItems(_ batch: OpenBatch, _ work: RemainingWork) -> Bool {
    guard !style.unfinished.isEmpty else { return false }
    return ([batch] + batches).contains { batch in
      batch.requests.contains { work.graph.group(of: $0).map(style.unfinished.contains) == true }
    }
  }

  /// Fills one batch with pieces that fit as a whole.
  ///
  /// If an empty place would cost a call, parts of the other pieces follow.
  private mutating func filled(
    _ work: inout RemainingWork, _ ready: inout MinHeap<PriorityList.Place>
  ) -> OpenBatch {
    var batch = work.newBatch()
    var passedOver: [(place: PriorityList.Place, reason: CloseReason)] = []
    while batch.hasRoom(forUnsafe: false, work.limits),
      passedOver.count < RoundBuilder.passedOverLimit,
      let place = ready.popMinimum()
    {
      guard work.status(of: place.instance) == .ready else { continue }
      switch admission(place.instance) {
      case .notNow: refused.append(place)
      case .alone: addAlone(place.instance, &work)
      case .batch(let isUnsafe):
        guard batch.hasRoom(forUnsafe: isUnsafe, work.limits) else {
          passedOver.append((place, .unsafeWrites))
          continue
        }
        let piece = style.keepsWhole ? work.piece(around: place.instance, by: list) : .oversized
        if let load = piece.load, !batch.hasRoom(for: load, work.limits) {
          let fits = batch.requests.count + load.shared <= work.limits.width
          passedOver.append((place, fits ? .unsafeWrites : .apart))
          continue
        }
        longestTail = max(longestTail, tail(of: place.instance, work))
        add(place.instance, isUnsafe, &batch, &work)
        let otherRoots = piece.otherRoots.map { list.place(of: $0, in: work.graph) }.sorted()
        for root in otherRoots { addIfAdmitted(root.instance, &batch, &work) }
      }
    }
    if !passedOver.isEmpty, isCutWorthIt(batch, work) {
      for passed in passedOver { addIfAdmitted(passed.place.instance, &batch, &work) }
    }
    let left = passedOver.filter { work.status(of: $0.place.instance) == .ready }
    for passed in left { ready.insert(passed.place) }
    let isFull = !batch.hasRoom(forUnsafe: false, work.limits)
    batch.closeReason = isFull ? .full : left.first?.reason ?? .nothingLeft
    return batch
  }

  /// Whether an empty place would cost a call.
  private func isCutWorthIt(_ batch: OpenBatch, _ work: RemainingWork) -> Bool {
    guard work.limits.strategy == .fewestCalls, batch.hasRoom(forUnsafe: false, work.limits) else {
      return false
    }
    return batches.count + 1 + fewestCalls(for: work) > style.calls
      || isBeforeMoreItems(batch, work)
  }

  private mutating func addAlone(_ instance: Int, _ work: inout RemainingWork) {
    var alone = work.newBatch()
    alone.addAlone(instance, &work)
    batches.append(alone)
    longestTail = max(longestTail, tail(of: instance, work))
  }

  private func tail(of instance: Int, _ work: RemainingWork) -> Int32 {
    work.tails.rounds[work.graph.request(of: instance)]
  }

  private func addIfAdmitted(_ root: Int, _ batch: inout OpenBatch, _ work: inout RemainingWork) {
    guard work.status(of: root) == .ready, case .batch(let isUnsafe) = admission(root),
      batch.hasRoom(forUnsafe: isUnsafe, work.limits)
    else { return }
    add(root, isUnsafe, &batch, &work)
  }

  /// Adds a request and, in the order of the list, the successors that may share its batch.
  private func add(
    _ root: Int, _ isUnsafe: Bool, _ batch: inout OpenBatch, _ work: inout RemainingWork
  ) {
    batch.add(root, isUnsafe: isUnsafe, &work)
    guard work.graph.hasSuccessors(root) else { return }
    var followers = MinHeap<PriorityList.Place>()
    insertFollowers(of: root, in: batch, work, &followers)
    while let follower = followers.popMinimum()?.instance {
      guard work.status(of: follower) != .placed, case .batch(let isUnsafe) = admission(follower),
        batch.hasRoom(forUnsafe: isUnsafe, work.limits)
      else { continue }
      batch.add(follower, isUnsafe: isUnsafe, &work)
      insertFollowers(of: follower, in: batch, work, &followers)
    }
  }

  /// Collects the successors that may join a request's batch; a successor that waits for several
  /// requests is collected after the last of them.
  private func insertFollowers(
    of request: Int, in batch: OpenBatch, _ work: RemainingWork,
    _ followers: inout MinHeap<PriorityList.Place>
  ) {
    work.graph.forEachSuccessor(of: request) { successor in
      if successor.kind != .hard, batch.accepts(successor.request, work) {
        followers.insert(list.place(of: successor.request, in: work.graph))
      }
    }
  }
}
