import GraphAPI
import JSONPath

/// How a request ends, before it becomes an event.
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
  /// Ends a request: notes the event, settles it, and frees what waited for it.
  mutating func end(_ index: Int, _ ending: Ending, code: Int? = nil, at now: Duration) {
    let request = workflow.requests[index]
    let isExcused = ending.isExcused || (ending.status == .failed && request.onError == .ignore)
    if ending.status == .failed && request.onError == .stop { isStopped = true }
    var body: [UInt8]?
    var isTainted = false
    if let response = ending.response, !response.body.isAbsent, !request.omitsResponse {
      let redacted = mask.masked(response.body.text)
      (body, isTainted) = (redacted.body, redacted.isTainted)
    }
    events.append(
      .requestEnded(
        RequestEnd(
          request: index,
          status: ending.status,
          code: ending.response?.code ?? code,
          body: body,
          isTainted: isTainted,
          failure: ending.failure,
          skipReason: ending.skipReason,
          skipDetail: ending.skipDetail,
          expectations: ending.expectations,
          resolvedPath: ending.resolvedPath,
          isExcused: isExcused
        )
      )
    )
    requests[index].phase = .ended(
      RequestState.Outcome(
        status: ending.status,
        reason: ending.failure?.reason,
        skipReason: ending.skipReason,
        isExcused: isExcused
      )
    )
    bound[index] = nil
    freed += packer.settle(index)
  }
}
