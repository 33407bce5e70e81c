import GraphAPI
import GraphFlow

extension RunSession {
  /// Runs what only reads, shows the writes that would follow, and asks whether to send them.
  ///
  /// - Returns: The job with an approval of these writes.
  /// - Throws: if they are not to be sent, or if what they need could not be read.
  func approved(
    _ job: RunJob, _ settings: Settings, over transport: any Transport,
    until interruption: Interruption, _ answer: PreviewOptions.Answer
  ) async throws -> RunJob {
    guard job.resuming == nil else {
      throw CommandFailure(
        .tryAgainLater, "--preview: an unfinished run would be continued, without a preview",
        hint: "continue it with graphflow resume, then start a new run")
    }
    if let group = WritePreview.hiddenGroup(of: job.workflow) {
      throw CommandFailure(
        .invalid, "--preview: the items of '\(group)' come from the answer to a write",
        hint: "no preview can show what is sent for them; nothing was sent")
    }
    let now = time.now()
    var generator = time.generator(now)
    var job = try job.counting(from: now)
    let identity = RunIdentity(
      id: RunID(startedAt: now, using: &generator), startedAt: now, datesFrom: job.datesFrom)
    job.identity = identity
    var options = job.options
    options.writes = .shown
    let windows = try WindowState(of: job, with: settings, in: store, for: identity.id)
    var state = self.state(
      of: job, options, settings, windows.bookmarks, seed: generator.next(), as: identity)
    var failures = 0
    let end = try await interruption.stopping { stop in
      try await perform(&state, over: transport, NoJournal(), settings, stop) { event in
        for recorder in recorders { recorder.follow(event, of: job.workflow) }
        guard case .requestEnded(let end) = event, end.status == .failed else { return }
        failures += 1
        guard failures <= 10, let failure = end.failure else { return }
        let name = job.workflow.requests[end.request].displayName
        Terminal.warn("'\(name)' has failed: \(failure.error.message)")
      }
    }
    guard let status = ExitStatus(rawValue: Int32(end.exitCode)),
      [.succeeded, .failed].contains(status)
    else {
      throw CommandFailure(
        ExitStatus(rawValue: Int32(end.exitCode)) ?? .failed,
        "the preview could not read all that it needs; no write was sent")
    }
    let preview = state.preview
    Terminal.notify(
      "preview of '\(job.workflow.name)': "
        + (preview.count == 1 ? "1 write" : "\(preview.count) writes")
        + (failures == 0 ? "" : ", \(failures) failed before"))
    for line in preview.lines { Terminal.notify("  " + Untrusted.shown(line)) }
    if preview.count > 0 { try answer.check(preview.count) }
    job.options.writes = .approved(preview.approval)
    return job
  }
}

/// Keeps no events: a preview sends nothing that has to be known afterwards.
private struct NoJournal: Journal {
  func append(_ events: [RunEvent], durably: Bool) async throws {}
}
