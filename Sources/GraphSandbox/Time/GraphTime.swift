/// Times as Graph writes them: `2026-01-15T12:00:00+0000`.
enum GraphTime {
  /// Writes seconds since 1970, UTC.
  static func text(_ seconds: Int) -> String {
    "\(day(seconds))T\(clock(min(max(seconds, 0), latest)))+0000"
  }

  /// The day: `2026-01-15`.
  static func day(_ seconds: Int) -> String {
    let (year, month, day) = date(days: min(max(seconds, 0), latest) / 86_400)
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }

  /// The last second of the year 9999.
  static let latest = 253_402_300_799

  /// The time of day: `12:00:00`.
  static func clock(_ seconds: Int) -> String {
    "\(padded(seconds / 3_600 % 24, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
  }

  /// The Gregorian date of a day since 1970, counting in eras of 400 years that begin in March.
  static func date(days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  static func padded(_ number: Int, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
  }
}
