/// What a limit allows.
extension QuotaGauge {
  /// How far a run may fill a limit.
  struct Bounds: Hashable, Sendable {
    var ceiling = 90.0
    /// Whether the user set the maximum: then nothing is sent that might exceed it.
    var isStrict = false

    /// The percent from which on less and less is sent.
    var easing: Double { ceiling - 15 }
  }

  /// One estimate of how full a limit is, and of what an operation adds.
  struct Level: Hashable, Sendable {
    var used: Double
    var cost: Double

    /// How many operations are left below a maximum.
    func room(_ bounds: Bounds) -> Double { min(max((bounds.ceiling - used) / cost, 0), 1e9) }
  }

  /// How full the limit is once everything under way has been counted.
  ///
  /// There are up to two estimates: one from the usage headers, and one from the number of
  /// operations that Graph accepted before it refused more.
  func levels(at now: Timestamp) -> [Level] {
    var levels: [Level] = []
    if let usage = record.usage(at: now), let readAt = record.readAt {
      let cost = max(record.cost ?? 1, self.cost.steepCost, 1e-9)
      let left = Double(record.history.left(after: readAt, by: now)) * cost
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

  /// How many operations are left; nil as long as all percents that were read are lower than this
  /// one, because then the limit may be much larger than what was sent.
  func knownRoom(from percent: Double, at now: Timestamp, _ bounds: Bounds) -> Int? {
    guard record.usage ?? 0 >= percent || record.capacity != nil else { return nil }
    return levels(at: now).map { Int($0.room(bounds)) }.min()
  }

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

  /// How many more operations may be under way.
  ///
  /// The window is eight times as large after each clean answer. With a strict maximum, as many may
  /// be under way as the percents that were read include. A limit that Graph does not report has no
  /// such maximum.
  private func slowStart(_ bounds: Bounds) -> Int {
    let isReported = record.usage != nil || cost.answers == 0
    guard bounds.isStrict, isReported else { return max(window - inFlight, 0) }
    return max(cost.includedOperations - inFlight - unread, inFlight > 0 ? 0 : 1)
  }

  private func allowance(_ level: Level, at now: Timestamp, _ bounds: Bounds) -> Allowance {
    let room = level.room(bounds)
    let isEasing = level.used >= bounds.easing
    // Others may be sending at the same time. So at most a third of what is left is under way, or,
    // while much is left, one full batch.
    let third = (Int(room) - 2 * inFlight) / 3
    let single = min(Int(room), isEasing ? 1 : Self.batch)
    let operations = max(third, inFlight > 0 ? 0 : single)
    guard operations > 0 else { return inFlight > 0 ? .afterAnswer : pause(level, at: now, bounds) }
    // With an old reading, or with little room left, the next answer is awaited first.
    let isStale =
      record.readAt.map { $0.advanced(by: .seconds(60)) < now } ?? false
      && !record.hasExpired(at: now)
    if inFlight > 0, isStale || operations < Self.batch { return .afterAnswer }
    return .operations(isStale ? min(operations, Self.batch) : operations)
  }

  /// The pause until enough operations have left the window.
  ///
  /// If that time is unknown, the pause has a fixed length, and a single operation tests the limit
  /// afterwards.
  private func pause(_ level: Level, at now: Timestamp, _ bounds: Bounds) -> Allowance {
    // Graph announced that the limit is free after its pause, and no percent was read since.
    if let end = record.silentUntil, let read = record.readAt, read <= end, !bounds.isStrict {
      return .operations(1)
    }
    let target = max(bounds.ceiling - min(max(level.cost * 100, 1), 10), 0)
    let excess = ((level.used - target) / level.cost).rounded(.up)
    let own = record.history.count(at: now)
    if excess <= Double(own),
      let until = record.history.time(whenLeft: max(Int(excess), 1), after: now)
    {
      return .pause(QuotaPause(until: until, cause: .usage), since: now)
    }
    let hold = Duration.seconds(min(60 << min(max(fullReadings - 1, 0), 4), 600))
    let until = (record.readAt ?? now).advanced(by: hold)
    if until <= now {
      return bounds.isStrict
        ? .pause(.init(until: now.advanced(by: hold), cause: .usage), since: now) : .operations(1)
    }
    return .pause(QuotaPause(until: until, cause: .usage), since: record.readAt ?? now)
  }
}
