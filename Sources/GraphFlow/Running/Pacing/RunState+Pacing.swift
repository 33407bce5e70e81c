import GraphAPI

/// A run at the pace that Graph's limits allow.
extension RunState {
  /// How many operations the next call may carry for these tokens; nil if it may not be made yet,
  /// for a reason that is kept.
  mutating func allowedOperations(for tokens: Set<AccessToken>, at now: Duration) -> Int? {
    let batches =
      queue.count + confirmations.turn.count / max(options.limits.width, 1) + underWay.count
    let allowance = pacer.allowance(
      for: tokens,
      isSmall: batches <= 4,
      at: wallClock(at: now)
    )
    switch allowance {
    case .operations(let count): return count
    case .afterAnswer where underWay.isEmpty: return 1
    case .afterAnswer, .probe, .pause, .exhausted:
      hold = allowance
      heldTokens = tokens
      return nil
    }
  }

  /// Moves a batch to the front that may be sent, where the token of the first has to wait and that
  /// of another need not; whether there is one.
  mutating func prefersAllowedBatch(at now: Duration) -> Bool {
    guard pacer.knowsSeveralTokens else { return false }
    let (hold, heldTokens) = (self.hold, self.heldTokens)
    for index in queue.indices.dropFirst() {
      let batch = queue[index]
      let tokens = tokens(of: batch)
      guard tokens != heldTokens, allowedOperations(for: tokens, at: now) != nil else { continue }
      queue.remove(at: index)
      queue.insert(batch, at: queue.startIndex)
      self.hold = nil
      return true
    }
    (self.hold, self.heldTokens) = (hold, heldTokens)
    return false
  }

  /// As much of a batch as may be sent; the rest waits for the next round.
  ///
  /// - Returns: nil if not even its first operation may be sent, because it is several to Graph.
  mutating func shortened(_ batch: PackedBatch, to limit: Int) -> PackedBatch? {
    let members = batch.members
    guard members.count > limit || limit < 2500 else { return batch }
    var count = 0
    let fitting = members.prefix { member in
      count += instances[member.request].$bound?.value.operation.countedCalls ?? 1
      return count <= limit
    }
    if fitting.count == members.count { return batch }
    if fitting.isEmpty { return options.budget == RunBudget() ? first(of: batch) : nil }
    putBack(members.dropFirst(fitting.count))
    return PackedBatch(members: Array(fitting), end: batch.end)
  }

  private mutating func first(of batch: PackedBatch) -> PackedBatch {
    putBack(batch.members.dropFirst())
    return PackedBatch(members: Array(batch.members.prefix(1)), end: batch.end)
  }

  private mutating func putBack(_ members: ArraySlice<PackedBatch.Member>) {
    for member in members {
      if instances[member.request].$bound != nil {
        packer.offer(member.request)
      } else {
        instances[member.request].phase = .waiting
      }
    }
  }

  /// Does what a hold asks for, once nothing is under way.
  mutating func endHold(at now: Duration) -> Action? {
    guard let hold else { return nil }
    switch hold {
    case .operations, .afterAnswer: return nil
    case .probe: return probe(at: now).map(Action.send) ?? wait(until: now + .seconds(1), from: now)
    case .exhausted(let pause):
      outOfQuota = pause
      return finish(at: now)
    case .pause(let pause, let since):
      let moment = wallClock(at: now)
      let wait = pause.until.milliseconds - moment.milliseconds
      let trouble = pause.until.milliseconds - since.milliseconds
      let patience = patience.milliseconds
      guard wait <= patience, trouble <= patience || pause.cause == .usage else {
        outOfQuota = pause
        return finish(at: now)
      }
      if announcedPause != pause {
        announcedPause = pause
        events.append(.paused(pause))
      }
      return self.wait(until: now + .milliseconds(max(wait, 1)), from: now)
    }
  }

  /// How long the most patient request waits.
  private var patience: Duration {
    let standard = RetryPolicy.standard.maxElapsed
    return workflow.requests.map { $0.retry?.maxElapsed ?? standard }.max() ?? standard
  }

  /// Asks for the permissions of a token only to see whether Graph is there.
  private mutating func probe(at now: Duration) -> Call? {
    let moment = wallClock(at: now)
    let token = heldTokens.first { token in
      pacer.allowance(for: [token], isSmall: true, at: moment) == .probe
    }
    let operation = BatchOperation(method: .get, path: "me/permissions")
    guard let token, let content = shared([(operation, token)]) else { return nil }
    return begin(content, for: .probe, [token], [], at: now)
  }

  /// The tokens that a batch's operations use, as far as they are here.
  func tokens(of batch: PackedBatch) -> Set<AccessToken> {
    let requests = batch.requests
    let own = requests.filter { profile(of: $0) == nil }.compactMap {
      instances[$0].$bound?.value.token
    }
    return Set(own + profiles(of: requests).compactMap { tokens[$0] })
  }

  /// The tokens that looks use, as far as they are here.
  func tokens(ofLooks instances: ArraySlice<Int>) -> Set<AccessToken> {
    Set(profiles(of: instances).compactMap { tokens[$0] })
  }

  /// Tells the pacer what came of a call.
  mutating func notePace(of answered: AnsweredCall, forCall number: Int, at now: Duration) {
    var generator = generator
    pacer.end(number, answered, at: wallClock(at: now)) { generator.chance() }
    self.generator = generator
  }
}

/// What a run and others tell each other of Graph's limits.
extension RunState {
  /// What others do not know yet, if it is time to tell them and hear of them.
  public func quotaChanges(at now: Duration) -> QuotaBook? {
    pacer.wantsExchange(at: wallClock(at: now)) ? quotaChanges : nil
  }

  /// What others do not know yet.
  public var quotaChanges: QuotaBook { pacer.changes.moved(by: sharedTime.lead) }

  /// Hands in what is known by now, the changes included; nil if it could not be had.
  public mutating func receive(_ book: QuotaBook?, at now: Duration) {
    let moment = wallClock(at: now)
    guard let book else {
      pacer.postponeExchange(at: moment)
      return
    }
    var generator = generator
    pacer.absorb(sharedTime.reading(book, at: moment), at: moment) { generator.chance() }
    self.generator = generator
  }

  /// The time for those who exchange: by Graph's clock, as far as it is known.
  public func moment(at now: Duration) -> Timestamp {
    wallClock(at: now).advanced(by: sharedTime.lead)
  }
}

extension SplitMix64 {
  /// A number from 0 to 1.
  fileprivate mutating func chance() -> Double { Double(next() >> 11) / 0x1p53 }
}
