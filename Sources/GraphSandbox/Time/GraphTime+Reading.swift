extension GraphTime {
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
}
