extension World {
  /// The result of executing an operation.
  struct Execution {
    /// The answer; nil: a `null` item.
    var answer: Answer?
    /// The fault that was injected.
    var fault: String?
    /// Whether it was executed successfully.
    var isApplied: Bool
  }

  /// Executes an operation, with the fault that matches it if there is one.
  mutating func execute(
    _ request: GraphRequest, from caller: Caller, named name: String?, at index: Int?
  ) -> Execution {
    guard !faults.injector.isEmpty,
      let fault = faults.injector.effect(for: FaultSubject(request, named: name, at: index))
    else {
      let answer = execute(request, from: caller)
      return Execution(answer: answer, isApplied: answer.hasSucceeded)
    }
    switch fault {
    case .error(let error, let execution):
      let isApplied = execution == .applied && execute(request, from: caller).hasSucceeded
      let answer = failure(error.fault, version: request.version)
      return Execution(answer: answer, fault: error.label, isApplied: isApplied)
    case .throttled(let code, let regain):
      let answer = throttling(code: code, regain: regain, version: request.version)
      return Execution(answer: answer, fault: "throttled", isApplied: false)
    case .unfinished(let form, let execution):
      let isApplied = execution == .applied && execute(request, from: caller).hasSucceeded
      guard form != .null || index == nil else {
        return Execution(answer: nil, fault: "unfinished", isApplied: isApplied)
      }
      var fault = GraphFault.aborted
      if index == nil { fault.status = 400 }
      let answer = failure(fault, version: request.version)
      return Execution(answer: answer, fault: "unfinished", isApplied: isApplied)
    case .lag(let reads):
      let before = objects
      let answer = execute(request, from: caller)
      if answer.hasSucceeded { faults.lag = .init(reads: reads, objects: before) }
      return Execution(answer: answer, fault: "lag", isApplied: answer.hasSucceeded)
    }
  }

  /// Reads; while a write lags, from the objects before it.
  mutating func readWithLag(
    _ request: GraphRequest, _ scope: inout ReadScope
  ) throws(GraphFault) -> Outcome {
    guard let lag = faults.lag else { return try read(request, &scope) }
    faults.lag?.reads -= 1
    guard lag.reads > 0 else {
      faults.lag = nil
      return try read(request, &scope)
    }
    let present = objects
    objects = lag.objects
    defer { objects = present }
    return try read(request, &scope)
  }

  /// The answer to a throttled operation or call.
  mutating func throttling(code: Int, regain: Duration, version: String?) -> Answer {
    let fault = InjectedError(code: code).fault
    var headers = meter.headers(of: [], at: now)
    let minutes = regain / .seconds(60)
    let usage =
      "{\"call_count\":100,\"total_cputime\":100,\"total_time\":100,"
      + "\"estimated_time_to_regain_access\":\(Self.decimal(minutes)),\"type\":\"pages\"}"
    headers.others.removeAll { $0.name == UsageHeaders.business }
    headers.others.append((UsageHeaders.business, "{\"\(application)\":[\(usage)]}"))
    return failure(fault, version: version, usage: headers)
  }

  /// A number in decimals, without a fraction if it is whole.
  private static func decimal(_ minutes: Double) -> String {
    Int(exactly: minutes).map { String($0) } ?? String(minutes)
  }
}
