/// The total time of a run's sessions; a run that was resumed has several.
struct ActiveTime: Sendable {
  /// The time of the completed sessions, in milliseconds; nil if their times are out of range.
  private(set) var milliseconds: Int64? = 0
  private var sessionStart: Timestamp?
  private var lastCall: CallStart?
  private var latest: Timestamp?

  mutating func apply(_ event: RunEvent) {
    switch event {
    case .runStarted(let start):
      // A second start event means that the file has changed.
      if sessionStart == nil { (sessionStart, latest) = (start.startedAt, start.startedAt) }
    case .runResumed(let time):
      // A session without an end was killed; it lasted at least until its last known time.
      if let latest { endSession(at: latest) }
      (sessionStart, latest, lastCall) = (time, time, nil)
    case .callStarted(let call):
      latest = latest.map { max($0, call.startedAt) }
      lastCall = call
    case .callEnded(let call):
      guard let start = lastCall, start.number == call.number, let known = latest else { return }
      let end = start.startedAt.milliseconds.addingReportingOverflow(call.durationMilliseconds)
      if !end.overflow { latest = max(known, Timestamp(milliseconds: end.partialValue)) }
    case .runEnded(let end): endSession(at: end.finishedAt)
    case .endLost, .permissionsRead, .tokenRead, .baselineRead, .itemsListed, .reportRun,
      .paused, .concurrencyChanged, .attemptEnded, .requestEnded:
      break
    }
  }

  private mutating func endSession(at time: Timestamp) {
    guard let sessionStart, let sum = milliseconds else { return }
    let (length, isTooLong) = time.milliseconds.subtractingReportingOverflow(
      sessionStart.milliseconds)
    // If the clock was set back, the session must not have a negative length.
    let (total, isTooMuch) = sum.addingReportingOverflow(max(0, length))
    milliseconds = isTooLong || isTooMuch ? nil : total
    (self.sessionStart, latest, lastCall) = (nil, nil, nil)
  }
}
