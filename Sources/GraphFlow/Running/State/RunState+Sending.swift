import GraphAPI

/// Turns a packed batch into an HTTP call.
extension RunState {
  /// Starts the next call of the round, if one may start now.
  mutating func nextCall(at now: Duration) -> Call? {
    while let batch = nextBatch(at: now) {
      guard underWay.count < options.concurrency else { return nil }
      let unsafeWrites = batch.requests.count { request(of: $0).isUnconfirmable }
      guard underWay.isEmpty || tally.unsafeWrites + unsafeWrites <= options.maxUnsafeWrites
      else { return nil }
      // The next batch's token may not be here yet.
      guard profiles(of: batch.requests).allSatisfy(tokens.isRead) else { return nil }
      if isRetry(batch.members) && !tally.allowsRetry {
        queue.removeFirst()
        giveUp(batch.members, at: now)
        continue
      }
      guard let operations = allowedOperations(for: tokens(of: batch), at: now) else {
        if moveAllowedBatchToFront(at: now) { continue }
        return nil
      }
      queue.removeFirst()
      guard let part = shortened(batch, to: operations) else {
        queue.insert(batch, at: queue.startIndex)
        pace.holdForBudget(at: wallClock(at: now))
        return nil
      }
      if isRetry(part.members) && !tally.allowsRetry {
        // The members that were cut off are sent later.
        giveUp(part.members, at: now)
        continue
      }
      if let call = startBatch(part, at: now) { return call }
    }
    return nil
  }

  /// Whether every operation of a call is a retry, or follows one.
  ///
  /// A call whose retries are all due to throttling does not count.
  private func isRetry(_ members: [PackedBatch.Member]) -> Bool {
    var isBlockedByFailure = false
    for member in members where member.references.isEmpty && member.dependsOn == nil {
      guard let failure = retriedFailure(of: member.request) else { return false }
      isBlockedByFailure = isBlockedByFailure || failure.reason != .throttled
    }
    return isBlockedByFailure
  }

  /// Completes the failed members of a call that exceeds the retry budget; the others wait.
  private mutating func giveUp(_ members: [PackedBatch.Member], at now: Duration) {
    for index in members.map(\.request) {
      if var failure = retriedFailure(of: index), failure.reason != .throttled {
        failure.hint = Failure.noMoreRetriesHint
        completeInstance(index, Ending(status: .failed, failure: failure), at: now)
      } else if instances[index].$bound != nil {
        packer.offer(index)
      } else {
        instances[index].phase = .waiting
      }
    }
  }

  /// The failure that makes the next attempt a retry; nil if this process sends it for the first
  /// time.
  ///
  /// The first attempt with a renewed token is not a retry.
  private func retriedFailure(of instance: Int) -> Failure? {
    let attempts = instances[instance].attempts
    return attempts.first == nil || attempts.isNextFree ? nil : instances[instance].lastFailure
  }

  /// The next batch of the round; completes the members that must not be sent any more.
  mutating func nextBatch(at now: Duration) -> PackedBatch? {
    while let batch = queue.first {
      let held = batch.requests.filter { isHeldBack($0) }
      if held.isEmpty { return batch }
      queue.removeFirst()
      // A follower of a member that is held back has the same item, so it is held back as well.
      let members = batch.members.filter { !isHeldBack($0.request) }
      if !members.isEmpty {
        queue.insert(
          PackedBatch(members: members, closeReason: batch.closeReason), at: queue.startIndex)
      }
      for instance in held where isOpen(instance) && !instances[instance].isFinished {
        completeInstance(instance, endingHeldBack(instance), at: now)
      }
    }
    return nil
  }

  /// Binds a batch's members and starts the call; `nil` if none of them can be sent.
  private mutating func startBatch(_ batch: PackedBatch, at now: Duration) -> Call? {
    var members: [PackedBatch.Member] = []
    members.reserveCapacity(batch.members.count)
    var operations: [BoundOperation] = []
    operations.reserveCapacity(batch.members.count)
    var fallen: Set<Int> = []
    for member in batch.members {
      let predecessors = member.references + [member.dependsOn].compactMap(\.self)
      if predecessors.contains(where: fallen.contains) {
        fallen.insert(member.request)
        instances[member.request].phase = .waiting
        continue
      }
      if holdBack(member.request, at: now) {
        fallen.insert(member.request)
        continue
      }
      do throws(Failure) {
        operations.append(try bind(member))
        members.append(member)
      } catch {
        fallen.insert(member.request)
        completeInstance(member.request, Ending(status: .failed, failure: error), at: now)
      }
    }
    if members.contains(where: { isHeldBack($0.request) }) {
      // With the failures above the group has reached its limit.
      queue.insert(
        PackedBatch(members: members, closeReason: batch.closeReason), at: queue.startIndex)
      return nil
    }
    if members.isEmpty { return nil }
    return startOperations(
      members, wired(operations, members), isAlone: batch.closeReason == .alone, at: now)
  }

  /// Keeps an instance from being sent if its permissions changed after the packing, or have to be
  /// read again.
  ///
  /// - Returns: Whether it was held back.
  private mutating func holdBack(_ instance: Int, at now: Duration) -> Bool {
    if request(of: instance).permissions.isEmpty { return false }
    if let subject = awaitsPermissions(instance) {
      instances[instance].phase = .waiting
      permissions.wait(instance, for: subject)
      return true
    }
    guard let skip = skipByPermission(instance) else { return false }
    completeInstance(instance, skip, at: now)
    return true
  }

  private func bind(_ member: PackedBatch.Member) throws(Failure) -> BoundOperation {
    let request = request(of: member.request)
    let bound: BoundRequest
    do throws(BindingFailure) {
      if let ready = instances[member.request].bound, member.references.isEmpty,
        request.files.isEmpty
      {
        bound = ready
      } else {
        bound = try self.bound(
          request, for: member.request, leftToGraph: Set(member.references),
          readFile: context.readFile)
      }
    } catch {
      throw error.failure
    }
    switch standing(of: bound.token, for: member.request) {
    case .usable(let token): return (bound.operation, token)
    case .unread(let profile): throw .missingToken(profile)
    case .unusable(let failure): throw failure
    }
  }

  /// The token of an instance, if it can be used.
  ///
  /// - Parameters:
  ///   - own: The token that a reference selects; nil if it is a profile's.
  ///   - instance: The instance.
  /// - Returns: The token, or the reason why there is none.
  func standing(of own: AccessToken?, for instance: Int) -> ProfileTokens.Standing {
    own.map(tokens.standing(of:)) ?? tokens.standing(of: profile(of: instance) ?? workflow.token)
  }

  /// Adds names and `depends_on` to the operations that refer to one another.
  private func wired(
    _ operations: [BoundOperation], _ members: [PackedBatch.Member]
  ) -> [BoundOperation] {
    if members.allSatisfy({ $0.references.isEmpty && $0.dependsOn == nil }) { return operations }
    let pointedTo = Set(members.flatMap { $0.references + [$0.dependsOn].compactMap(\.self) })
    return zip(members, operations).map { member, bound in
      var (operation, token) = bound
      if pointedTo.contains(member.request) {
        operation.name = graph.wireName(of: member.request)
        // A null in place of its answer would not distinguish success from doubt.
        operation.omitResponseOnSuccess = false
      }
      operation.dependsOn = member.dependsOn.map(graph.wireName(of:))
      return (operation, token)
    }
  }

  /// The current attempt of an instance as events identify it.
  func attemptID(of instance: Int) -> AttemptID {
    AttemptID(
      request: graph.request(of: instance), number: instances[instance].attempts.made,
      item: itemID(of: instance))
  }

  /// Records the attempts of a call's operations, and starts the call.
  private mutating func startOperations(
    _ members: [PackedBatch.Member], _ operations: [BoundOperation], isAlone: Bool, at now: Duration
  ) -> Call? {
    let number = tally.calls + 1
    if isRetry(members) { tally.retryCalls += 1 } else { tally.firstCalls += 1 }
    var attempts: [AttemptID] = []
    attempts.reserveCapacity(members.count)
    var baselines: [Int] = []
    var unsafeWrites = 0
    var timeout = Duration.zero
    for member in members {
      let request = request(of: member.request)
      let isFirst = instances[member.request].recordAttemptStart(inCall: number, at: now)
      if isFirst { tally.sentInstances[graph.request(of: member.request)] += 1 }
      if request.confirmation != nil {
        confirmations.claims.recordIntent(of: owner(of: member.request), since: wallClock(at: now))
        baselines += Array(repeating: 0, count: attempts.count - baselines.count)
        baselines.append(recordEvidence(of: member.request, at: now))
      }
      attempts.append(attemptID(of: member.request))
      if request.isUnconfirmable { unsafeWrites += 1 }
      timeout = max(timeout, request.timeout)
    }
    tally.unsafeWrites += unsafeWrites
    return startCall(
      operations, isAlone: isAlone, for: .operations(members), attempts: attempts,
      baselines: baselines, unsafeWrites: unsafeWrites, isProbe: isProbe(members), timeout: timeout,
      at: now)
  }

  /// Starts a call: assigns its number, and records the intent.
  ///
  /// A call that precedes the packing of the next round belongs to that round.
  ///
  /// - Parameters:
  ///   - operations: The operations, each with its token; the first token is the call's own.
  ///   - isAlone: Whether the only operation is sent without a batch.
  ///   - purpose: The purpose of the call.
  ///   - attempts: The attempts that the operations are, for the event.
  ///   - baselines: The number of each operation's baseline, for the event.
  ///   - unsafeWrites: The number of unsafe writes among the operations.
  ///   - isProbe: Whether it carries only a part of a call that failed as a whole.
  ///   - timeout: How long to wait for the answer.
  ///   - now: The time since the run's start.
  /// - Returns: The call; nil if there is no operation.
  mutating func startCall(
    _ operations: [BoundOperation], isAlone: Bool = false, for purpose: CallUnderWay.Purpose,
    attempts: [AttemptID] = [], baselines: [Int] = [], unsafeWrites: Int = 0, isProbe: Bool = false,
    timeout: Duration = .seconds(60), at now: Duration
  ) -> Call? {
    guard let content = content(of: operations, isAlone: isAlone) else { return nil }
    var last: AccessToken?
    for (_, token) in operations where token != last {
      mask.record(token)
      last = token
    }
    tally.calls += 1
    pace.pacer.startCall(
      tally.calls, content, isProbe: purpose.isOutageProbe,
      isRetry: purpose.members.map { isRetry($0) } ?? true, at: wallClock(at: now))
    underWay[tally.calls] = CallUnderWay(
      number: tally.calls, purpose: purpose, tokens: operations.map(\.token), startedAt: now,
      unsafeWrites: unsafeWrites, isProbe: isProbe)
    events.append(
      .callStarted(
        CallStart(
          number: tally.calls, round: purpose.precedesRound ? tally.round + 1 : tally.round,
          kind: purpose.kind(of: content), startedAt: wallClock(at: now), operations: attempts,
          baselines: baselines,
          serverTime: baselines.isEmpty ? nil : confirmations.clock.time(at: now))))
    return Call(number: tally.calls, content: content, timeout: timeout)
  }

  private func content(of operations: [BoundOperation], isAlone: Bool) -> Call.Content? {
    guard let first = operations.first else { return nil }
    let version = workflow.version ?? context.version
    if isAlone {
      return .single(
        SingleRequest(
          operation: first.operation, accessToken: first.token, version: version,
          appSecret: context.appSecret))
    }
    let operations = operations.map { operation, token in
      var operation = operation
      if token != first.token { operation.accessToken = token }
      return operation
    }
    return BatchRequest(
      operations: operations, accessToken: first.token, version: version,
      appSecret: context.appSecret
    ).map(Call.Content.batch)
  }
}

extension CallUnderWay.Purpose {
  /// Whether the call precedes the packing of a round, rather than being a part of one.
  fileprivate var precedesRound: Bool {
    switch self {
    case .operations, .baselines: false
    case .checks, .permissions, .probe: true
    }
  }

  /// The kind of the call in events.
  fileprivate func kind(of content: Call.Content) -> CallKind {
    switch (self, content) {
    case (.operations, .single): .single
    case (.operations, .batch): .batch
    case (.checks, _), (.baselines, _): .confirm
    case (.permissions, _), (.probe, _): .auth
    }
  }
}

extension Failure {
  /// What to do about a request whose retry the run's retry budget did not allow.
  fileprivate static let noMoreRetriesHint =
    "it was not sent again: a run makes at most 10 calls for retries, plus a tenth of its other "
    + "calls; graphflow resume RUN sends it again"

  fileprivate static func missingToken(_ profile: String) -> Failure {
    Failure(
      error: GraphError(message: "the profile '\(profile)' has no token"), category: .recoverable,
      reason: .token, hint: "set GRAPHFLOW_ACCESS_TOKEN or configure the profile")
  }
}
