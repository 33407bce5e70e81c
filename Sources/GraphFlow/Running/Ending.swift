import GraphAPI
import JSONPath

/// How an instance ends, before it becomes an event.
struct Ending: Sendable {
  var status: RequestStatus
  var response: OperationResponse?
  var failure: Failure?
  var skipReason: SkipReason?
  var skipDetail: String?
  var expectations: [ExpectationResult] = []
  var resolvedPath: String?
  var isExcused = false

  init(
    status: RequestStatus,
    response: OperationResponse? = nil,
    failure: Failure? = nil,
    expectations: [ExpectationResult] = [],
    resolvedPath: String? = nil
  ) {
    self.status = status
    self.response = response
    self.failure = failure
    self.expectations = expectations
    self.resolvedPath = resolvedPath
  }

  init(skipped reason: SkipReason, detail: String? = nil, isExcused: Bool = false) {
    status = .skipped
    skipReason = reason
    skipDetail = detail
    self.isExcused = isExcused
  }
}

extension RunState {
  /// Ends an instance: notes the event, settles it, and frees what waited for it.
  mutating func end(_ instance: Int, _ ending: Ending, code: Int? = nil, at now: Duration) {
    let request = request(of: instance)
    let outcome = noteEnd(
      of: request,
      index: graph.request(of: instance),
      item: itemID(of: instance),
      ending,
      code: code
    )
    let isBad = ending.status == .failed || ending.status == .inDoubt
    if isBad && request.onError == .stop { isStopped = true }
    instances[instance].phase = .ended(outcome)
    bound[instance] = nil
    freed += packer.settle(instance)
    if let group = graph.group(of: instance), ending.status == .succeeded {
      groups[group].hasSucceeded = true
    }
    let hasFailed = ending.status == .failed && !outcome.isExcused
    finishItem(of: instance, hasFailed: hasFailed || ending.status == .inDoubt)
  }

  /// Writes an outcome down and counts it.
  mutating func noteEnd(
    of request: Workflow.Request,
    index: Int,
    item: ItemID?,
    _ ending: Ending,
    code: Int?
  ) -> InstanceState.Outcome {
    let isExcused = ending.isExcused || (ending.status == .failed && request.onError == .ignore)
    var body: [UInt8]?
    var isTainted = false
    if let response = ending.response, !response.body.isAbsent, !request.omitsResponse {
      let masked = mask.masked(response.body.text)
      (body, isTainted) = (masked.body, masked.isTainted)
    }
    events.append(
      .requestEnded(
        RequestEnd(
          request: index,
          item: item,
          status: ending.status,
          code: ending.response?.code ?? code,
          body: body,
          isTainted: isTainted,
          failure: ending.failure,
          skipReason: ending.skipReason,
          skipDetail: ending.skipDetail,
          expectations: ending.expectations,
          resolvedPath: ending.resolvedPath.map { mask.masked($0) },
          isExcused: isExcused
        )
      )
    )
    let outcome = InstanceState.Outcome(
      status: ending.status,
      reason: ending.failure?.reason,
      skipReason: ending.skipReason,
      isExcused: isExcused
    )
    tally.verdict.count(outcome)
    return outcome
  }
}
