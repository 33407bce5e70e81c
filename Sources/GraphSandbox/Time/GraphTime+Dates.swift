extension GraphTime {
  /// Writes a time as error 463 does: `Thursday, 09-Apr-15 15:00:00 PDT`.
  ///
  /// California's daylight saving time follows the law of 2005: from the second Sunday of March to
  /// the first Sunday of November, changing at 2 o'clock.
  static func session(_ seconds: Int) -> String {
    let seconds = min(max(seconds, 86_400), latest)
    let isSummer = isSummer(seconds)
    let local = seconds - (isSummer ? 7 : 8) * 3_600
    let (year, month, day) = date(days: local / 86_400)
    return "\(weekday(local)), \(padded(day, 2))-\(months[month - 1])-"
      + "\(padded(year % 100, 2)) \(clock(local)) \(isSummer ? "PDT" : "PST")"
  }

  /// Writes a time as HTTP does (RFC 9110 §5.6.7): `Thu, 09 Apr 2015 15:00:00 GMT`.
  static func http(_ seconds: Int) -> String {
    let seconds = min(max(seconds, 0), latest)
    let (year, month, day) = date(days: seconds / 86_400)
    return "\(weekday(seconds).prefix(3)), \(padded(day, 2)) \(months[month - 1]) "
      + "\(padded(year, 4)) \(clock(seconds)) GMT"
  }

  /// 1970 began on a Thursday.
  private static func weekday(_ seconds: Int) -> String { weekdays[(seconds / 86_400 + 4) % 7] }

  private static let weekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func isSummer(_ seconds: Int) -> Bool {
    let year = date(days: seconds / 86_400).year
    // Two o'clock in standard time, and two o'clock in daylight saving time.
    let start = sunday(2, ofMonth: 3, year) * 86_400 + 10 * 3_600
    let end = sunday(1, ofMonth: 11, year) * 86_400 + 9 * 3_600
    return (start..<end).contains(seconds)
  }

  /// The day since 1970 of a month's first, second … Sunday.
  private static func sunday(_ number: Int, ofMonth month: Int, _ year: Int) -> Int {
    let first = days(year: year, month: month, day: 1)
    return first + (7 - (first + 4) % 7) % 7 + (number - 1) * 7
  }
}
