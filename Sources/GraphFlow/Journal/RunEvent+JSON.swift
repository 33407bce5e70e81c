internal import GraphAPI
internal import JSONPath

/// How events are written into a journal.
///
/// The names of kinds and members are the journal's format: adding one is harmless, renaming one
/// needs a migration. A request's body is not among them; it is kept beside the text as received.
extension RunEvent {
  /// The name of the kind of a try that is over.
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
    case .paused: "paused"
    case .callEnded: "call_ended"
    case .attemptEnded: RunEvent.attemptKind
    case .requestEnded: "request_ended"
    case .runEnded: "run_ended"
    }
  }

  /// The body that is kept beside the text.
  package var body: [UInt8]? {
    guard case .requestEnded(let end) = self else { return nil }
    return end.body
  }

  /// The event without its kind and body, as compact JSON.
  package var json: [UInt8] {
    var writer = EventWriter()
    writer.object { write(to: &$0) }
    return writer.bytes
  }

  /// Writes the members of the event's object.
  func write(to writer: inout EventWriter) {
    switch self {
    case .runStarted(let start): start.write(to: &writer)
    case .runResumed(let moment), .endLost(let moment): writer.member("at", moment)
    case .permissionsRead(let readings):
      writer.objects("permissions", readings) { $0.write(to: &$1) }
    case .tokenRead(let reading): reading.write(to: &writer)
    case .callStarted(let start): start.write(to: &writer)
    case .baselineRead(let baseline):
      writer.member("number", baseline.number)
      writer.strings("ids", baseline.ids.sorted())
      writer.member("extent", baseline.extent)
      baseline.readAt?.write(to: &writer)
    case .itemsListed(let list):
      writer.member("request", list.request)
      writer.strings("digests", list.digests)
    case .paused(let pause):
      writer.member("until", pause.until)
      writer.member("cause", pause.cause)
    case .callEnded(let end): end.write(to: &writer)
    case .attemptEnded(let end): end.write(to: &writer)
    case .requestEnded(let end): end.write(to: &writer)
    case .runEnded(let end): end.write(to: &writer)
    }
  }
}

extension RunStart {
  fileprivate func write(to writer: inout EventWriter) {
    writer.member("id", id.description)
    writer.member("workflow", workflow)
    writer.member("file", file)
    writer.member("file_sha256", fileDigest)
    writer.member("at", startedAt)
    writer.member("version", graphVersion)
    writer.member("url", graphURL)
    writer.member("profile", profile)
    if isRehearsal { writer.member("rehearsal", true) }
    writer.member("inputs", inputs)
    writer.objects("requests", requests) { $0.write(to: &$1) }
    writer.member("folder", folder)
    if !itemFiles.isEmpty {
      let files = itemFiles.sorted { $0.key < $1.key }.map { ($0.key, JSON.string($0.value)) }
      writer.member("item_files", JSON.Object(files))
    }
    writer.object("options", options) { $0.write(to: &$1) }
    writer.member("key", key)
  }
}

extension RequestFacts {
  fileprivate func write(to writer: inout EventWriter) {
    writer.member("name", name)
    writer.member("method", method)
    writer.member("path", path)
    writer.member("line", line)
    writer.strings("depends_on", dependsOn)
    if isIdempotent { writer.member("idempotent", true) }
    if isRepeated { writer.member("repeated", true) }
  }
}

extension PermissionReading {
  fileprivate func write(to writer: inout EventWriter) {
    writer.member("token", token)
    writer.member("permission", permission)
    writer.member("status", status)
  }
}

extension TokenReading {
  fileprivate func write(to writer: inout EventWriter) {
    writer.member("profile", profile)
    writer.member("outcome", outcome)
    writer.member("at", at)
    writer.object("failure", failure) { $0.write(to: &$1) }
  }
}

extension AttemptID {
  fileprivate func write(to writer: inout EventWriter) {
    writer.member("request", request)
    writer.member("attempt", number)
    item?.write(to: &writer)
  }
}

extension ItemID {
  fileprivate func write(to writer: inout EventWriter) {
    writer.member("item", index)
    writer.member("key", key)
  }
}

extension CallStart {
  fileprivate func write(to writer: inout EventWriter) {
    writer.member("call", number)
    writer.member("round", round)
    writer.member("kind", kind)
    writer.member("at", startedAt)
    writer.objects("operations", operations) { $0.write(to: &$1) }
    if !baselines.isEmpty { writer.member("baselines", JSON.array(baselines.map { JSON($0) })) }
    serverTime?.write(to: &writer)
  }
}

extension ServerTime {
  fileprivate func write(to writer: inout EventWriter) {
    writer.member("graph_from", earliest)
    writer.member("graph_to", latest)
  }
}

extension CallEnd {
  fileprivate func write(to writer: inout EventWriter) {
    writer.member("call", number)
    writer.member("ms", durationMilliseconds)
    writer.member("status", httpStatus)
    writer.member("sent", bytesSent)
    writer.member("received", bytesReceived)
    writer.member("usage", usage)
    writer.member("failure", failure)
  }
}

extension AttemptEnd {
  /// Writes the members; those of its call only if they are not those of another.
  func write(to writer: inout EventWriter, behind other: AttemptEnd? = nil) {
    attempt.write(to: &writer)
    if other?.call != call || other?.startedAt != startedAt
      || other?.durationMilliseconds != durationMilliseconds
    {
      writer.member("call", call)
      writer.member("at", startedAt)
      writer.member("ms", durationMilliseconds)
    }
    writer.member("outcome", outcome)
    writer.member("code", code)
    writer.object("failure", failure) { $0.write(to: &$1) }
  }
}

extension RequestEnd {
  fileprivate func write(to writer: inout EventWriter) {
    writer.member("request", request)
    item?.write(to: &writer)
    writer.member("code", code)
    writeOwn(to: &writer)
  }

  /// Writes what a try does not tell of itself.
  func writeOwn(to writer: inout EventWriter) {
    writer.member("status", status)
    if isTainted { writer.member("tainted", true) }
    writer.object("failure", failure) { $0.write(to: &$1) }
    writer.member("skip_reason", skipReason)
    writer.member("skip_detail", skipDetail)
    writer.objects("expectations", expectations) { $0.write(to: &$1) }
    writer.member("path", resolvedPath)
    if isExcused { writer.member("excused", true) }
    if !madeIDs.isEmpty { writer.strings("made", madeIDs) }
    if let note { writer.member("note", note) }
    if isDecision { writer.member("decision", true) }
  }
}

extension ExpectationResult {
  fileprivate func write(to writer: inout EventWriter) {
    writer.member("check", check)
    writer.member("passed", passed)
    writer.member("message", message)
    writer.member("actual", actual)
  }
}

extension Failure {
  fileprivate func write(to writer: inout EventWriter) {
    writer.member("message", error.message)
    writer.member("type", error.type)
    writer.member("code", error.code)
    writer.member("subcode", error.subcode)
    writer.member("user_title", error.userTitle)
    writer.member("user_message", error.userMessage)
    writer.member("transient", error.isTransient)
    writer.member("trace", error.fbtraceID)
    writer.member("data", error.data)
    writer.member("original", error.originalResponse)
    if !error.isStated { writer.member("stated", false) }
    writer.member("category", category)
    writer.member("reason", reason)
    writer.member("hint", hint)
  }
}

extension RunEnd {
  fileprivate func write(to writer: inout EventWriter) {
    writer.member("at", finishedAt)
    writer.member("status", status)
    writer.member("exit_code", exitCode)
    writer.member("outputs", outputs)
    writer.member("lower_bound", callsLowerBound)
    writer.member("waited_ms", waitedMilliseconds)
    writer.member("resume_after", resumeAfter)
  }
}
