internal import GraphAPI
internal import JSONPath

extension Report {
  package static let formatVersion = 1

  /// The JSON report (`schemas/report.schema.json`); equal events give equal bytes.
  public var json: [UInt8] {
    var output: [UInt8] = []
    writeJSON(to: &output)
    return output
  }

  /// Appends the JSON report.
  ///
  /// Bodies are embedded as they were received, so numbers keep their spelling; a body that is not JSON
  /// becomes a string.
  package func writeJSON(to output: inout [UInt8]) {
    var writer = ReportWriter(appendingTo: output)
    // Releases the caller's reference; otherwise the first append would copy the whole array.
    output = []
    writer.object { writer in
      writer.member("graphflow_report", Report.formatVersion)
      Report.writeTool(to: &writer)
      writer.object("run") { writer in
        writeStart(to: &writer)
        writeEnd(to: &writer)
        writeEnvironment(to: &writer)
      }
      writer.object("summary") { summary.write(to: &$0) }
      writer.list("permissions", permissions)
      writer.list("concurrency", concurrency)
      writer.list("requests", requests)
      let facts = start?.requests ?? []
      writer.list("calls", calls.lazy.map { CallLine(call: $0, requests: facts) })
      writer.members("outputs", end?.outputs ?? JSON.Object())
    }
    output = writer.finish()
  }

  static func writeTool(to writer: inout ReportWriter) {
    writer.object("tool", isInline: true) { writer in
      writer.member("name", "graphflow")
      writer.member("version", toolVersion)
    }
  }

  func writeStart(to writer: inout ReportWriter) {
    writer.member("id", start?.id.description)
    writer.member("workflow", start?.workflow)
    writer.member("file", start?.file)
    writer.member("file_sha256", start?.fileDigest)
    writer.member("started_at", start?.startedAt)
    if let instant = start?.datesFrom { writer.member("dates_from", instant) }
    if let start, let job = start.job {
      writer.member("job", job)
      // A report of the whole job has no part.
      if start.requests.contains(where: { $0.part != nil }) {
        writer.member("shard", start.options.shard?.description)
      }
    }
    if let earlier = start?.options.from {
      writer.list("from", earlier.names, isInline: true)
      writer.member("of", earlier.run.description)
    }
  }

  func writeEnd(to writer: inout ReportWriter) {
    writer.member("finished_at", end?.finishedAt)
    writer.member("duration_ms", durationMilliseconds)
    writer.member("status", status)
    writer.member("exit_code", exitCode)
    if let time = end?.resumeAfter { writer.member("resume_after", time) }
    let versions = recordedCalls.otherVersions
    if !versions.isEmpty { writer.list("other_versions", versions) }
  }

  func writeEnvironment(to writer: inout ReportWriter) {
    writer.member("graph_version", start?.graphVersion)
    writer.member("graph_url", start?.graphURL)
    writer.member("profile", start?.profile)
    writer.member("resumed", resumed)
    writer.members("inputs", start?.inputs ?? JSON.Object())
  }
}

extension Report.Summary {
  func write(to writer: inout ReportWriter) {
    writer.member("requests", requests)
    writer.member("succeeded", succeeded)
    writer.member("failed", failed)
    writer.member("skipped", skipped)
    writer.member("in_doubt", inDoubt)
    writer.member("cancelled", cancelled)
    writer.member("attempts", attempts)
    writer.member("calls", calls)
    writer.member("calls_lower_bound", callsLowerBound)
    writer.object("http_calls", isInline: true) { writer in
      for kind in CallKind.allCases { writer.member(kind.memberName, httpCalls[kind] ?? 0) }
    }
    writer.member("waited_ms", waitedMilliseconds)
  }
}

extension VersionAnswer: ReportValue {
  func write(to writer: inout ReportWriter) {
    writer.object(isInline: true) { writer in
      writer.member("asked", asked)
      writer.member("served", served)
    }
  }
}

extension CallKind {
  fileprivate var memberName: StaticString {
    switch self {
    case .batch: "batch"
    case .single: "single"
    case .confirm: "confirm"
    case .auth: "auth"
    }
  }
}

extension PermissionReading: ReportValue {
  func write(to writer: inout ReportWriter) {
    writer.object(isInline: true) { writer in
      writer.member("token", token)
      writer.member("permission", permission)
      writer.member("status", status)
    }
  }
}

extension ConcurrencyChange: ReportValue {
  func write(to writer: inout ReportWriter) {
    writer.object(isInline: true) { writer in
      writer.member("at", at)
      writer.member("calls", calls)
      writer.member("cause", cause)
    }
  }
}

extension Report.Request: ReportValue {
  func write(to writer: inout ReportWriter) { writer.object { writeMembers(to: &$0) } }

  func writeMembers(to writer: inout ReportWriter) {
    // The earlier outcome of a request that is in flight again no longer holds.
    let status = status
    let end = currentEnd
    writer.member("name", facts.name)
    writer.member("status", status)
    writer.member("method", facts.method)
    writer.member("path", facts.path)
    writer.member("resolved_path", end?.resolvedPath)
    writer.member("item", item)
    writer.member("line", facts.line)
    if let file = facts.file { writer.member("file", file) }
    writer.member("code", end?.code)
    writer.member("body", body: end?.body, depth: end?.bodyDepth)
    writer.member("error", end?.failure)
    if let missing = end?.failure?.missing { writer.member("missing", missing) }
    writer.member("skip_reason", end?.skipReason)
    if let note = end?.note { writer.member("note", note) }
    writer.list("depends_on", facts.dependsOn, isInline: true)
    writer.list("expectations", end?.expectations ?? [])
    writer.list("attempts", attempts)
  }
}

extension ItemID: ReportValue {
  func write(to writer: inout ReportWriter) {
    writer.object(isInline: true) { writer in
      writer.member("index", index)
      writer.member("key", key)
    }
  }
}

extension Failure: ReportValue {
  func write(to writer: inout ReportWriter) {
    writer.object { writer in
      writer.member("message", error.message)
      writer.member("type", error.type)
      writer.member("code", error.code)
      writer.member("error_subcode", error.subcode)
      writer.member("error_user_title", error.userTitle)
      writer.member("error_user_msg", error.userMessage)
      writer.member("is_transient", error.isTransient)
      writer.member("fbtrace_id", error.fbtraceID)
      writer.member("category", category)
      writer.member("reason", reason)
      writer.member("hint", hint)
      if let answer { writer.member("answer", body: Array(answer.utf8), depth: nil) }
    }
  }
}

extension ExpectationResult: ReportValue {
  func write(to writer: inout ReportWriter) {
    writer.object(isInline: true) { writer in
      writer.member("check", check)
      writer.member("passed", passed)
      writer.member("message", message)
      writer.member("actual", actual)
    }
  }
}

extension Report.Attempt: ReportValue {
  func write(to writer: inout ReportWriter) {
    writer.object(isInline: true) { writer in
      writer.member("number", number)
      writer.member("call", call)
      writer.member("started_at", startedAt)
      writer.member("duration_ms", max(0, durationMilliseconds))
      writer.member("outcome", outcome)
      writer.member("code", code)
    }
  }
}

/// A call with the facts that name its operations.
private struct CallLine: ReportValue {
  let call: Report.Call
  let requests: [RequestFacts]

  func write(to writer: inout ReportWriter) {
    let (start, end) = (call.start, call.end)
    writer.object(isInline: true) { writer in
      writer.member("number", start.number)
      writer.member("round", start.round)
      writer.member("kind", start.kind)
      writer.list(
        "operations",
        start.operations.lazy.filter { requests.indices.contains($0.request) }
          .map { $0.name(in: requests) }, isInline: true)
      writer.member("http_status", end?.httpStatus)
      writer.member("started_at", start.startedAt)
      writer.member("duration_ms", end.map { max(0, $0.durationMilliseconds) })
      writer.member("bytes_sent", end?.bytesSent)
      writer.member("bytes_received", end?.bytesReceived)
      writer.member("usage", end?.usage)
    }
  }
}

extension AttemptID {
  fileprivate func name(in requests: [RequestFacts]) -> String {
    let name = requests[request].name
    return item.map { "\(name)[\($0.key)]" } ?? name
  }
}
