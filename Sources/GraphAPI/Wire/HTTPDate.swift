/// A date in a header, in any of the three forms that a recipient has to read.
///
/// Source: RFC 9110 section 5.6.7.
enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The moment in seconds since 1970; nil if the text is no date.
  static func seconds(_ text: String) -> Int64? {
    var parts = text.split { " ,-".contains($0) }.map(String.init)
    // `Sun Nov  6 08:49:37 1994`, the form of C's asctime, as `Sun 6 Nov 1994 08:49:37 GMT`.
    if parts.count == 5, months.contains(parts[1]) {
      parts = [parts[0], parts[2], parts[1], parts[4], parts[3], "GMT"]
    }
    guard parts.count == 6, parts[5] == "GMT", let day = Int64(parts[1]), (1...31).contains(day),
      let month = months.firstIndex(of: parts[2]), let year = year(parts[3]),
      let time = secondsOfDay(parts[4])
    else { return nil }
    return days(year: year, month: Int64(month) + 1, day: day) * 86_400 + time
  }

  /// A year of four digits, or of two: then one from 1970 to 2069.
  private static func year(_ text: String) -> Int64? {
    guard let number = Int64(text), number >= 0 else { return nil }
    switch text.utf8.count {
    case 4: return number
    case 2: return number < 70 ? 2000 + number : 1900 + number
    default: return nil
    }
  }

  private static func secondsOfDay(_ text: String) -> Int64? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int64($0) ?? -1 }
    guard parts.count == 3, (0...23).contains(parts[0]), (0...59).contains(parts[1]),
      (0...60).contains(parts[2])
    else { return nil }
    return parts[0] * 3600 + parts[1] * 60 + parts[2]
  }

  /// The days from 1970-01-01 to a day of the Gregorian calendar.
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    // Years begin in March, so that the leap day is the last of its year.
    let year = month > 2 ? year : year - 1
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
  }
}
