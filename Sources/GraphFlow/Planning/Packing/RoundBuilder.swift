/// Fills the batches of a round by a list.
///
/// List scheduling in Graham's sense: it walks what is ready in the order of a ``PriorityList`` and
/// puts each where there is room, together with what hangs on it and may share its batch. The first
/// batch of a round is always sent, the others while they do not cost more calls than have to be
/// made anyway; what is left over fills later rounds. While more items come, only full ones are: a
/// place that stays empty then is one that the next items could have had.
struct RoundBuilder {
  /// What a list rule leaves open.
  struct Style: Hashable, Sendable {
    /// Whether what hangs together stays together where a batch could carry it.
    var keepsWhole = true
    /// How many calls there may be from this round on; at least those that have to be made.
    var calls = 0
    /// The groups of which more items come when some of the open ones are over.
    var unfinished: Set<Int> = []
  }

  typealias Place = PriorityList.Place

  /// How many pieces that do not fit are passed over before a batch is closed.
  private static let patience = 64

  private let list: PriorityList
  private let keepsWhole: Bool
  /// How many calls there may be from this round on.
  private let calls: Int
  private let unfinished: Set<Int>
  private let admission: (Int) -> Packer.Admission
  private(set) var batches: [OpenBatch] = []
  private var refused: [Place] = []
  /// The most rounds that must follow one of the requests that were placed.
  private var longestTail: Int32 = 0

  /// Prepares a round; `admission` is asked for each request that could be placed.
  init(
    _ work: Remainder,
    list: PriorityList,
    style: Style,
    admission: @escaping (Int) -> Packer.Admission
  ) {
    self.list = list
    self.admission = admission
    keepsWhole = style.keepsWhole
    unfinished = work.limits.strategy == .fewestCalls ? style.unfinished : []
    calls = max(style.calls, work.backlog.calls(work.limits))
  }

  /// Fills the batches; what they hold is no longer ready.
  mutating func build(_ work: inout Remainder, _ ready: inout MinHeap<Place>) {
    while true {
      let batch = filled(&work, &ready)
      guard !batch.requests.isEmpty else { break }
      guard batches.isEmpty || isWorthACall(batch, work) else {
        work.takeBack(batch)
        for instance in batch.requests where work.status(of: instance) == .ready {
          ready.insert(list.place(of: instance, in: work.graph))
        }
        break
      }
      batches.append(batch)
    }
    for place in refused { ready.insert(place) }
  }

  /// Whether a further call now does not mean a further call, or round, in the end.
  private func isWorthACall(_ batch: OpenBatch, _ work: Remainder) -> Bool {
    if !batch.isFull(work.limits), isBeforeMoreItems(batch, work) { return false }
    let isAffordable = batches.count + 1 + work.backlog.calls(work.limits) <= calls
    switch work.limits.strategy {
    case .fewestCalls: return isAffordable
    case .fastest:
      return isAffordable
        || batch.requests.contains { tail(of: $0, work) >= longestTail }
    }
  }

  /// Whether the answers of the round, with this batch, make room for items that are not open yet.
  private func isBeforeMoreItems(_ batch: OpenBatch, _ work: Remainder) -> Bool {
    guard !unfinished.isEmpty else { return false }
    return ([batch] + batches).contains { batch in
      batch.requests.contains { work.graph.group(of: $0).map(unfinished.contains) == true }
    }
  }

  /// Fills one batch: first with what fits as a whole, then, if an empty place would cost a call, with
  /// parts of what does not.
  private mutating func filled(_ work: inout Remainder, _ ready: inout MinHeap<Place>) -> OpenBatch
  {
    var batch = OpenBatch(number: Int32(truncatingIfNeeded: batches.count))
    var passedOver: [(place: Place, end: PackedBatch.End)] = []
    while batch.hasRoom(forUnsafe: false, work.limits), passedOver.count < RoundBuilder.patience,
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
        let piece = keepsWhole ? work.piece(around: place.instance, by: list) : .oversized
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
    batch.close(because: isFull ? .full : left.first?.end ?? .nothingReady)
    return batch
  }

  /// Whether a place that stays empty would cost a call.
  private func isCutWorthIt(_ batch: OpenBatch, _ work: Remainder) -> Bool {
    guard work.limits.strategy == .fewestCalls, batch.hasRoom(forUnsafe: false, work.limits) else {
      return false
    }
    return batches.count + 1 + work.backlog.calls(work.limits) > calls
      || isBeforeMoreItems(batch, work)
  }

  private mutating func addAlone(_ instance: Int, _ work: inout Remainder) {
    var alone = OpenBatch(number: -1)
    alone.addAlone(instance, &work)
    batches.append(alone)
    longestTail = max(longestTail, tail(of: instance, work))
  }

  private func tail(of instance: Int, _ work: Remainder) -> Int32 {
    work.tails.rounds[work.graph.request(of: instance)]
  }

  private func addIfAdmitted(_ root: Int, _ batch: inout OpenBatch, _ work: inout Remainder) {
    guard work.status(of: root) == .ready, case .batch(let isUnsafe) = admission(root),
      batch.hasRoom(forUnsafe: isUnsafe, work.limits)
    else { return }
    add(root, isUnsafe, &batch, &work)
  }

  /// Adds a request and, in the list's order, what may follow it there.
  private func add(
    _ root: Int,
    _ isUnsafe: Bool,
    _ batch: inout OpenBatch,
    _ work: inout Remainder
  ) {
    batch.add(root, isUnsafe: isUnsafe, &work)
    guard work.graph.hasSuccessors(root) else { return }
    var followers = MinHeap<Place>()
    noteFollowers(of: root, in: batch, work, &followers)
    while let follower = followers.popMinimum()?.instance {
      guard work.status(of: follower) != .placed, case .batch(let isUnsafe) = admission(follower),
        batch.hasRoom(forUnsafe: isUnsafe, work.limits)
      else { continue }
      batch.add(follower, isUnsafe: isUnsafe, &work)
      noteFollowers(of: follower, in: batch, work, &followers)
    }
  }

  /// Notes what may join as soon as a request is in its batch; what waits for others as well is
  /// noted when the last of them is.
  private func noteFollowers(
    of request: Int,
    in batch: OpenBatch,
    _ work: Remainder,
    _ followers: inout MinHeap<Place>
  ) {
    work.graph.forEachSuccessor(of: request) { successor in
      if successor.kind != .hard, batch.accepts(successor.request, work) {
        followers.insert(list.place(of: successor.request, in: work.graph))
      }
    }
  }
}
