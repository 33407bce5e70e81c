import JSONPath

/// A permission that a user was asked for, and the answer.
typealias Permission = WorldDescription.Grant

/// Everything the sandbox knows: a value that answers calls and changes by them.
///
/// Nothing in it reads a clock or draws at random: the same calls give the same bytes.
struct World: Sendable {
  var objects = ObjectTable()
  var grants: [String: AccessGrant] = [:]
  /// By user.
  var permissions: [String: [Permission]] = [:]
  /// By page, then by user.
  var roles: [String: [String: PageRole]] = [:]
  var application = ""
  /// Checks `appsecret_proof`, if there is one.
  var proofs = ProofCheck()
  var versions = VersionTable()
  var meter = UsageMeter()
  /// The token of clients that log devices in; nil: any will do.
  var clientToken: String?
  /// How it answers where there are several ways.
  var behaviors = WorldDescription.Behaviors()
  /// By ad account: who may use it.
  var adUsers: [String: Set<String>] = [:]
  /// The campaigns whose ad sets the current batch has touched.
  var batchCampaigns: Set<String> = []
  /// Devices that wait, by the code that they poll with.
  var devices: [String: DeviceLogin] = [:]
  var deviceCount: UInt64 = 0
  /// Codes of the dialog that have not been exchanged.
  var dialogCodes: [String: DialogCode] = [:]
  var issuedTokenCount: UInt64 = 0
  /// The tokens that are told when the sandbox starts.
  var namedTokens: [(name: String, token: String)] = []
  /// Who sits before the screen when somebody logs in.
  var standardUser: String?
  /// Ids that the world's author has given.
  var reservedIDs: Set<String> = []
  /// Where `paging.next` leads.
  var origin = "https://graph.facebook.com"
  var faults = FaultState()
  let seed: UInt64
  /// Seconds since 1970.
  var now: Int
  private var callCount = 0
  private var traceCount: UInt64 = 0
  var lastID = 122_000_000_000_000

  init(seed: UInt64, now: Int) {
    self.seed = seed
    self.now = now
  }

  /// The next object's number.
  mutating func makeID() -> String {
    lastID += 1
    while !reservedIDs.isEmpty, reservedIDs.contains(String(lastID)) { lastID += 1 }
    return String(lastID)
  }

  /// The next `fbtrace_id`.
  mutating func makeTraceID() -> String {
    traceCount &+= 1
    return SeededText.traceID(seed: seed, ordinal: traceCount)
  }

  /// Answers a call, and says what to log of it.
  ///
  /// `time` is in seconds since 1970; without it each call takes a second.
  mutating func answer(_ call: GraphCall, at time: Int? = nil) -> (HTTPAnswer, SandboxCall) {
    now = time ?? now + 1
    callCount += 1
    meter.beginCall()
    batchCampaigns.removeAll()
    var log = SandboxCall(number: callCount, call, at: now)
    let answer =
      if !call.isControl, let fault = beginFaults(of: call) {
        self.answer(call, with: fault, &log)
      } else {
        execute(call, &log)
      }
    log.status = answer.status
    return (answer, log)
  }

  /// Executes a call, and notes its operations.
  mutating func execute(_ call: GraphCall, _ log: inout SandboxCall) -> HTTPAnswer {
    switch call.kind {
    case .single(let request):
      let done = execute(request, from: .nobody, named: nil, at: nil)
      let result = done.answer ?? failure(.aborted, version: request.version)
      var operation = SandboxCall.Operation(request)
      operation.note(done)
      log.operations = [operation]
      return HTTPAnswer(result, traceID: makeTraceID())
    case .batch(let batch): return answer(batch, of: call, &log)
    case .refused(let fault): return refusal(fault, of: call)
    }
  }

  /// The answer to a call that is refused as a whole.
  mutating func refusal(_ fault: GraphFault, of call: GraphCall) -> HTTPAnswer {
    let answer = failure(fault, version: call.version, usage: meter.callHeaders(at: now))
    return HTTPAnswer(answer, traceID: makeTraceID())
  }
}
