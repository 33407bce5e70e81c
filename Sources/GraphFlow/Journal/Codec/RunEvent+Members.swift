internal import GraphAPI
internal import JSONPath

/// The JSON form of events in a journal.
///
/// The names of kinds and members are the journal's format: adding one is compatible, renaming one
/// needs a new version of the format. A request's body is not a member; it is stored next to the text,
/// as it was received. First attempts and successes are most of a journal, so what is usual in them is
/// left out.
extension RunEvent {
  static let attemptKind = "attempt_ended"

  /// The kind's name in the journal.
  package var kind: String {
    switch self {
    case .runStarted: "run_started"
    case .runResumed: "run_resumed"
    case .endLost: "end_lost"
    case .permissionsRead: "permissions_read"
    case .tokenRead: "token_read"
    case .callStarted: "call_started"
    case .baselineRead: "baseline_read"
    case .itemsListed: "items_listed"
    case .reportRun: "report_run"
    case .paused: "paused"
    case .concurrencyChanged: "concurrency_changed"
    case .callEnded: "call_ended"
    case .attemptEnded: RunEvent.attemptKind
    case .requestEnded: "request_ended"
    case .runEnded: "run_ended"
    }
  }

  /// It is stored next to the text.
  package var body: [UInt8]? {
    guard case .requestEnded(let end) = self else { return nil }
    return end.body
  }

  /// The event without its kind and body, as compact JSON.
  package var json: [UInt8] {
    var writer = EventWriter()
    writer.object { write(to: &$0) }
    return writer.text.take()
  }

  /// Writes the members of the event's object.
  func write(to writer: inout EventWriter) {
    switch self {
    case .runStarted(let start): _ = RunStart(start, &writer)
    case .runResumed(let time), .endLost(let time): _ = writer.required("at", time)
    case .permissionsRead(let readings): _ = writer.list("permissions", readings)
    case .tokenRead(let reading): _ = TokenReading(reading, &writer)
    case .callStarted(let start): _ = CallStart(start, &writer)
    case .baselineRead(let baseline): _ = Baseline(baseline, &writer)
    case .itemsListed(let list): _ = ItemList(list, &writer)
    case .reportRun(let run): _ = AdReportRun(run, &writer)
    case .paused(let pause): _ = QuotaPause(pause, &writer)
    case .concurrencyChanged(let change): _ = ConcurrencyChange(change, &writer)
    case .callEnded(let end): _ = CallEnd(end, &writer)
    case .attemptEnded(let end): _ = AttemptEnd(end, &writer)
    case .requestEnded(let end): _ = RequestEnd(end, &writer)
    case .runEnded(let end): _ = RunEnd(end, &writer)
    }
  }

  /// Reads an event from its text, and the body that was stored next to it.
  package init(kind: String, json: [UInt8], body: [UInt8]?) throws(EventDecodingError) {
    var reader = try EventReader(json)
    try self.init(kind: kind, &reader, body: body)
  }

  /// Reads an event whose text is already parsed.
  init(kind: String, _ reader: inout EventReader, body: [UInt8]?) throws(EventDecodingError) {
    switch kind {
    case "run_started": self = .runStarted(try RunStart(nil, &reader))
    case "run_resumed": self = .runResumed(try reader.required("at", nil))
    case "end_lost": self = .endLost(try reader.required("at", nil))
    case "permissions_read": self = .permissionsRead(try reader.list("permissions", nil))
    case "token_read": self = .tokenRead(try TokenReading(nil, &reader))
    case "call_started": self = .callStarted(try CallStart(nil, &reader))
    case "baseline_read": self = .baselineRead(try Baseline(nil, &reader))
    case "items_listed": self = .itemsListed(try ItemList(nil, &reader))
    case "report_run": self = .reportRun(try AdReportRun(nil, &reader))
    case "paused": self = .paused(try QuotaPause(nil, &reader))
    case "concurrency_changed":
      self = .concurrencyChanged(try ConcurrencyChange(nil, &reader))
    case "call_ended": self = .callEnded(try CallEnd(nil, &reader))
    case RunEvent.attemptKind: self = .attemptEnded(try AttemptEnd(nil, &reader))
    case "request_ended":
      var end = try RequestEnd(nil, &reader)
      end.body = body
      self = .requestEnded(end)
    case "run_ended": self = .runEnded(try RunEnd(nil, &reader))
    default: throw EventDecodingError(message: "unknown kind of event")
    }
  }
}

extension PermissionReading: MemberRecord {
  init<C: MemberCoder>(_ value: PermissionReading?, _ coder: inout C) throws(C.Fault) {
    self.init(
      token: try coder.required("token", value?.token),
      permission: try coder.required("permission", value?.permission),
      status: try coder.required("status", value?.status))
  }
}

extension TokenReading: MemberRecord {
  init<C: MemberCoder>(_ value: TokenReading?, _ coder: inout C) throws(C.Fault) {
    self.init(
      profile: try coder.required("profile", value?.profile),
      outcome: try coder.required("outcome", value?.outcome),
      at: try coder.required("at", value?.at),
      failure: try coder.required("failure", value?.failure))
  }
}

extension AttemptID: MemberRecord {
  init<C: MemberCoder>(_ value: AttemptID?, _ coder: inout C) throws(C.Fault) {
    self.init(
      request: try coder.required("request", value?.request),
      number: try coder.member("attempt", value?.number, usually: 1),
      item: try ItemID(value?.item, &coder))
  }

  func write(to writer: inout EventWriter) { writer.object { writeMembers(to: &$0) } }

  /// Writes what the initializer codes: most of a journal, for which no value is to be made.
  func writeMembers(to writer: inout EventWriter) {
    writer.optional("request", request)
    if number != 1 { writer.optional("attempt", number) }
    guard let item else { return }
    writer.optional("item", item.index)
    writer.optional("key", item.key)
  }
}

extension ItemID {
  /// Codes the members of an optional item among those of its owner.
  fileprivate init?<C: MemberCoder>(_ value: ItemID?, _ coder: inout C) throws(C.Fault) {
    guard let index = try coder.optional("item", value?.index) else { return nil }
    self.init(index: index, key: try coder.required("key", value?.key))
  }
}

extension CallStart: MemberRecord {
  init<C: MemberCoder>(_ value: CallStart?, _ coder: inout C) throws(C.Fault) {
    self.init(
      number: try coder.required("call", value?.number),
      round: try coder.required("round", value?.round),
      kind: try coder.required("kind", value?.kind),
      startedAt: try coder.required("at", value?.startedAt),
      operations: try coder.list("operations", value?.operations),
      baselines: try coder.list("baselines", value?.baselines),
      serverTime: try ServerTime(value?.serverTime, &coder))
  }
}

extension ServerTime {
  /// Codes the members of an optional time among those of its owner.
  fileprivate init?<C: MemberCoder>(_ value: ServerTime?, _ coder: inout C) throws(C.Fault) {
    guard let earliest = try coder.optional("graph_from", value?.earliest) else { return nil }
    self.init(earliest: earliest, latest: try coder.required("graph_to", value?.latest))
  }
}

extension Baseline: MemberRecord {
  init<C: MemberCoder>(_ value: Baseline?, _ coder: inout C) throws(C.Fault) {
    self.init(
      number: try coder.required("number", value?.number),
      ids: Set(try coder.list("ids", value?.ids.sorted())),
      readAt: try ServerTime(value?.readAt, &coder),
      extent: try coder.required("extent", value?.extent))
  }
}

extension ItemList: MemberRecord {
  init<C: MemberCoder>(_ value: ItemList?, _ coder: inout C) throws(C.Fault) {
    self.init(
      request: try coder.required("request", value?.request),
      digests: try coder.list("digests", value?.digests))
  }
}

extension AdReportRun: MemberRecord {
  init<C: MemberCoder>(_ value: AdReportRun?, _ coder: inout C) throws(C.Fault) {
    self.init(
      request: try coder.required("request", value?.request),
      item: try ItemID(value?.item, &coder), run: try coder.optional("run", value?.run))
  }
}

extension QuotaPause: MemberRecord {
  init<C: MemberCoder>(_ value: QuotaPause?, _ coder: inout C) throws(C.Fault) {
    self.init(
      until: try coder.required("until", value?.until),
      cause: try coder.required("cause", value?.cause),
      scope: try coder.optional("scope", value?.scope))
  }
}

extension ConcurrencyChange: MemberRecord {
  init<C: MemberCoder>(_ value: ConcurrencyChange?, _ coder: inout C) throws(C.Fault) {
    self.init(
      at: try coder.required("at", value?.at), calls: try coder.required("calls", value?.calls),
      cause: try coder.required("cause", value?.cause))
  }
}

extension CallEnd: MemberRecord {
  init<C: MemberCoder>(_ value: CallEnd?, _ coder: inout C) throws(C.Fault) {
    self.init(
      number: try coder.required("call", value?.number),
      durationMilliseconds: try coder.required("ms", value?.durationMilliseconds),
      httpStatus: try coder.optional("status", value?.httpStatus),
      bytesSent: try coder.required("sent", value?.bytesSent),
      bytesReceived: try coder.required("received", value?.bytesReceived),
      usage: try coder.optional("usage", value?.usage),
      failure: try coder.optional("failure", value?.failure),
      otherVersions: try coder.list("versions", value?.otherVersions))
  }
}

extension VersionAnswer: MemberRecord {
  init<C: MemberCoder>(_ value: VersionAnswer?, _ coder: inout C) throws(C.Fault) {
    self.init(
      asked: try coder.required("asked", value?.asked),
      served: try coder.required("served", value?.served))
  }
}

extension AttemptEnd: MemberRecord {
  init<C: MemberCoder>(_ value: AttemptEnd?, _ coder: inout C) throws(C.Fault) {
    try self.init(value, &coder, after: nil)
  }

  /// Codes the members; those of its call only if they differ from those of the previous attempt.
  init<C: MemberCoder>(
    _ value: AttemptEnd?, _ coder: inout C, after previous: AttemptCall?
  ) throws(C.Fault) {
    let attempt = try AttemptID(value?.attempt, &coder)
    guard
      let call = try AttemptCall(value.map { AttemptCall($0) }, &coder, after: previous) ?? previous
    else { try coder.reject("missing call") }
    self.init(
      attempt: attempt, call: call.number, startedAt: call.startedAt,
      durationMilliseconds: call.milliseconds,
      outcome: try coder.member("outcome", value?.outcome, usually: .succeeded),
      code: try coder.optional("code", value?.code),
      failure: try coder.optional("failure", value?.failure))
  }
}

/// The call of an attempt: the same for all its operations.
struct AttemptCall: Equatable {
  private(set) var number: Int
  private(set) var startedAt: Timestamp
  private(set) var milliseconds: Int64

  init(_ end: AttemptEnd) {
    (number, startedAt, milliseconds) = (end.call, end.startedAt, end.durationMilliseconds)
  }

  /// Codes the members of a call that differs from the previous one; nil without members.
  init?<C: MemberCoder>(
    _ value: AttemptCall?, _ coder: inout C, after previous: AttemptCall?
  ) throws(C.Fault) {
    let own = value == previous ? nil : value
    guard let number = try coder.optional("call", own?.number) else { return nil }
    self.number = number
    startedAt = try coder.required("at", own?.startedAt)
    milliseconds = try coder.required("ms", own?.milliseconds)
  }
}

extension RequestEnd: MemberRecord {
  init<C: MemberCoder>(_ value: RequestEnd?, _ coder: inout C) throws(C.Fault) {
    try self.init(
      value, &coder, request: try coder.required("request", value?.request),
      item: try ItemID(value?.item, &coder), code: try coder.optional("code", value?.code))
  }

  /// Codes the members that are not those of the attempt that ended the request.
  init<C: MemberCoder>(
    _ value: RequestEnd?, _ coder: inout C, request: Int, item: ItemID?, code: Int?
  ) throws(C.Fault) {
    self.init(
      request: request, item: item,
      status: try coder.member("status", value?.status, usually: .succeeded),
      code: code,
      isTainted: try coder.flag("tainted", value?.isTainted),
      failure: try coder.optional("failure", value?.failure),
      skipReason: try coder.optional("skip_reason", value?.skipReason),
      skipDetail: try coder.optional("skip_detail", value?.skipDetail),
      expectations: try coder.list("expectations", value?.expectations),
      resolvedPath: try coder.optional("path", value?.resolvedPath),
      countsAsSuccess: try coder.flag("excused", value?.countsAsSuccess),
      madeIDs: try coder.list("made", value?.madeIDs),
      note: try coder.optional("note", value?.note),
      isDecision: try coder.flag("decision", value?.isDecision))
  }
}

extension ExpectationResult: MemberRecord {
  init<C: MemberCoder>(_ value: ExpectationResult?, _ coder: inout C) throws(C.Fault) {
    self.init(
      check: try coder.required("check", value?.check),
      passed: try coder.required("passed", value?.passed),
      message: try coder.optional("message", value?.message),
      actual: try coder.optional("actual", value?.actual))
  }
}

extension Failure: MemberRecord {
  init<C: MemberCoder>(_ value: Failure?, _ coder: inout C) throws(C.Fault) {
    let error = value?.error
    self.init(
      error: GraphError(
        message: try coder.required("message", error?.message),
        type: try coder.optional("type", error?.type),
        code: try coder.optional("code", error?.code),
        subcode: try coder.optional("subcode", error?.subcode),
        userTitle: try coder.optional("user_title", error?.userTitle),
        userMessage: try coder.optional("user_message", error?.userMessage),
        isTransient: try coder.optional("transient", error?.isTransient),
        fbtraceID: try coder.optional("trace", error?.fbtraceID),
        data: try coder.optional("data", error?.data),
        originalResponse: try coder.optional("original", error?.originalResponse),
        isFromGraph: try !coder.flag("unstated", error.map { !$0.isFromGraph })),
      category: try coder.required("category", value?.category),
      reason: try coder.required("reason", value?.reason),
      hint: try coder.required("hint", value?.hint),
      answer: try coder.optional("answer", value?.answer),
      missing: try coder.optional("missing", value?.missing))
  }
}

extension RunEnd: MemberRecord {
  init<C: MemberCoder>(_ value: RunEnd?, _ coder: inout C) throws(C.Fault) {
    self.init(
      finishedAt: try coder.required("at", value?.finishedAt),
      status: try coder.required("status", value?.status),
      exitCode: try coder.required("exit_code", value?.exitCode),
      outputs: try coder.values("outputs", value?.outputs),
      callsLowerBound: try coder.required("lower_bound", value?.callsLowerBound),
      waitedMilliseconds: try coder.required("waited_ms", value?.waitedMilliseconds),
      resumeAfter: try coder.optional("resume_after", value?.resumeAfter))
  }
}
