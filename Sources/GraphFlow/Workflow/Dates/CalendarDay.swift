/// A day of the proleptic Gregorian calendar.
package struct CalendarDay: Hashable, Sendable {
  package let year: Int64
  /// From 1 to 12.
  package let month: Int64
  package let day: Int64

  package init(year: Int64, month: Int64, day: Int64) {
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// The day that is a number of days after 1970-01-01.
  ///
  /// Counts in eras of 400 years (146,097 days) that begin on the first of March, so that the leap
  /// day is the last day of its year.
  package init(daysSince1970 days: Int64) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Reads `2026-11-20`; nil if there is no such day.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.filter { $0.utf8.allSatisfy { (48...57).contains($0) } }.compactMap {
      Int64($0)
    }
    guard parts.map(\.utf8.count) == [4, 2, 2], numbers.count == 3 else { return nil }
    self.init(year: numbers[0], month: numbers[1], day: numbers[2])
    guard (1...12).contains(month), CalendarDay(daysSince1970: daysSince1970) == self else {
      return nil
    }
  }

  /// The day as `2026-11-20`, for years from 1000 to 9999.
  package var text: String {
    "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
  }

  /// The first day of the next month.
  package var nextMonth: CalendarDay {
    month == 12
      ? CalendarDay(year: year + 1, month: 1, day: 1)
      : CalendarDay(year: year, month: month + 1, day: 1)
  }

  /// The inverse of ``init(daysSince1970:)``.
  package var daysSince1970: Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}

extension Int64 {
  /// The quotient, rounded down, and the remainder, which is not negative.
  package func dividedDown(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
