internal import GraphAPI
internal import JSONPath

/// How events are read back from a journal; the mirror of `RunEvent+JSON.swift`.
extension RunEvent {
  /// Reads a row.
  ///
  /// - Parameters:
  ///   - kind: The kind's name.
  ///   - json: The text.
  ///   - body: What was kept beside it.
  /// - Throws: What is missing or wrong.
  package init(kind: String, json: [UInt8], body: [UInt8]?) throws(EventFault) {
    try self.init(kind: kind, EventReader(json), body: body)
  }

  /// Reads an event whose text is parsed already.
  init(kind: String, _ reader: EventReader, body: [UInt8]?) throws(EventFault) {
    switch kind {
    case "run_started": self = .runStarted(try RunStart(reader))
    case "run_resumed": self = .runResumed(try reader.required("at", reader.moment))
    case "end_lost": self = .endLost(try reader.required("at", reader.moment))
    case "permissions_read":
      self = .permissionsRead(try reader.objects("permissions", PermissionReading.init(_:)))
    case "token_read": self = .tokenRead(try TokenReading(reader))
    case "call_started": self = .callStarted(try CallStart(reader))
    case "baseline_read":
      self = .baselineRead(
        Baseline(
          number: try reader.required("number", reader.integer),
          ids: Set(try reader.strings("ids")),
          readAt: try ServerTime(ifIn: reader),
          extent: try reader.requiredChoice("extent")
        )
      )
    case "items_listed":
      self = .itemsListed(
        ItemList(
          request: try reader.required("request", reader.integer),
          digests: try reader.strings("digests")
        )
      )
    case "paused":
      let until = try reader.required("until", reader.moment)
      self = .paused(QuotaPause(until: until, cause: try reader.requiredChoice("cause")))
    case "call_ended": self = .callEnded(try CallEnd(reader))
    case RunEvent.attemptKind: self = .attemptEnded(try AttemptEnd(reader))
    case "request_ended": self = .requestEnded(try RequestEnd(reader, body: body))
    case "run_ended": self = .runEnded(try RunEnd(reader))
    default: throw EventFault(message: "unknown kind of event")
    }
  }
}

extension RunStart {
  fileprivate init(_ reader: EventReader) throws(EventFault) {
    guard let id = RunID(try reader.required("id", reader.string)) else {
      throw EventFault(message: "id is not a run's id")
    }
    guard let options = try reader.object("options", RunOptions.init(_:)) else {
      throw EventFault(message: "no options")
    }
    self.init(
      id: id,
      workflow: try reader.required("workflow", reader.string),
      file: try reader.required("file", reader.string),
      fileDigest: try reader.required("file_sha256", reader.string),
      startedAt: try reader.required("at", reader.moment),
      graphVersion: try reader.required("version", reader.string),
      graphURL: try reader.required("url", reader.string),
      profile: try reader.required("profile", reader.string),
      isRehearsal: try reader.flag("rehearsal") ?? false,
      inputs: try reader.values("inputs"),
      requests: try reader.objects("requests", RequestFacts.init(_:)),
      itemFiles: Dictionary(
        try reader.values("item_files").compactMap { name, digest in
          digest.string.map { (name, $0) }
        },
        uniquingKeysWith: { first, _ in first }
      ),
      folder: try reader.string("folder"),
      options: options,
      key: try reader.string("key")
    )
  }
}

extension RequestFacts {
  fileprivate init(_ reader: EventReader) throws(EventFault) {
    self.init(
      name: try reader.required("name", reader.string),
      method: try reader.requiredChoice("method"),
      path: try reader.required("path", reader.string),
      line: try reader.required("line", reader.integer),
      dependsOn: try reader.strings("depends_on"),
      isIdempotent: try reader.flag("idempotent") ?? false,
      isRepeated: try reader.flag("repeated") ?? false
    )
  }
}

extension PermissionReading {
  fileprivate init(_ reader: EventReader) throws(EventFault) {
    self.init(
      token: try reader.required("token", reader.string),
      permission: try reader.required("permission", reader.string),
      status: try reader.required("status", reader.string)
    )
  }
}

extension TokenReading {
  fileprivate init(_ reader: EventReader) throws(EventFault) {
    guard let failure = try reader.object("failure", Failure.init(_:)) else {
      throw EventFault(message: "no failure")
    }
    self.init(
      profile: try reader.required("profile", reader.string),
      outcome: try reader.requiredChoice("outcome"),
      at: try reader.required("at", reader.moment),
      failure: failure
    )
  }
}

extension AttemptID {
  fileprivate init(_ reader: EventReader) throws(EventFault) {
    self.init(
      request: try reader.required("request", reader.integer),
      number: try reader.required("attempt", reader.integer),
      item: try ItemID(ifIn: reader)
    )
  }
}

extension ItemID {
  fileprivate init?(ifIn reader: EventReader) throws(EventFault) {
    guard let index = try reader.integer("item") else { return nil }
    self.init(index: index, key: try reader.required("key", reader.string))
  }
}

extension CallStart {
  fileprivate init(_ reader: EventReader) throws(EventFault) {
    self.init(
      number: try reader.required("call", reader.integer),
      round: try reader.required("round", reader.integer),
      kind: try reader.requiredChoice("kind"),
      startedAt: try reader.required("at", reader.moment),
      operations: try reader.objects("operations", AttemptID.init(_:)),
      baselines: (try reader.json("baselines"))?.array?.compactMap(\.integer) ?? [],
      serverTime: try ServerTime(ifIn: reader)
    )
  }
}

extension ServerTime {
  fileprivate init?(ifIn reader: EventReader) throws(EventFault) {
    guard let earliest = try reader.moment("graph_from") else { return nil }
    self.init(earliest: earliest, latest: try reader.required("graph_to", reader.moment))
  }
}

extension CallEnd {
  fileprivate init(_ reader: EventReader) throws(EventFault) {
    self.init(
      number: try reader.required("call", reader.integer),
      durationMilliseconds: try reader.required("ms", reader.milliseconds),
      httpStatus: try reader.integer("status"),
      bytesSent: try reader.required("sent", reader.integer),
      bytesReceived: try reader.required("received", reader.integer),
      usage: try reader.json("usage"),
      failure: try reader.string("failure")
    )
  }
}

extension AttemptEnd {
  /// Reads a try; one that does not tell its call was made by that of another.
  init(_ reader: EventReader, behind other: AttemptEnd? = nil) throws(EventFault) {
    let (call, startedAt, milliseconds) =
      if let other, try reader.integer("call") == nil {
        (other.call, other.startedAt, other.durationMilliseconds)
      } else {
        (
          try reader.required("call", reader.integer), try reader.required("at", reader.moment),
          try reader.required("ms", reader.milliseconds)
        )
      }
    self.init(
      attempt: try AttemptID(reader),
      call: call,
      startedAt: startedAt,
      durationMilliseconds: milliseconds,
      outcome: try reader.requiredChoice("outcome"),
      code: try reader.integer("code"),
      failure: try reader.object("failure", Failure.init(_:))
    )
  }
}

extension RequestEnd {
  /// Reads an outcome, whose body is kept beside the text.
  init(_ reader: EventReader, body: [UInt8]?) throws(EventFault) {
    self.init(
      request: try reader.required("request", reader.integer),
      item: try ItemID(ifIn: reader),
      status: try reader.requiredChoice("status"),
      code: try reader.integer("code"),
      body: body,
      isTainted: try reader.flag("tainted") ?? false,
      failure: try reader.object("failure", Failure.init(_:)),
      skipReason: try reader.choice("skip_reason"),
      skipDetail: try reader.string("skip_detail"),
      expectations: try reader.objects("expectations", ExpectationResult.init(_:)),
      resolvedPath: try reader.string("path"),
      isExcused: try reader.flag("excused") ?? false,
      madeIDs: try reader.strings("made"),
      note: try reader.string("note"),
      isDecision: try reader.flag("decision") ?? false
    )
  }
}

extension ExpectationResult {
  fileprivate init(_ reader: EventReader) throws(EventFault) {
    self.init(
      check: try reader.required("check", reader.string),
      passed: try reader.required("passed", reader.flag),
      message: try reader.string("message"),
      actual: try reader.json("actual")
    )
  }
}

extension Failure {
  fileprivate init(_ reader: EventReader) throws(EventFault) {
    self.init(
      error: GraphError(
        message: try reader.required("message", reader.string),
        type: try reader.string("type"),
        code: try reader.integer("code"),
        subcode: try reader.integer("subcode"),
        userTitle: try reader.string("user_title"),
        userMessage: try reader.string("user_message"),
        isTransient: try reader.flag("transient"),
        fbtraceID: try reader.string("trace"),
        data: try reader.json("data"),
        originalResponse: try reader.json("original"),
        isStated: try reader.flag("stated") ?? true
      ),
      category: try reader.requiredChoice("category"),
      reason: try reader.requiredChoice("reason"),
      hint: try reader.required("hint", reader.string)
    )
  }
}

extension RunEnd {
  fileprivate init(_ reader: EventReader) throws(EventFault) {
    self.init(
      finishedAt: try reader.required("at", reader.moment),
      status: try reader.requiredChoice("status"),
      exitCode: try reader.required("exit_code", reader.integer),
      outputs: try reader.values("outputs"),
      callsLowerBound: try reader.required("lower_bound", reader.integer),
      waitedMilliseconds: try reader.required("waited_ms", reader.milliseconds),
      resumeAfter: try reader.moment("resume_after")
    )
  }
}
