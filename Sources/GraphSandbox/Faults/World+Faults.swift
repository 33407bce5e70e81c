import JSONPath

/// Calls and operations with injected faults.
extension World {
  /// Applies the faults of the world before a call; returns the fault of the call itself.
  mutating func applyFaults(before call: GraphCall) -> CallFault? {
    guard !faults.injector.isEmpty else { return nil }
    let effects = faults.injector.startCall(call.faultSubjects, at: now)
    for (fault, token) in effects.world {
      guard let token = token ?? call.token else { continue }
      switch fault {
      case .token(let state): access.grants[token]?.state = state
      case .declined(let name):
        if let user = access.grants[token]?.user { access.decline(name, by: user) }
      }
    }
    return effects.call
  }

  mutating func answer(
    _ call: GraphCall, with fault: CallFault, _ log: inout SandboxCall
  ) -> HTTPAnswer {
    log.fault = fault.label
    switch fault {
    case .error(let error, let execution):
      perform(call, execution, &log)
      return refusal(error.fault, of: call)
    case .throttled(let code, let regain):
      perform(call, .notApplied, &log)
      let answer = throttling(code: code, regain: regain, version: call.version)
      return HTTPAnswer(answer, traceID: nextTraceID())
    case .page(let status, let execution):
      perform(call, execution, &log)
      return HTTPAnswer(page: status)
    case .dropped(let execution):
      perform(call, execution, &log)
      return .dropped
    case .partial: return execute(call, &log)
    case .truncated(let length):
      var answer = execute(call, &log)
      answer.body = Array(answer.body.prefix(max(0, length)))
      return answer
    case .cut, .wrongLength, .delayed, .dripping, .padded:
      var answer = execute(call, &log)
      answer.delivery = fault
      return answer
    }
  }

  /// Executes a call and drops its answer, or only logs its operations.
  private mutating func perform(
    _ call: GraphCall, _ execution: FaultExecution, _ log: inout SandboxCall
  ) {
    guard execution == .notApplied else {
      _ = execute(call, &log)
      return
    }
    switch call.kind {
    case .single(let request): log.operations = [.init(request)]
    case .batch(let batch): log.operations = batch.items.map { .init($0) }
    case .refused: break
    }
  }

  /// Executes an operation, with the fault that matches it if there is one, and logs it; nil if its
  /// answer is lost.
  mutating func execute(
    _ request: GraphRequest, from caller: Caller, named name: String?, at index: Int?,
    _ log: inout SandboxCall.Operation
  ) -> Answer? {
    defer {
      if log.isApplied, request.method != .get {
        log.written = LoggedURL.text(version: nil, path: [], query: request.parameters.members[...])
      }
    }
    guard !faults.injector.isEmpty,
      let fault = faults.injector.effect(for: FaultSubject(request, named: name, at: index))
    else {
      let answer = execute(request, from: caller)
      log.isApplied = answer.hasSucceeded
      log.record(answer)
      return answer
    }
    let answer: Answer
    log.fault = fault.label
    switch fault {
    case .error(let error, let execution):
      log.isApplied = execution == .applied && execute(request, from: caller).hasSucceeded
      answer = failure(error.fault, version: request.version)
    case .throttled(let code, let regain):
      answer = throttling(code: code, regain: regain, of: request, version: request.version)
    case .unfinished(let form, let execution):
      log.isApplied = execution == .applied && execute(request, from: caller).hasSucceeded
      guard form != .null || index == nil else { return nil }
      var fault = GraphFault.aborted
      if index == nil { fault.status = 400 }
      answer = failure(fault, version: request.version)
    case .lag(let reads):
      let before = objects
      let result = execute(request, from: caller)
      log.isApplied = result.hasSucceeded
      if result.hasSucceeded { faults.lag = .init(reads: reads, objects: before) }
      answer = result
    case .report(let error):
      answer = execute(request, from: caller)
      log.isApplied = answer.hasSucceeded
      if let run = (try? JSON(parsing: answer.body))?["report_run_id"]?.string {
        objects[run]?.end(with: error?.fault)
      }
    }
    log.record(answer)
    return answer
  }

  /// A refusal for a time; with a code of a business limit, of the account or page of the request.
  mutating func throttling(
    code: Int, regain: Duration, of request: GraphRequest? = nil, version: String?
  ) -> Answer {
    let fault = InjectedError(code: code).fault
    let minutes = regain / .seconds(60)
    let limit = (80_000...80_099).contains(code) ? request.flatMap(objects.business) : nil
    let members =
      "\"\(limit?.id ?? access.application)\":[{\"call_count\":100,\"total_cputime\":100,"
      + "\"total_time\":100,\"estimated_time_to_regain_access\":\(Self.decimal(minutes)),"
      + "\"type\":\"\((limit?.kind ?? .pages).rawValue)\"}]"
    let usage = UsageHeaders([
      ("X-Business-Use-Case-Usage", Array(members.utf8)),
      ("X-App-Usage", meter.load(at: now).members),
    ])
    return failure(fault, version: version, usage: usage)
  }

  /// A number in decimals, without a fraction if it is whole.
  private static func decimal(_ minutes: Double) -> String {
    Int(exactly: minutes).map { String($0) } ?? String(minutes)
  }
}

extension HTTPAnswer {
  /// An error page like that of a proxy whose server is unreachable.
  fileprivate init(page status: Int) {
    let title = "\(status) " + (status == 502 ? "Bad Gateway" : "Error")
    let text =
      "<html>\r\n<head><title>\(title)</title></head>\r\n<body>\r\n<center><h1>\(title)</h1>"
      + "</center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n"
    self.init(status: status, headers: [("Content-Type", "text/html")], body: Array(text.utf8))
  }
}
