internal import JSONPath

/// The syntax of durations: a whole number and a unit (docs/reference/language.md, "Requests").
package enum DurationText {
  static let maximum = Duration.seconds(8760 * 3600)

  private static let units: [(name: String, milliseconds: Int64)] = [
    ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000),
  ]

  /// The duration that an invalid text was probably meant to be; nil if that is unclear.
  ///
  /// A number without a unit counts seconds.
  package static func nearest(to text: String) -> String? {
    let plain = text.lowercased().filter { $0 != " " }
    let digits = plain.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let number = JSON.Number(lexeme: String(digits))?.double, number >= 0, number < 1e9,
      let length = length(of: plain.dropFirst(digits.count))
    else { return nil }
    // A fraction of a unit is a whole number of a smaller one.
    let milliseconds = number * Double(length)
    let fitting = units.last {
      $0.milliseconds <= length
        && milliseconds.truncatingRemainder(dividingBy: Double($0.milliseconds)) == 0
    }
    guard let fitting, milliseconds <= 8760 * 3_600_000 else { return nil }
    let written = "\(Int(milliseconds) / Int(fitting.milliseconds))\(fitting.name)"
    return written == text ? nil : written
  }

  /// The length of a unit in milliseconds.
  private static func length(of unit: Substring) -> Int64? {
    switch unit.count > 2 && unit.last == "s" ? unit.dropLast() : unit {
    case "ms", "msec", "milli", "millisecond": 1
    case "", "s", "sec", "second": 1000
    case "m", "min", "minute": 60_000
    case "h", "hr", "hour": 3_600_000
    case "d", "day": 86_400_000
    default: nil
    }
  }

  /// Reads `250ms`, `30s`, `5m` or `2h`; nil for anything else and for more than a year.
  package static func duration(_ text: String) -> Duration? {
    let digits = text.utf8.prefix(while: WorkflowName.isDigit)
    guard let digitText = String(digits), let number = Int64(digitText) else { return nil }
    let unit = text.utf8.dropFirst(digits.count)
    guard let factor = units.first(where: { unit.elementsEqual($0.name.utf8) }) else { return nil }
    let (milliseconds, isTooLong) = number.multipliedReportingOverflow(by: factor.milliseconds)
    guard !isTooLong else { return nil }
    let duration = Duration.milliseconds(milliseconds)
    return duration <= maximum ? duration : nil
  }
}
