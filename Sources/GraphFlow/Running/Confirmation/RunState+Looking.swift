import GraphAPI
import JSONPath

/// Looks for writes that may have happened: which are due, and their calls.
extension RunState {
  /// The writes that have to be looked for now, in order.
  func readyChecks(at now: Duration) -> [Int] {
    confirmations.doubtful.sorted().filter { instance in
      guard let time = checkTime(of: instance) else { return false }
      return time <= now
    }
  }

  /// When the next look is due; nil if none is.
  var earliestCheck: Duration? { confirmations.doubtful.compactMap(checkTime).min() }

  /// When a write has to be looked for; nil as long as nobody can, or somebody does.
  private func checkTime(of instance: Int) -> Duration? {
    guard case .due(let time) = instances[instance].doubt?.step, hasWhatCheckNeeds(instance) else {
      return nil
    }
    return time
  }

  /// Whether everything that a look refers to is over.
  ///
  /// It is, when the write itself was sent by this run. In a resumed one a body that held a secret
  /// may have to be asked for again first.
  private func hasWhatCheckNeeds(_ instance: Int) -> Bool {
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

  /// Starts the next call of this turn's looks, if one may be started now.
  ///
  /// They are made before the next round is packed, while nothing else is under way: so every
  /// write that was answered has its id already.
  mutating func nextCheck(at now: Duration) -> Call? {
    while !confirmations.turn.isEmpty, underWay.count < options.concurrency {
      guard let count = allowedOperations(for: tokens(ofChecks: confirmations.turn), at: now) else {
        return nil
      }
      if let call = startChecks(atMost: count, at: now) { return call }
    }
    return nil
  }

  /// Binds as many looks as share a batch; nil if none of them can be made.
  private mutating func startChecks(atMost count: Int, at now: Duration) -> Call? {
    var members: [Int] = []
    var operations: [BoundOperation] = []
    var isAlone = false
    let width = min(options.limits.width, max(count, 1))
    while !isAlone, let instance = confirmations.turn.first, members.count < width {
      do throws(BindingFailure) {
        let (bound, token) = try boundCheck(for: instance)
        if bound.mustBeSentAlone && !members.isEmpty { break }
        confirmations.endFirstCheck()
        members.append(instance)
        operations.append((bound.operation, token))
        isAlone = bound.mustBeSentAlone
      } catch {
        confirmations.endFirstCheck()
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
    // What it could not be judged by must not be asked in vain.
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
    hint: "say how to look for the write"
  )

  fileprivate static func noToken(_ problem: String) -> BindingFailure {
    BindingFailure(
      reason: .token,
      message: problem,
      hint: "set GRAPHFLOW_ACCESS_TOKEN or configure the profile"
    )
  }
}
