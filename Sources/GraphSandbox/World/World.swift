import JSONPath

/// The state of a sandbox: a value that answers calls, which change it.
///
/// It uses no clock and no random numbers: the same calls give the same bytes.
struct World: Sendable {
  var objects = ObjectTable()
  var access = AccessTable()
  var application = ""
  /// Checks `appsecret_proof`.
  var proofs = ProofCheck()
  var versions = VersionTable()
  var meter = UsageMeter()
  /// The client token that device logins need; nil: any is accepted.
  var clientToken: String?
  /// How the sandbox answers where Graph has several behaviors.
  var behaviors = WorldDescription.Behaviors()
  /// The campaigns whose ad sets the current batch has created or changed.
  var batchCampaigns: Set<String> = []
  /// Device logins, by the code that the device polls with.
  var devices: [String: DeviceLogin] = [:]
  /// The codes of the login dialog that are not exchanged yet.
  var dialogCodes: [String: DialogCode] = [:]
  /// The base URL of paging links.
  var origin = "https://graph.facebook.com"
  var faults = FaultState()
  var identifiers: Identifiers
  /// Seconds since 1970.
  var now: Int
  private var callCount = 0

  init(seed: UInt64, now: Int) {
    identifiers = Identifiers(seed: seed)
    self.now = now
  }

  /// Answers a call, and returns its log entry.
  ///
  /// `time` is in seconds since 1970; without it each call takes one second.
  mutating func answer(_ call: GraphCall, at time: Int? = nil) -> (HTTPAnswer, SandboxCall) {
    now = time ?? now + 1
    callCount += 1
    meter.startCall()
    batchCampaigns.removeAll()
    var log = SandboxCall(number: callCount, call, at: now)
    let answer =
      if !call.isControl, let fault = applyFaults(before: call) {
        self.answer(call, with: fault, &log)
      } else {
        execute(call, &log)
      }
    log.status = answer.status
    return (answer, log)
  }

  /// Executes a call, and logs its operations.
  mutating func execute(_ call: GraphCall, _ log: inout SandboxCall) -> HTTPAnswer {
    switch call.kind {
    case .single(let request):
      let execution = execute(request, from: .none, named: nil, at: nil)
      let result = execution.answer ?? failure(.aborted, version: request.version)
      var operation = SandboxCall.Operation(request)
      operation.recordExecution(execution)
      log.operations = [operation]
      return HTTPAnswer(result, traceID: identifiers.nextTraceID())
    case .batch(let batch): return answer(batch, of: call, &log)
    case .refused(let fault): return refusal(fault, of: call)
    }
  }

  /// The answer to a call that is refused as a whole.
  mutating func refusal(_ fault: GraphFault, of call: GraphCall) -> HTTPAnswer {
    let answer = failure(fault, version: call.version, usage: meter.callHeaders(at: now))
    return HTTPAnswer(answer, traceID: identifiers.nextTraceID())
  }
}
