extension World {
  /// What an operation came to.
  struct Execution {
    /// nil: a `null` item.
    var answer: Answer?
    /// What went wrong on purpose.
    var fault: String?
    /// Whether it was executed, and with success.
    var isApplied: Bool
  }

  /// Executes an operation, unless a fault has it otherwise.
  mutating func execute(
    _ request: GraphRequest,
    from caller: Caller,
    named name: String?,
    at index: Int?
  ) -> Execution {
    guard !faults.course.isEmpty,
      let fault = faults.course.effect(for: FaultSubject(request, named: name, at: index))
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

  /// Reads, from the world as it was before a write that lags if there is one.
  mutating func readBehind(
    _ request: GraphRequest,
    _ scope: inout ReadScope
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

  /// The answer that refuses an operation, or a call, for some time.
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

  /// A whole number where it is one, as Graph's minutes are.
  private static func decimal(_ minutes: Double) -> String {
    Int(exactly: minutes).map { String($0) } ?? String(minutes)
  }
}
