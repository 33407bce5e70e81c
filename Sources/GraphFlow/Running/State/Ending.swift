import GraphAPI
import JSONPath

/// The final outcome of an instance, before it becomes an event.
struct Ending: Sendable {
  var status: RequestStatus
  /// The status of the answer; nil if there was none.
  var code: Int?
  var body: ResponseBody?
  var failure: Failure?
  var skipReason: SkipReason?
  var skipDetail: String?
  var expectations: [ExpectationResult] = []
  var resolvedPath: String?
  var countsAsSuccess = false
  /// The ids of the nodes that a write has made.
  var madeIDs: [String] = []

  init(
    status: RequestStatus, response: OperationResponse? = nil, failure: Failure? = nil,
    expectations: [ExpectationResult] = [], resolvedPath: String? = nil, madeIDs: [String] = []
  ) {
    self.status = status
    code = response?.code
    body = response?.body
    self.failure = failure
    self.expectations = expectations
    self.resolvedPath = resolvedPath
    self.madeIDs = madeIDs
  }

  /// The ending of a write that a confirmation check has found.
  init(
    _ status: RequestStatus, found body: ResponseBody, madeIDs: [String], failure: Failure? = nil,
    expectations: [ExpectationResult] = [], resolvedPath: String? = nil
  ) {
    self.init(
      status: status, failure: failure, expectations: expectations, resolvedPath: resolvedPath,
      madeIDs: madeIDs)
    self.body = body
  }

  init(skipped reason: SkipReason, detail: String? = nil, countsAsSuccess: Bool = false) {
    status = .skipped
    skipReason = reason
    skipDetail = detail
    self.countsAsSuccess = countsAsSuccess
  }
}

extension RunState {
  /// Completes an instance: records the event, and unblocks its dependents.
  mutating func completeInstance(
    _ instance: Int, _ ending: Ending, code: Int? = nil, at now: Duration
  ) {
    let request = request(of: instance)
    let outcome = recordRequestEnd(
      of: request, index: graph.request(of: instance), item: itemID(of: instance), ending,
      code: code, note: instances[instance].note)
    let isBad = ending.status == .failed || ending.status == .inDoubt
    if isBad && request.onError == .stop { isStopped = true }
    instances[instance].phase = .ended(outcome)
    instances[instance].bound = nil
    confirmations.doubtful.remove(instance)
    confirmations.close(owner(of: instance), made: ending.madeIDs, at: wallClock(at: now))
    unblocked += packer.settle(instance)
    if let group = graph.group(of: instance), ending.status == .succeeded {
      groups[group].hasSucceeded = true
    }
    let hasFailed = ending.status == .failed && !outcome.countsAsSuccess
    recordItemProgress(of: instance, hasFailed: hasFailed || ending.status == .inDoubt)
  }

  /// Records an outcome and counts it.
  mutating func recordRequestEnd(
    of request: Workflow.Request, index: Int, item: ItemID?, _ ending: Ending, code: Int? = nil,
    note: String? = nil
  ) -> InstanceState.Outcome {
    let countsAsSuccess =
      ending.countsAsSuccess || (ending.status == .failed && request.onError == .ignore)
    let response = ending.body.flatMap { $0.isAbsent || request.omitsResponse ? nil : $0 }
    let end = RequestEnd(
      request: index, item: item, status: ending.status, code: ending.code ?? code,
      body: response?.text, failure: ending.failure, skipReason: ending.skipReason,
      skipDetail: ending.skipDetail, expectations: ending.expectations,
      resolvedPath: ending.resolvedPath, countsAsSuccess: countsAsSuccess, madeIDs: ending.madeIDs,
      note: note)
    events.append(.requestEnded(end))
    let outcome = InstanceState.Outcome(end)
    tally.verdict.count(outcome)
    return outcome
  }
}
