import GraphAPI

/// From a packed batch to an HTTP call.
extension RunState {
  /// Starts the next call of the round, if one may be started now.
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
        // What it was packed with is sent later.
        giveUp(part.members, at: now)
        continue
      }
      if let call = start(part, at: now) { return call }
    }
    return nil
  }

  /// Whether a call would be made for nothing but further attempts, and what may follow them; those
  /// that a throttle put off do not count.
  private func isRetry(_ members: [PackedBatch.Member]) -> Bool {
    var isBlockedByFailure = false
    for member in members where member.references.isEmpty && member.dependsOn == nil {
      guard let failure = retriedFailure(of: member.request) else { return false }
      isBlockedByFailure = isBlockedByFailure || failure.reason != .throttled
    }
    return isBlockedByFailure
  }

  /// The retry budget is used up: what failed stays failed, what only shares its batch waits.
  private mutating func giveUp(_ members: [PackedBatch.Member], at now: Duration) {
    for index in members.map(\.request) {
      if var failure = retriedFailure(of: index), failure.reason != .throttled {
        failure.hint = Failure.noMoreRetriesHint
        end(index, Ending(status: .failed, failure: failure), at: now)
      } else if instances[index].$bound != nil {
        packer.offer(index)
      } else {
        instances[index].phase = .waiting
      }
    }
  }

  /// Why an instance is sent again by this run; nil if it sends it for the first time.
  ///
  /// What another token helps is as good as new.
  private func retriedFailure(of instance: Int) -> Failure? {
    let attempts = instances[instance].attempts
    return attempts.first == nil || attempts.isNextFree ? nil : instances[instance].lastFailure
  }

  /// The next batch of the round, without what is held back by now, which is over by that.
  mutating func nextBatch(at now: Duration) -> PackedBatch? {
    while let batch = queue.first {
      let held = batch.requests.filter { isHeldBack($0) }
      if held.isEmpty { return batch }
      queue.removeFirst()
      // What follows a member that is held back is of the same item, and held back as well.
      let members = batch.members.filter { !isHeldBack($0.request) }
      if !members.isEmpty {
        queue.insert(PackedBatch(members: members, end: batch.end), at: queue.startIndex)
      }
      for instance in held where isOpen(instance) && !instances[instance].isFinished {
        end(instance, endingHeldBack(instance), at: now)
      }
    }
    return nil
  }

  /// Binds a batch's members and starts the call; `nil` if none of them can be sent.
  private mutating func start(_ batch: PackedBatch, at now: Duration) -> Call? {
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
        end(member.request, Ending(status: .failed, failure: error), at: now)
      }
    }
    if members.contains(where: { isHeldBack($0.request) }) {
      // One of those that failed here was one too many.
      queue.insert(PackedBatch(members: members, end: batch.end), at: queue.startIndex)
      return nil
    }
    if members.isEmpty { return nil }
    return note(members, wired(operations, members), isAlone: batch.end == .alone, at: now)
  }

  /// Keeps an instance from being sent if what its permissions are was learnt since it was packed,
  /// or has to be.
  private mutating func holdBack(_ instance: Int, at now: Duration) -> Bool {
    if request(of: instance).permissions.isEmpty { return false }
    if let subject = awaitsPermissions(instance) {
      instances[instance].phase = .waiting
      permissions.wait(instance, for: subject)
      return true
    }
    guard let skip = skipByPermission(instance) else { return false }
    end(instance, skip, at: now)
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
          request,
          for: member.request,
          leftToGraph: Set(member.references),
          readFile: context.readFile
        )
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

  /// Whether something can be sent with an instance's token.
  ///
  /// - Parameters:
  ///   - own: the token that a reference stands for; nil if it is a profile's.
  ///   - instance: the instance.
  /// - Returns: the token, or why there is none.
  func standing(of own: AccessToken?, for instance: Int) -> ProfileTokens.Standing {
    own.map(tokens.standing(of:)) ?? tokens.standing(of: profile(of: instance) ?? workflow.token)
  }

  /// Gives operations their names and order, as far as others of their batch point to them.
  private func wired(
    _ operations: [BoundOperation],
    _ members: [PackedBatch.Member]
  ) -> [BoundOperation] {
    if members.allSatisfy({ $0.references.isEmpty && $0.dependsOn == nil }) { return operations }
    let pointedTo = Set(members.flatMap { $0.references + [$0.dependsOn].compactMap(\.self) })
    return zip(members, operations).map { member, bound in
      var (operation, token) = bound
      if pointedTo.contains(member.request) {
        operation.name = graph.wireName(of: member.request)
        // Without an answer of its own, a null would not tell success from doubt.
        operation.omitResponseOnSuccess = false
      }
      operation.dependsOn = member.dependsOn.map(graph.wireName(of:))
      return (operation, token)
    }
  }

  /// What events call the current attempt of an instance.
  func attemptID(of instance: Int) -> AttemptID {
    AttemptID(
      request: graph.request(of: instance),
      number: instances[instance].attempts.made,
      item: itemID(of: instance)
    )
  }

  /// Writes the intent down.
  private mutating func note(
    _ members: [PackedBatch.Member],
    _ operations: [BoundOperation],
    isAlone: Bool,
    at now: Duration
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
      let isFirst = instances[member.request].noteSending(inCall: number, at: now)
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
    return begin(
      operations,
      isAlone: isAlone,
      for: .operations(members),
      attempts: attempts,
      baselines: baselines,
      unsafeWrites: unsafeWrites,
      isProbe: isProbe(members),
      timeout: timeout,
      at: now
    )
  }

  /// Starts a call: gives it its number, and writes the intent down.
  ///
  /// What is asked before the next round is packed belongs to that round.
  ///
  /// - Parameters:
  ///   - operations: what it carries, each with its token; the first one's is the call's.
  ///   - isAlone: whether it is sent without a batch around it.
  ///   - purpose: what it is for.
  ///   - attempts: what events call its operations.
  ///   - baselines: the numbers of what is known from before the operations.
  ///   - unsafeWrites: how many of them are unsafe writes.
  ///   - isProbe: whether it is a part of a call that failed as a whole.
  ///   - timeout: how long its answer is awaited.
  ///   - now: the time since the run's start.
  /// - Returns: nil without any operation.
  mutating func begin(
    _ operations: [BoundOperation],
    isAlone: Bool = false,
    for purpose: CallUnderWay.Purpose,
    attempts: [AttemptID] = [],
    baselines: [Int] = [],
    unsafeWrites: Int = 0,
    isProbe: Bool = false,
    timeout: Duration = .seconds(60),
    at now: Duration
  ) -> Call? {
    guard let content = content(of: operations, isAlone: isAlone) else { return nil }
    var last: AccessToken?
    for (_, token) in operations where token != last {
      mask.record(token)
      last = token
    }
    tally.calls += 1
    pace.pacer.startCall(
      tally.calls,
      content,
      isProbe: purpose.isOutageProbe,
      isRetry: purpose.members.map { isRetry($0) } ?? true,
      at: wallClock(at: now)
    )
    underWay[tally.calls] = CallUnderWay(
      number: tally.calls,
      purpose: purpose,
      tokens: operations.map(\.token),
      startedAt: now,
      unsafeWrites: unsafeWrites,
      isProbe: isProbe
    )
    events.append(
      .callStarted(
        CallStart(
          number: tally.calls,
          round: purpose.precedesRound ? tally.round + 1 : tally.round,
          kind: purpose.kind(of: content),
          startedAt: wallClock(at: now),
          operations: attempts,
          baselines: baselines,
          serverTime: baselines.isEmpty ? nil : confirmations.clock.time(at: now)
        )
      )
    )
    return Call(number: tally.calls, content: content, timeout: timeout)
  }

  private func content(of operations: [BoundOperation], isAlone: Bool) -> Call.Content? {
    guard let first = operations.first else { return nil }
    let version = workflow.version ?? context.version
    if isAlone {
      return .single(
        SingleRequest(
          operation: first.operation,
          accessToken: first.token,
          version: version,
          appSecret: context.appSecret
        )
      )
    }
    let operations = operations.map { operation, token in
      var operation = operation
      if token != first.token { operation.accessToken = token }
      return operation
    }
    return BatchRequest(
      operations: operations,
      accessToken: first.token,
      version: version,
      appSecret: context.appSecret
    ).map(Call.Content.batch)
  }
}

extension CallUnderWay.Purpose {
  /// Whether it is asked before a round is packed, rather than being a part of one.
  fileprivate var precedesRound: Bool {
    switch self {
    case .operations, .baselines: false
    case .looks, .permissions, .probe: true
    }
  }

  /// What events call it.
  fileprivate func kind(of content: Call.Content) -> CallKind {
    switch (self, content) {
    case (.operations, .single): .single
    case (.operations, .batch): .batch
    case (.looks, _), (.baselines, _): .confirm
    case (.permissions, _), (.probe, _): .auth
    }
  }
}

extension Failure {
  /// What to do about a request that could have been sent again, had not so many failed.
  fileprivate static let noMoreRetriesHint =
    "it was not sent again: the calls of a run that are made for retries stay under a tenth of the "
    + "others and ten; graphflow resume RUN sends it once more"

  fileprivate static func missingToken(_ profile: String) -> Failure {
    Failure(
      error: GraphError(message: "the profile '\(profile)' has no token"),
      category: .recoverable,
      reason: .token,
      hint: "set GRAPHFLOW_ACCESS_TOKEN or configure the profile"
    )
  }
}
