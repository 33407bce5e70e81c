import GraphAPI

/// Keeps a run within Graph's limits.
extension RunState {
  /// How many operations the next call may carry for these tokens; nil if it has to wait.
  mutating func allowedOperations(for tokens: Set<AccessToken>, at now: Duration) -> Int? {
    let batches =
      queue.count + confirmations.pendingChecks.count / max(options.limits.width, 1)
      + underWay.count
    return pace.allowedOperations(
      for: tokens, isSmall: batches <= 4, isIdle: underWay.isEmpty, at: wallClock(at: now))
  }

  /// Moves the first batch that may be sent to the front, past batches whose tokens have to wait.
  ///
  /// - Returns: whether there is such a batch.
  mutating func moveAllowedBatchToFront(at now: Duration) -> Bool {
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

  /// The part of a batch that may be sent; the rest waits for the next round.
  ///
  /// - Returns: nil if not even its first operation may be sent, because Graph counts it as several.
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
    return PackedBatch(members: Array(fitting), closeReason: batch.closeReason)
  }

  private mutating func first(of batch: PackedBatch) -> PackedBatch {
    putBack(batch.members.dropFirst())
    return PackedBatch(members: Array(batch.members.prefix(1)), closeReason: batch.closeReason)
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

  /// The action after a hold, when nothing is under way.
  mutating func endHold(at now: Duration) -> Action? {
    let time = wallClock(at: now)
    switch pace.stepAfterHold(patience: patience, at: time) {
    case nil: return nil
    case .probe(let token):
      let call = token.flatMap { probe(with: $0, at: now) }
      return call.map(Action.send) ?? wait(until: now + .seconds(1), from: now)
    case .finish: return finishRun(at: now)
    case .wait(let until, let news):
      if let news { events.append(.paused(news)) }
      let pause = Duration.milliseconds(until.milliseconds - time.milliseconds)
      return wait(until: now + pause, from: now)
    }
  }

  /// The longest time that a request may wait.
  private var patience: Duration {
    let standard = RetryPolicy.standard.maxElapsed
    return workflow.requests.map { $0.retry?.maxElapsed ?? standard }.max() ?? standard
  }

  /// Reads the permissions of a token, only to find out whether Graph is available.
  private mutating func probe(with token: AccessToken, at now: Duration) -> Call? {
    let operation = BatchOperation(method: .get, path: "me/permissions")
    return startCall([(operation, token)], for: .probe, at: now)
  }

  /// The known tokens of a batch's operations.
  func tokens(of batch: PackedBatch) -> Set<AccessToken> {
    let requests = batch.requests
    let own = requests.filter { profile(of: $0) == nil }.compactMap {
      instances[$0].$bound?.value.token
    }
    return Set(own + profiles(of: requests).compactMap { tokens[$0] })
  }

  /// The known tokens of checks.
  func tokens(ofChecks instances: ArraySlice<Int>) -> Set<AccessToken> {
    Set(profiles(of: instances).compactMap { tokens[$0] })
  }

  /// Updates the pacer by the result of a call.
  mutating func updatePace(of answered: AnsweredCall, forCall number: Int, at now: Duration) {
    var generator = generator
    pace.pacer.finishCall(number, answered, at: wallClock(at: now)) { generator.nextFraction() }
    self.generator = generator
  }
}

/// Exchanges what is known of Graph's limits with other processes.
extension RunState {
  /// What was found out since the last exchange, if it is time for the next one.
  package func quotaChanges(at now: Duration) -> QuotaSnapshot? {
    pace.pacer.wantsExchange(at: wallClock(at: now)) ? quotaChanges : nil
  }

  /// What was found out since the last exchange.
  package var quotaChanges: QuotaSnapshot { pace.changes }

  /// Merges the result of an exchange; nil if the exchange failed.
  package mutating func mergeQuota(_ snapshot: QuotaSnapshot?, at now: Duration) {
    var generator = generator
    pace.mergeQuota(snapshot, at: wallClock(at: now)) { generator.nextFraction() }
    self.generator = generator
  }

  /// The time of an exchange: by Graph's clock, if known.
  package func graphTime(at now: Duration) -> Timestamp {
    wallClock(at: now).advanced(by: pace.sharedTime.lead)
  }
}

extension SplitMix64 {
  /// A random number from 0 to 1.
  fileprivate mutating func nextFraction() -> Double { Double(next() >> 11) / 0x1p53 }
}
