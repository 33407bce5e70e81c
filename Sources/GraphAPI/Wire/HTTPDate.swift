/// A date in an HTTP header: `Sun, 06 Nov 1994 08:49:37 GMT`, or one of the two obsolete formats that
/// a recipient has to accept (RFC 9110, section 5.6.7).
package struct HTTPDate: Hashable, Sendable {
  /// Whole seconds since 1970-01-01T00:00:00Z.
  package let seconds: Int64

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  package init(seconds: Int64) { self.seconds = seconds }

  package init?(_ text: String) {
    var text = text
    guard let seconds = text.withUTF8({ HTTPDate.seconds(of: $0) }) else { return nil }
    self.seconds = seconds
  }

  private typealias Part = Slice<UnsafeBufferPointer<UInt8>>

  /// Splits bytes: every answer has a date, and splitting characters takes ten times as long.
  private static func seconds(of text: UnsafeBufferPointer<UInt8>) -> Int64? {
    var parts = text.split {
      $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "-")
    }
    // `Sun Nov  6 08:49:37 1994`, the form of C's asctime, as `Sun 6 Nov 1994 08:49:37`.
    if parts.count == 5, month(parts[1]) != nil {
      parts = [parts[0], parts[2], parts[1], parts[4], parts[3]]
    } else {
      guard parts.popLast()?.elementsEqual("GMT".utf8) == true else { return nil }
    }
    guard parts.count == 5, let day = number(parts[1]), (1...31).contains(day),
      let month = month(parts[2]), let year = year(parts[3]), let time = secondsOfDay(parts[4])
    else { return nil }
    return days(year: year, month: Int64(month) + 1, day: day) * 86_400 + time
  }

  private static func month(_ text: Part) -> Int? {
    months.firstIndex { text.elementsEqual($0.utf8) }
  }

  private static func number(_ text: Part) -> Int64? {
    guard (1...4).contains(text.count), text.allSatisfy(\.isDigit) else { return nil }
    return text.reduce(0) { $0 * 10 + Int64($1 - 48) }
  }

  /// A year of four digits, or of two digits for 1970 to 2069.
  private static func year(_ text: Part) -> Int64? {
    guard let number = number(text) else { return nil }
    return switch text.count {
    case 4 where number >= 1970: number
    case 2: number < 70 ? 2000 + number : 1900 + number
    default: nil
    }
  }

  private static func secondsOfDay(_ text: Part) -> Int64? {
    let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    let numbers = parts.compactMap { $0.count == 2 ? number($0) : nil }
    guard parts.count == 3, numbers.count == 3, numbers[0] < 24, numbers[1] < 60, numbers[2] <= 60
    else { return nil }
    return numbers[0] * 3600 + numbers[1] * 60 + numbers[2]
  }

  /// The days from 1970-01-01 to a day of the Gregorian calendar.
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    // Years start in March, so that the leap day is the last day of the year.
    let year = month > 2 ? year : year - 1
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
  }
}
