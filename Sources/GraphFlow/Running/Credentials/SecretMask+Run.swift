import GraphAPI
import JSONPath

/// Redacts events before they reach the journal, the report and progress.
extension SecretMask {
  /// An event without secrets; nil if it has none, which is the common case.
  func redacted(_ event: RunEvent) -> RunEvent? {
    switch event {
    case .runResumed, .endLost, .callStarted, .baselineRead, .itemsListed, .reportRun,
      .paused, .concurrencyChanged:
      nil
    case .runStarted(let start): redacted(start).map(RunEvent.runStarted)
    case .permissionsRead(let readings): redacted(readings).map(RunEvent.permissionsRead)
    case .tokenRead(var reading):
      redacted(reading.failure).map {
        reading.failure = $0
        return .tokenRead(reading)
      }
    case .callEnded(let end): redacted(end).map(RunEvent.callEnded)
    case .attemptEnded(let end):
      end.failure.flatMap(redacted).map {
        var clean = end
        clean.failure = $0
        return .attemptEnded(clean)
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
    var clean = start
    clean.inputs = redacted(start.inputs) ?? start.inputs
    for (index, request) in start.requests.enumerated() {
      if let path = redactedByValue(request.path) { clean.requests[index].path = path }
    }
    return clean == start ? nil : clean
  }

  private func redacted(_ readings: [PermissionReading]) -> [PermissionReading]? {
    let clean = readings.map { reading in
      PermissionReading(
        token: masked(reading.token), permission: masked(reading.permission),
        status: masked(reading.status))
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
    let body = end.body.flatMap { redacted($0, mayContain: end.mayBodyContainSecret) }
    let path = end.resolvedPath.flatMap { redacted($0) }
    let rareValues = end.rareValues.flatMap { redacted($0) }
    guard body != nil || path != nil || rareValues != nil else { return nil }
    var clean = end
    clean.redact(body: body, path: path, rareValues: rareValues)
    return clean
  }

  private func redacted(_ values: RequestEnd.RareValues) -> RequestEnd.RareValues? {
    var clean = values
    clean.failure = values.failure.map { redacted($0) ?? $0 }
    clean.skipDetail = values.skipDetail.map { masked($0) }
    clean.expectations = values.expectations.map { verdict in
      ExpectationResult(
        check: redactedByValue(verdict.check) ?? verdict.check, passed: verdict.passed,
        message: verdict.message.map { masked($0) }, actual: verdict.actual.map { masked($0) })
    }
    clean.madeIDs = values.madeIDs.map { masked($0) }
    clean.note = values.note.map { masked($0) }
    return clean == values ? nil : clean
  }

  /// A failure without secrets: its texts came from a server.
  func redacted(_ failure: Failure) -> Failure? {
    let error = failure.error
    var clean = error
    clean.message = masked(error.message)
    clean.type = error.type.map { masked($0) }
    clean.userTitle = error.userTitle.map { masked($0) }
    clean.userMessage = error.userMessage.map { masked($0) }
    clean.fbtraceID = error.fbtraceID.map { masked($0) }
    clean.data = error.data.map { masked($0) }
    clean.originalResponse = error.originalResponse.map { masked($0) }
    let hint = redacted(failure.hint)
    let answer = failure.answer.flatMap { redacted(Array($0.utf8)) }
    let missing = failure.missing.map { masked($0) }
    guard clean != error || hint != nil || answer != nil || missing != failure.missing else {
      return nil
    }
    return Failure(
      error: clean, category: failure.category, reason: failure.reason, hint: hint ?? failure.hint,
      answer: answer.map { String(decoding: $0, as: UTF8.self) } ?? failure.answer,
      missing: missing)
  }
}
