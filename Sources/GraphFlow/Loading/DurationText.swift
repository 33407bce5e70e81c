/// How durations are written: a whole number and a unit (language.md §4).
enum DurationText {
  /// The longest duration: a year.
  static let maximum = Duration.seconds(8760 * 3600)

  private static let units: [(name: String, milliseconds: Int64)] = [
    ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000),
  ]

  /// Reads `250ms`, `30s`, `5m` or `2h`; nil for anything else and for more than a year.
  static func duration(_ text: String) -> Duration? {
    let digits = text.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard let digitText = String(digits), let number = Int64(digitText) else { return nil }
    let unit = text.utf8.dropFirst(digits.count)
    guard let factor = units.first(where: { unit.elementsEqual($0.name.utf8) }) else { return nil }
    let (milliseconds, isTooLong) = number.multipliedReportingOverflow(by: factor.milliseconds)
    guard !isTooLong else { return nil }
    let duration = Duration.milliseconds(milliseconds)
    return duration <= maximum ? duration : nil
  }
}
