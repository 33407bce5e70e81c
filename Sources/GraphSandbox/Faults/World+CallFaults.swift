extension World {
  /// Applies the faults of the world before a call; returns the fault of the call itself.
  mutating func applyFaults(before call: GraphCall) -> CallFault? {
    guard !faults.injector.isEmpty else { return nil }
    let effects = faults.injector.startCall(call.faultSubjects, at: now)
    for (fault, token) in effects.world { apply(fault, token: token ?? call.token) }
    return effects.call
  }

  private mutating func apply(_ fault: WorldFault, token: String?) {
    guard let token else { return }
    switch fault {
    case .token(let state):
      access.grants[token]?.state = state
    case .declined(let name):
      guard let user = access.grants[token]?.user else { return }
      var list = access.permissions[user] ?? []
      list.removeAll { $0.name == name }
      access.permissions[user] = list + [Permission(name, .declined)]
    }
  }

  /// Answers a call that has a fault.
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
      return HTTPAnswer(answer, traceID: identifiers.nextTraceID())
    case .page(let status, let execution):
      perform(call, execution, &log)
      return HTTPAnswer(page: status)
    case .dropped(let execution):
      perform(call, execution, &log)
      return .dropped
    case .cut, .truncated, .wrongLength, .delayed, .dripping, .padded, .partial:
      var answer = execute(call, &log)
      answer.apply(fault)
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

  /// Changes the answer or its delivery.
  fileprivate mutating func apply(_ fault: CallFault) {
    switch fault {
    case .truncated(let length): body = Array(body.prefix(max(0, length)))
    case .cut(let length): delivery = .cut(after: max(0, length))
    case .wrongLength(let difference): delivery = .wrongLength(by: difference)
    case .delayed(let time): delivery = .delayed(time)
    case .dripping(let bytes, let pause): delivery = .dripping(bytes: max(1, bytes), pause: pause)
    case .padded(let length): delivery = .padded(to: length)
    case .error, .throttled, .page, .dropped, .partial: break
    }
  }
}

extension CallFault {
  /// A short name for the log.
  fileprivate var label: String {
    switch self {
    case .error(let error, _): error.label
    case .throttled: "throttled"
    case .page: "page"
    case .dropped: "dropped"
    case .cut: "cut"
    case .partial: "partial"
    case .truncated: "truncated"
    case .wrongLength: "wrong length"
    case .delayed: "delayed"
    case .dripping: "dripping"
    case .padded: "padded"
    }
  }
}
