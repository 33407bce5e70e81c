/// Writes a run's reports during the run, each in its format.
///
/// Written instances of requests are not kept, so memory grows with the requests in flight, not with
/// the completed ones.
package struct ReportStream: Sendable {
  /// The figures of all instances, and the first problems; it does not contain all requests.
  package private(set) var report: Report
  package var outputs: [Output] = []
  /// Whether requests that a resumed run may send again are kept until
  /// ``settle(beforeSeveralSessions:)``.
  private var keepsChangeable = false

  /// One report, and its bytes that are still to be written to a file.
  package struct Output: Sendable {
    fileprivate var format: any ReportFormat
    package var text: [UInt8] = []

    package init(_ format: any ReportFormat) { self.format = format }

    /// Begins with the requests that have ended; the report must contain all events so far.
    ///
    /// `write` gets the text in parts of whole records.
    package init(
      _ format: any ReportFormat, resumingFrom report: Report,
      _ write: (inout [UInt8]) throws -> Void
    ) rethrows {
      self.format = format
      if report.start != nil { begin(report) }
      var rest = report
      rest.startReleasing()
      for request in rest.release() {
        add(request)
        try write(&text)
      }
    }

    fileprivate mutating func begin(_ report: Report) { format.begin(report, to: &text) }
    fileprivate mutating func add(_ request: Report.Request) { format.add(request, to: &text) }
    fileprivate mutating func end(_ report: Report) { format.end(report, to: &text) }

    /// Adds a whole run; several, one after the other, are one report.
    package mutating func append(_ run: Report) {
      begin(run)
      for request in run.requests { add(request) }
      end(run)
    }

    package mutating func finish() { format.finish(to: &text) }
  }

  /// Continues a report.
  ///
  /// For a resumed run, the report must contain all earlier events: a request that did not succeed may
  /// be sent again, and is written only when it has ended.
  package init(resumingFrom report: Report = Report(of: [])) {
    self.report = report
    self.report.startReleasing()
    _ = self.report.release()
  }

  package mutating func apply(_ event: RunEvent) {
    report.apply(event)
    for index in outputs.indices { outputs[index].format.observe(event) }
    switch event {
    case .runStarted: for index in outputs.indices { outputs[index].begin(report) }
    case .requestEnded(let end):
      if keepsChangeable, !report.isKeptByResuming(end) { return }
      guard let request = report.release(end) else { return }
      for index in outputs.indices { outputs[index].add(request) }
    case .runResumed, .endLost, .permissionsRead, .tokenRead, .callStarted, .baselineRead,
      .itemsListed, .reportRun, .paused, .concurrencyChanged, .callEnded, .attemptEnded, .runEnded:
      break
    }
  }

  /// Writes the instances that have ended and were kept, before the journal of the next run of a job.
  ///
  /// If that run has several sessions, a request may end more than once.
  package mutating func settle(beforeSeveralSessions hasSessions: Bool) {
    for request in report.release() {
      for index in outputs.indices { outputs[index].add(request) }
    }
    keepsChangeable = hasSessions
  }

  /// Writes the instances that have not ended, and the ends of all reports.
  package mutating func finish() {
    let open = report.requests
    for index in outputs.indices {
      for request in open { outputs[index].add(request) }
      outputs[index].end(report)
      outputs[index].finish()
    }
  }
}
