/// The clocks of a time zone: how far they are from UTC, and when they change.
///
/// The rules are part of the program, so that the same run gives the same bytes on every machine.
/// Source: https://www.iana.org/time-zones, from 2020 on; `scripts/record-time-zones` records them.
package struct ZoneClock: Sendable {
  /// The yearly change to or from summer time, as in the variable `TZ` of POSIX.
  private struct Change {
    let month, week, weekday, minute: Int64

    /// The seconds since 1970 that the clocks show before they change.
    func local(in year: Int64) -> Int64 {
      let first = CalendarDay(year: year, month: month, day: 1).daysSince1970
      // 1970 began on a Thursday; the fifth week is the last one with this weekday.
      let next = CalendarDay(year: year, month: month, day: 1).nextMonth.daysSince1970
      var day = first + (weekday - (first + 4)).dividedDown(by: 7).remainder + (week - 1) * 7
      if day >= next { day -= 7 }
      return day * 86_400 + minute * 60
    }
  }

  /// Offsets that the rule does not give, each with the time when it ends; in seconds.
  private var eras: [(offset: Int64, end: Int64)] = []
  private let standard: Int64
  private let summer: (offset: Int64, start: Change, end: Change)?

  /// The zones by their names, in the form that the script describes.
  private static let all: [String: ZoneClock] = {
    var zones: [String: ZoneClock] = [:]
    var clock = ZoneClock(rule: [0])
    let text = String(decoding: PackageResources.time_zones_txt, as: UTF8.self)
    for word in text.drop(while: { $0 != "\n" }).split(whereSeparator: \.isWhitespace) {
      let numbers = word.split { !"-0123456789".contains($0) }.compactMap { Int64($0) }
      if word.first == "=" {
        clock = ZoneClock(rule: numbers)
      } else if word.contains("<") {
        clock.eras.append((numbers[0] * 60, numbers[1] * 60))
      } else {
        zones[String(word)] = clock
      }
    }
    return zones
  }()

  /// The names of all zones.
  package static var names: some Collection<String> { all.keys }

  package static func isKnown(_ name: String) -> Bool { all[name] != nil }

  private init(rule: [Int64]) {
    standard = rule[0] * 60
    summer =
      rule.count == 10
      ? (
        rule[1] * 60, Change(month: rule[2], week: rule[3], weekday: rule[4], minute: rule[5]),
        Change(month: rule[6], week: rule[7], weekday: rule[8], minute: rule[9])
      ) : nil
  }

  /// The zone with a name of the database; nil if there is none.
  package init?(named name: String) {
    guard let clock = Self.all[name] else { return nil }
    self = clock
  }

  /// The seconds since 1970 that the clocks show at a time, which is in seconds since 1970 as well.
  package func local(_ time: Int64) -> Int64 { time + offset(at: time) }

  /// The time at which the clocks show a number of seconds since 1970.
  ///
  /// It is the first one if they show it twice, and as much later as they skip if they skip it.
  package func time(local: Int64) -> Int64 {
    let (before, after) = (offset(at: local - 86_400), offset(at: local + 86_400))
    let isAfter = offset(at: local - before) != before && offset(at: local - after) == after
    return local - (isAfter ? after : before)
  }

  private func offset(at time: Int64) -> Int64 {
    if let era = eras.first(where: { time < $0.end }) { return era.offset }
    guard let summer else { return standard }
    let year = CalendarDay(daysSince1970: (time + standard).dividedDown(by: 86_400).quotient).year
    let start = summer.start.local(in: year) - standard
    let end = summer.end.local(in: year) - summer.offset
    let isSummer = start < end ? (start..<end).contains(time) : !(end..<start).contains(time)
    return isSummer ? summer.offset : standard
  }
}
