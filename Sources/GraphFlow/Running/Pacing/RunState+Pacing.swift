import GraphAPI

/// A run at the pace that Graph's limits allow.
extension RunState {
  /// How many operations the next call may carry for these tokens; nil if it may not be made yet,
  /// for a reason that is kept.
  mutating func allowedOperations(for tokens: Set<AccessToken>, at now: Duration) -> Int? {
    let batches =
      queue.count + confirmations.pendingChecks.count / max(options.limits.width, 1)
      + underWay.count
    return pace.allowedOperations(
      for: tokens,
      isSmall: batches <= 4,
      isIdle: underWay.isEmpty,
      at: wallClock(at: now)
    )
  }

  /// Moves a batch to the front that may be sent, where the token of the first has to wait and that
  /// of another need not; whether there is one.
  mutating func prefersAllowedBatch(at now: Duration) -> Bool {
    guard pace.pacer.knowsSeveralTokens else { return false }
    let hold = pace.hold
    for index in queue.indices.dropFirst() {
      let batch = queue[index]
      let tokens = tokens(of: batch)
      guard tokens != hold?.tokens, allowedOperations(for: tokens, at: now) != nil else { continue }
      queue.remove(at: index)
      queue.insert(batch, at: queue.startIndex)
      pace.hold = nil
      return true
    }
    pace.hold = hold
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
    let moment = wallClock(at: now)
    switch pace.stepAfterHold(patience: patience, at: moment) {
    case nil: return nil
    case .probe(let token):
      let call = token.flatMap { probe(with: $0, at: now) }
      return call.map(Action.send) ?? wait(until: now + .seconds(1), from: now)
    case .finish: return finish(at: now)
    case .wait(let until, let news):
      if let news { events.append(.paused(news)) }
      let pause = Duration.milliseconds(until.milliseconds - moment.milliseconds)
      return wait(until: now + pause, from: now)
    }
  }

  /// How long the most patient request waits.
  private var patience: Duration {
    let standard = RetryPolicy.standard.maxElapsed
    return workflow.requests.map { $0.retry?.maxElapsed ?? standard }.max() ?? standard
  }

  /// Asks for the permissions of a token only to see whether Graph is there.
  private mutating func probe(with token: AccessToken, at now: Duration) -> Call? {
    let operation = BatchOperation(method: .get, path: "me/permissions")
    return begin([(operation, token)], for: .probe, at: now)
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
  func tokens(ofChecks instances: ArraySlice<Int>) -> Set<AccessToken> {
    Set(profiles(of: instances).compactMap { tokens[$0] })
  }

  /// Tells the pacer what came of a call.
  mutating func notePace(of answered: AnsweredCall, forCall number: Int, at now: Duration) {
    var generator = generator
    pace.pacer.end(number, answered, at: wallClock(at: now)) { generator.chance() }
    self.generator = generator
  }
}

/// What a run and others tell each other of Graph's limits.
extension RunState {
  /// What others do not know yet, if it is time to tell them and hear of them.
  package func quotaChanges(at now: Duration) -> QuotaSnapshot? {
    pace.pacer.wantsExchange(at: wallClock(at: now)) ? quotaChanges : nil
  }

  /// What others do not know yet.
  package var quotaChanges: QuotaSnapshot { pace.changes }

  /// Hands in what is known by now, the changes included; nil if it could not be had.
  package mutating func receive(_ book: QuotaSnapshot?, at now: Duration) {
    var generator = generator
    pace.receive(book, at: wallClock(at: now)) { generator.chance() }
    self.generator = generator
  }

  /// The time for those who exchange: by Graph's clock, as far as it is known.
  package func moment(at now: Duration) -> Timestamp {
    wallClock(at: now).advanced(by: pace.sharedTime.lead)
  }
}

extension SplitMix64 {
  /// A number from 0 to 1.
  fileprivate mutating func chance() -> Double { Double(next() >> 11) / 0x1p53 }
}
