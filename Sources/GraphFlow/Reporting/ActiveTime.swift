/// How long a run was at work: the sum of its sessions, of which it may have several.
struct ActiveTime: Sendable {
  /// The time of the sessions that are over, in milliseconds; nil if the moments are none that a
  /// clock tells.
  private(set) var milliseconds: Int64? = 0
  /// When the session under way began.
  private var begin: Timestamp?
  /// The last call that was started in it.
  private var lastCall: CallStart?
  /// The last moment of it that is known.
  private var latest: Timestamp?

  /// Takes in the next event.
  mutating func note(_ event: RunEvent) {
    switch event {
    case .runStarted(let start):
      // A second one tells that the file has changed.
      if begin == nil { (begin, latest) = (start.startedAt, start.startedAt) }
    case .runResumed(let moment):
      // A session without an end was killed: it lasted to what is known of it.
      if let latest { end(at: latest) }
      (begin, latest, lastCall) = (moment, moment, nil)
    case .callStarted(let call):
      latest = latest.map { max($0, call.startedAt) }
      lastCall = call
    case .callEnded(let call):
      guard let start = lastCall, start.number == call.number, let known = latest else { return }
      let end = start.startedAt.milliseconds.addingReportingOverflow(call.durationMilliseconds)
      if !end.overflow { latest = max(known, Timestamp(milliseconds: end.partialValue)) }
    case .runEnded(let end): self.end(at: end.finishedAt)
    case .endLost, .permissionsRead, .tokenRead, .baselineRead, .itemsListed, .paused,
      .attemptEnded, .requestEnded:
      break
    }
  }

  private mutating func end(at moment: Timestamp) {
    guard let begin, let sum = milliseconds else { return }
    let (length, isTooLong) = moment.milliseconds.subtractingReportingOverflow(begin.milliseconds)
    // A clock that was set back must not make a session end before it started.
    let (total, isTooMuch) = sum.addingReportingOverflow(max(0, length))
    milliseconds = isTooLong || isTooMuch ? nil : total
    (self.begin, latest, lastCall) = (nil, nil, nil)
  }
}
