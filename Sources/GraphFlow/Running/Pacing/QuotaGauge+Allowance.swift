/// What a limit allows.
extension QuotaGauge {
  /// How far a run may go.
  struct Bounds: Hashable, Sendable {
    /// The percent that is not gone beyond.
    var ceiling = 90.0
    /// Whether a person has drawn the line: then nothing is tried that might cross it.
    var isStrict = false

    /// From here on less and less is sent.
    var easing: Double { ceiling - 15 }
  }

  /// How full a limit is by one way to tell, and what an operation adds.
  struct Level: Hashable, Sendable {
    var used: Double
    var cost: Double
  }

  /// How full the limit is when all that is under way has been counted: by the headers, and by what
  /// was granted before Graph refused.
  func levels(at now: Timestamp) -> [Level] {
    var levels: [Level] = []
    if let usage = record.usage, let moment = record.readAt,
      moment.advanced(by: OperationHistory.window) > now
    {
      let cost = max(record.cost ?? 1, jump, 1e-9)
      let left = Double(record.history.left(after: moment, by: now)) * cost
      let added = Double(unread + inFlight) * cost
      levels.append(Level(used: max(usage - left, 0) + added, cost: cost))
    }
    if let capacity = record.capacity, capacity > 0 {
      let cost = 100 / capacity
      let used = Double(record.history.count(at: now) + inFlight) * cost
      levels.append(Level(used: used, cost: cost))
    }
    return levels
  }

  /// What may be sent now.
  ///
  /// - Parameters:
  ///   - now: the time.
  ///   - bounds: how far the run may go.
  ///   - isSmall: whether all that is left to send at once is so little that feeling one's way would
  ///     take longer.
  /// - Returns: what may be sent, or what has to be waited for.
  func allowance(at now: Timestamp, _ bounds: Bounds, isSmall: Bool) -> Allowance {
    if let end = record.silentUntil {
      let until = end.advanced(by: slack)
      if until > now {
        let pause = QuotaPause(until: until, cause: .throttled)
        return .pause(pause, since: record.silentSince ?? now)
      }
    }
    if record.refusals > 0 { return inFlight > 0 ? .afterAnswer : .operations(1) }
    let levels = levels(at: now)
    let isCalm = levels.allSatisfy { $0.used < 50 }
    let growth = isSmall && isCalm && !bounds.isStrict ? Int.max : slowStart(bounds)
    return levels.reduce(growth > 0 ? .operations(growth) : .afterAnswer) {
      $0.stricter(allowance($1, at: now, bounds))
    }
  }

  /// How many more may be under way: twice as many with each clean answer.
  ///
  /// Before a line that must not be crossed, as many as there were whose cost is known. Of a limit of
  /// which Graph tells nothing when it answers there is no such line.
  private func slowStart(_ bounds: Bounds) -> Int {
    let isReported = record.usage != nil || answers == 0
    guard bounds.isStrict, isReported else { return max(window - inFlight, 0) }
    return max(proven - inFlight - unread, inFlight > 0 ? 0 : 1)
  }

  private func allowance(_ level: Level, at now: Timestamp, _ bounds: Bounds) -> Allowance {
    let room = min(max((bounds.ceiling - level.used) / level.cost, 0), 1e9)
    let isEasing = level.used >= bounds.easing
    let operations = isEasing ? max(Int(room / 2), room >= 1 ? 1 : 0) : Int(room)
    guard operations > 0 else {
      return inFlight > 0 ? .afterAnswer : pause(level, at: now, bounds)
    }
    // What rests on an old reading, or is the last of it, waits for what the next answer says.
    let isStale = record.readAt.map { $0.advanced(by: .seconds(60)) < now } ?? false
    if inFlight > 0, isStale || isEasing && operations < Self.firstWindow { return .afterAnswer }
    return .operations(isStale ? min(operations, Self.firstWindow) : operations)
  }

  /// Until enough of what was counted has left the window, as far as that is known; else a while,
  /// and then one operation to see.
  private func pause(_ level: Level, at now: Timestamp, _ bounds: Bounds) -> Allowance {
    // Graph has said since when the limit that was full is free again.
    if let end = record.silentUntil, let read = record.readAt, read <= end, !bounds.isStrict {
      return .operations(1)
    }
    let target = max(bounds.ceiling - min(max(level.cost * 100, 1), 10), 0)
    let excess = ((level.used - target) / level.cost).rounded(.up)
    let own = record.history.count(at: now)
    if excess <= Double(own),
      let moment = record.history.moment(whenLeft: max(Int(excess), 1), after: now)
    {
      return .pause(QuotaPause(until: moment, cause: .usage), since: now)
    }
    let hold = Duration.seconds(min(60 << min(max(holds - 1, 0), 4), 600))
    let until = (record.readAt ?? now).advanced(by: hold)
    if until <= now {
      return bounds.isStrict
        ? .pause(.init(until: now.advanced(by: hold), cause: .usage), since: now) : .operations(1)
    }
    return .pause(QuotaPause(until: until, cause: .usage), since: record.readAt ?? now)
  }
}
