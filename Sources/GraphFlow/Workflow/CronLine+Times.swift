extension CronLine {
  /// The next times of a schedule.
  ///
  /// As cron does it when clocks change: a time of a certain hour comes once, later if the clocks
  /// skip it, and at first if they show it twice. If the hour begins with `*`, it comes in both
  /// hours, and not in one that is skipped.
  ///
  /// - Parameters:
  ///   - count: the most times.
  ///   - now: the time after which they come, in seconds since 1970.
  ///   - clock: the clock of the schedule's zone.
  /// - Returns: the times in order, in seconds since 1970; fewer if they do not come within twelve
  ///   years.
  package func times(_ count: Int, after now: Int64, in clock: ZoneClock) -> [Int64] {
    let today = clock.local(now).dividedDown(by: Self.day).quotient
    var times: [Int64] = []
    // Clocks may be set back over midnight, so yesterday may not be over.
    for day in today - 1...today + 12 * 366 where matches(day: day) {
      // Two times of the clock may be one, and in another order, if an hour is skipped.
      for time in self.times(onDay: day, clock).sorted() where time > times.last ?? now {
        times.append(time)
      }
      guard times.count < count else { break }
    }
    return Array(times.prefix(count))
  }

  private static let day: Int64 = 86_400

  private func matches(day: Int64) -> Bool {
    let date = CalendarDay(daysSince1970: day)
    guard months.contains(Int(date.month)) else { return false }
    let isDayOfMonth = daysOfMonth.contains(Int(date.day))
    // The first of January 1970 was a Thursday.
    let isDayOfWeek = daysOfWeek.contains(Int((day + 4).dividedDown(by: 7).remainder))
    return daysOfMonth.isOpen || daysOfWeek.isOpen
      ? isDayOfMonth && isDayOfWeek : isDayOfMonth || isDayOfWeek
  }

  private func times(onDay day: Int64, _ clock: ZoneClock) -> [Int64] {
    let start = day * Self.day
    guard hours.isOpen else {
      return hours.values.flatMap { hour in
        minutes.values.map { clock.time(local: start + Int64(hour * 3600 + $0 * 60)) }
      }
    }
    let (first, end) = (clock.time(local: start), clock.time(local: start + Self.day))
    return stride(from: first, to: end, by: 60).filter { time in
      let minute = (clock.local(time) - start) / 60
      return hours.contains(Int(minute / 60)) && minutes.contains(Int(minute % 60))
    }
  }
}
