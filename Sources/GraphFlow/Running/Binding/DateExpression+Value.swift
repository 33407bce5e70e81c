internal import JSONPath

extension DateExpression {
  /// Its value for a run that started at a time, in a time zone.
  ///
  /// Days are days of the zone's calendar, and times after a day are times of its clocks. Only from
  /// `now` are hours, minutes and seconds time that passes.
  func value(at start: Timestamp, in clock: ZoneClock) -> JSON {
    let now = start.milliseconds.dividedDown(by: 1000).quotient
    let today = clock.local(now).dividedDown(by: 86_400).quotient
    func time(_ days: Int64) -> Int64 {
      clock.time(local: (today + days + self.days) * 86_400 + seconds)
    }
    let time =
      switch base {
      case .now where days == 0: now + seconds
      case .now: clock.time(local: clock.local(now) + days * 86_400) + seconds
      case .today: time(0)
      case .yesterday: time(-1)
      case .tomorrow: time(1)
      }
    switch format {
    case .unix: return .number(JSON.Number(Int(time)))
    case .rfc3339:
      return .string("\(Timestamp(milliseconds: time * 1000).description.prefix(19))Z")
    case .date:
      let day = clock.local(time).dividedDown(by: 86_400).quotient
      return .string(CalendarDay(daysSince1970: day).text)
    }
  }
}
