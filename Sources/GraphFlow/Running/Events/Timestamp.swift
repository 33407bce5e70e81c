import JSONPath

/// A wall-clock time, in whole milliseconds since 1970-01-01T00:00:00Z.
///
/// The wall clock is for people and for ids only. Deadlines and delays use the monotonic clock (see
/// ``RunState``), so a change of the wall clock cannot lengthen or shorten a wait.
package struct Timestamp: Hashable, Sendable, Comparable, CustomStringConvertible {
  package let milliseconds: Int64

  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// The timestamp after a duration, rounded down to the millisecond.
  package func advanced(by duration: Duration) -> Timestamp {
    Timestamp(milliseconds: milliseconds &+ duration.milliseconds)
  }

  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// RFC 3339 in UTC with milliseconds: `2026-11-20T09:00:00.000Z`.
  package var description: String {
    var text = JSONText()
    write(to: &text)
    return String(decoding: text.bytes, as: UTF8.self)
  }

  /// Appends the ``description``.
  ///
  /// It writes digit by digit, because a report has a timestamp for each attempt and call.
  func write(to text: inout JSONText) {
    let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
    let days = remainder < 0 ? quotient - 1 : quotient
    let rest = remainder < 0 ? remainder + 86_400_000 : remainder
    let (year, month, day) = Timestamp.civil(fromDays: days)
    text.append(year, digits: 4, "-")
    text.append(month, digits: 2, "-")
    text.append(day, digits: 2, "T")
    text.append(rest / 3_600_000, digits: 2, ":")
    text.append(rest / 60_000 % 60, digits: 2, ":")
    text.append(rest / 1000 % 60, digits: 2, ".")
    text.append(rest % 1000, digits: 3, "Z")
  }

  /// The proleptic Gregorian date of a day counted from the epoch.
  ///
  /// Counts in eras of 400 years (146,097 days) that begin on the first of March, so that the leap
  /// day is the last day of its year.
  private static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}

extension Duration {
  /// Whole milliseconds, rounded down.
  package var milliseconds: Int64 {
    components.seconds &* 1000 &+ components.attoseconds / 1_000_000_000_000_000
  }
}
