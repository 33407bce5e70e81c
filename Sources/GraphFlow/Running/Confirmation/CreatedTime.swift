package import JSONPath

extension Timestamp {
  /// Reads the `created_time` of an answer; nil if the value is not a time.
  ///
  /// Graph writes `2026-11-21T03:27:41+0000`; RFC 3339 and whole seconds since 1970 (the result of
  /// `date_format=U`) are accepted as well. The zone is required: a local time would be a guess.
  ///
  /// Source: Graph API, "Post" (`created_time`) and "Dates".
  package init?(createdTime value: JSON?) {
    switch value {
    case .number(let number):
      // Graph's times are in the years 1970 to 9999.
      guard let seconds = Int64(number.lexeme), (0...253_402_300_799).contains(seconds) else {
        return nil
      }
      self.init(milliseconds: seconds * 1000)
    case .string(let text):
      var reader = TimeReader(rest: text.utf8[...])
      guard let time = reader.readTime() else { return nil }
      self = time
    default:
      return nil
    }
  }
}

/// Reads a date with a time and a zone.
private struct TimeReader {
  var rest: Substring.UTF8View

  mutating func readTime() -> Timestamp? {
    guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2),
      take("T") || take("t") || take(" "), let hour = number(2), take(":"),
      let minute = number(2), take(":"), let second = number(2), let fraction = milliseconds(),
      let offset = offset(), rest.isEmpty
    else { return nil }
    // A leap second counts as the first second of the next minute.
    guard (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    let days = CalendarDay(year: year, month: month, day: day).daysSince1970
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
    return Timestamp(milliseconds: seconds * 1000 + fraction)
  }

  /// The fraction of a second, truncated to milliseconds; 0 if there is none.
  private mutating func milliseconds() -> Int64? {
    guard take(".") else { return 0 }
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard (1...9).contains(digits.count) else { return nil }
    rest = rest.dropFirst(digits.count)
    let padded = digits.map { Int64($0 - UInt8(ascii: "0")) } + [0, 0]
    return padded[0] * 100 + padded[1] * 10 + padded[2]
  }

  /// The zone's offset in seconds: `Z`, `+0000` or `+00:00`.
  private mutating func offset() -> Int64? {
    if take("Z") || take("z") { return 0 }
    let isWest = take("-")
    guard isWest || take("+"), let hours = number(2) else { return nil }
    _ = take(":")
    guard let minutes = number(2), hours < 24, minutes < 60 else { return nil }
    let seconds = hours * 3600 + minutes * 60
    return isWest ? -seconds : seconds
  }

  private mutating func number(_ count: Int) -> Int64? {
    let digits = rest.prefix(count)
    guard digits.count == count,
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    rest = rest.dropFirst(count)
    return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
  }

  private mutating func take(_ mark: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: mark) else { return false }
    rest = rest.dropFirst()
    return true
  }
}
