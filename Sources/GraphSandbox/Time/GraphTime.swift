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

  /// Reads seconds since 1970, `2026-01-15`, or `2026-01-15T12:00:00` with `Z`, `+0000` or neither.
  static func seconds(_ text: String) -> Int? {
    if let number = Int(text) { return (0...latest).contains(number) ? number : nil }
    let bytes = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int? {
      guard range.upperBound <= bytes.count, bytes[range].allSatisfy({ (48...57).contains($0) })
      else { return nil }
      return bytes[range].reduce(0) { $0 * 10 + Int($1 - 48) }
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"), year >= 1970,
      (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    let days = days(year: year, month: month, day: day)
    guard date(days: days) == (year, month, day) else { return nil }
    guard bytes.count > 10 else { return days * 86_400 }
    guard let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " "),
      bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
      hour < 24, minute < 60, second < 60,
      ["", "Z", "+0000", "+00:00"].contains(String(decoding: bytes[19...], as: UTF8.self))
    else { return nil }
    return days * 86_400 + hour * 3_600 + minute * 60 + second
  }

  /// The days from 1970 to a Gregorian date not before it: the inverse of `date(days:)`.
  static func days(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let yearOfEra = year % 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return year / 400 * 146_097 + dayOfEra - 719_468
  }

  /// Writes a time as error 463 does: `Thursday, 09-Apr-15 15:00:00 PDT`.
  ///
  /// California's daylight saving time follows the law of 2005: from the second Sunday of March to
  /// the first Sunday of November, changing at 2 o'clock.
  static func session(_ seconds: Int) -> String {
    let seconds = min(max(seconds, 86_400), latest)
    let local = AccountZone.losAngeles.local(seconds)
    let isSummer = local - seconds == -7 * 3_600
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
  static func weekday(_ seconds: Int) -> String { weekdays[(seconds / 86_400 + 4) % 7] }

  private static let weekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The day since 1970 of a month's first, second … Sunday; -1: of its last one.
  static func sunday(_ number: Int, ofMonth month: Int, _ year: Int) -> Int {
    guard number > 0 else {
      return sunday(1, ofMonth: month % 12 + 1, month == 12 ? year + 1 : year) - 7
    }
    let first = days(year: year, month: month, day: 1)
    return first + (7 - (first + 4) % 7) % 7 + (number - 1) * 7
  }
}
