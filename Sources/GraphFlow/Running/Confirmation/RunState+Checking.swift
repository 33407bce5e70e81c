import GraphAPI
import JSONPath

/// Confirmation checks for writes in doubt: which are ready, and their calls.
extension RunState {
  /// The writes whose checks are ready to be sent, in order.
  func readyChecks(at now: Duration) -> [Int] {
    confirmations.doubtful.sorted().filter { instance in
      guard let time = checkTime(of: instance) else { return false }
      return time <= now
    }
  }

  /// When the next check is ready; nil if none is scheduled.
  var earliestCheck: Duration? { confirmations.doubtful.compactMap(checkTime).min() }

  /// When the check of a write is ready; nil if it is under way, or waits for another request.
  private func checkTime(of instance: Int) -> Duration? {
    guard case .scheduled(let time) = instances[instance].doubt?.step,
      hasFinishedCheckReferences(instance)
    else { return nil }
    return time
  }

  /// Whether every request that a check refers to is finished.
  ///
  /// If this run sent the write itself, they are. A resumed run may first have to request a body
  /// again that held a secret.
  private func hasFinishedCheckReferences(_ instance: Int) -> Bool {
    let request = request(of: instance)
    var placeholders = request.confirmation?.placeholders ?? []
    if case .reference(let template) = request.token { placeholders += template.placeholders }
    return placeholders.compactMap(\.reference).allSatisfy { reference in
      if let referred = bodies.instance(of: reference, seenFrom: item(of: instance)) {
        return instances[referred].isFinished
      }
      return graph.group(of: reference.request).map { groups[$0].isFinished } ?? true
    }
  }

  /// Starts the next call of this round's checks, if one may be started now.
  ///
  /// Checks are sent before the next round is packed, while nothing else is under way. So the ids of
  /// all answered writes are known.
  mutating func nextCheck(at now: Duration) -> Call? {
    while !confirmations.pendingChecks.isEmpty, underWay.count < options.concurrency {
      let tokens = tokens(ofChecks: confirmations.pendingChecks)
      guard let count = allowedOperations(for: tokens, at: now) else { return nil }
      if let call = startChecks(atMost: count, at: now) { return call }
    }
    return nil
  }

  /// Starts the checks that share the next batch; nil if none of them can be bound.
  private mutating func startChecks(atMost count: Int, at now: Duration) -> Call? {
    var members: [Int] = []
    var operations: [BoundOperation] = []
    var isAlone = false
    let width = min(options.limits.width, max(count, 1))
    while !isAlone, let instance = confirmations.pendingChecks.first, members.count < width {
      do throws(BindingFailure) {
        let (bound, token) = try boundCheck(for: instance)
        if bound.mustBeSentAlone && !members.isEmpty { break }
        confirmations.pendingChecks.removeFirst()
        members.append(instance)
        operations.append((bound.operation, token))
        isAlone = bound.mustBeSentAlone
      } catch {
        confirmations.pendingChecks.removeFirst()
        stayInDoubt(instance, because: .checkFailed(error.failure), at: now)
      }
    }
    for instance in members {
      guard var doubt = instances[instance].doubt else { continue }
      doubt.step = .underWay(since: now)
      instances[instance].phase = .doubtful(doubt)
    }
    return startCall(
      operations,
      isAlone: isAlone,
      for: .checks(members),
      attempts: members.map(attemptID),
      timeout: members.map { request(of: $0).timeout }.max() ?? .seconds(60),
      at: now
    )
  }

  private func boundCheck(
    for instance: Int
  ) throws(BindingFailure) -> (bound: BoundRequest, token: AccessToken) {
    let request = request(of: instance)
    guard let doubt = instances[instance].doubt, let confirmation = request.confirmation else {
      throw .noCheck
    }
    // A check whose answer could not be read is not sent.
    _ = try reading(of: confirmation, for: instance, at: .zero)
    var bound = try bindings(for: instance).bound(confirmation, for: request)
    doubt.pages?.collection.turn(&bound.operation)
    switch standing(of: bound.token, for: instance) {
    case .usable(let token): return (bound, token)
    case .unread: throw .noToken("the profile has no token")
    case .unusable(let failure): throw .noToken(failure.error.message)
    }
  }
}

extension BindingFailure {
  fileprivate static let noCheck = BindingFailure(
    reason: .unknown,
    message: "the request has no `confirm`",
    hint: "add a `confirm` that finds the write"
  )

  fileprivate static func noToken(_ problem: String) -> BindingFailure {
    BindingFailure(
      reason: .token,
      message: problem,
      hint: "set GRAPHFLOW_ACCESS_TOKEN or configure the profile"
    )
  }
}
