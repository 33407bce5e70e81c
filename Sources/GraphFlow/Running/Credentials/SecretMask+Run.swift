import GraphAPI
import JSONPath

/// Redacts events before they reach the journal, the report and progress.
///
/// Each function returns nil if there is no secret, which is the common case: no copy is made.
extension SecretMask {
  /// An event without secrets.
  func redacted(_ event: RunEvent) -> RunEvent? {
    switch event {
    case .runResumed, .endLost, .callStarted, .baselineRead, .itemsListed, .paused: nil
    case .runStarted(let start): redacted(start).map(RunEvent.runStarted)
    case .permissionsRead(let readings): redacted(readings).map(RunEvent.permissionsRead)
    case .tokenRead(var reading):
      redacted(reading.failure).map {
        reading.failure = $0
        return .tokenRead(reading)
      }
    case .callEnded(let end): redacted(end).map(RunEvent.callEnded)
    case .attemptEnded(var end):
      end.failure.flatMap(redacted).map {
        end.failure = $0
        return .attemptEnded(end)
      }
    case .requestEnded(let end): redacted(end).map(RunEvent.requestEnded)
    case .runEnded(var end):
      redacted(end.outputs).map {
        end.outputs = $0
        return .runEnded(end)
      }
    }
  }

  func redacted(_ start: RunStart) -> RunStart? {
    let inputs = redacted(start.inputs)
    let paths = start.requests.map { redactedByValue($0.path) }
    guard inputs != nil || paths.contains(where: { $0 != nil }) else { return nil }
    var clean = start
    if let inputs { clean.inputs = inputs }
    for (index, path) in paths.enumerated() { if let path { clean.requests[index].path = path } }
    return clean
  }

  private func redacted(_ readings: [PermissionReading]) -> [PermissionReading]? {
    let clean = readings.map { reading in
      PermissionReading(
        token: redacted(reading.token) ?? reading.token,
        permission: redacted(reading.permission) ?? reading.permission,
        status: redacted(reading.status) ?? reading.status)
    }
    return clean == readings ? nil : clean
  }

  private func redacted(_ end: CallEnd) -> CallEnd? {
    let usage = end.usage.flatMap { redacted($0) }
    let failure = end.failure.flatMap { redacted($0) }
    guard usage != nil || failure != nil else { return nil }
    var clean = end
    clean.usage = usage ?? end.usage
    clean.failure = failure ?? end.failure
    return clean
  }

  private func redacted(_ end: RequestEnd) -> RequestEnd? {
    let body = end.body.flatMap { redacted($0) }
    let path = end.resolvedPath.flatMap { redacted($0) }
    let particulars = end.hasRareValues ? redactedParticulars(of: end) : nil
    guard body != nil || path != nil || particulars != nil else { return nil }
    var clean = particulars ?? end
    clean.body = body ?? end.body
    clean.isTainted = end.isTainted || body != nil
    clean.resolvedPath = path ?? end.resolvedPath
    return clean
  }

  /// The outcome with its less common members redacted.
  private func redactedParticulars(of end: RequestEnd) -> RequestEnd? {
    let failure = end.failure.flatMap { redacted($0) }
    let clean = RequestEnd(
      request: end.request, item: end.item, status: end.status, code: end.code,
      isTainted: end.isTainted, failure: failure ?? end.failure, skipReason: end.skipReason,
      skipDetail: end.skipDetail.map { redacted($0) ?? $0 },
      expectations: end.expectations.map { verdict in
        var clean = verdict
        clean.check = redactedByValue(verdict.check) ?? verdict.check
        clean.message = verdict.message.map { redacted($0) ?? $0 }
        clean.actual = verdict.actual.map { masked($0) }
        return clean
      }, countsAsSuccess: end.countsAsSuccess, madeIDs: end.madeIDs.map { redacted($0) ?? $0 },
      note: end.note.map { redacted($0) ?? $0 }, isDecision: end.isDecision)
    var own = end
    (own.body, own.resolvedPath) = (nil, nil)
    return clean == own ? nil : clean
  }

  /// A failure without secrets: its texts came from a server.
  func redacted(_ failure: Failure) -> Failure? {
    let error = failure.error
    let clean = GraphError(
      message: redacted(error.message) ?? error.message,
      type: error.type.map { redacted($0) ?? $0 }, code: error.code, subcode: error.subcode,
      userTitle: error.userTitle.map { redacted($0) ?? $0 },
      userMessage: error.userMessage.map { redacted($0) ?? $0 }, isTransient: error.isTransient,
      fbtraceID: error.fbtraceID.map { redacted($0) ?? $0 }, data: error.data.map { masked($0) },
      originalResponse: error.originalResponse.map { masked($0) }, isFromGraph: error.isFromGraph)
    let hint = redacted(failure.hint)
    guard clean != error || hint != nil else { return nil }
    var result = failure
    result.error = clean
    result.hint = hint ?? failure.hint
    return result
  }
}
