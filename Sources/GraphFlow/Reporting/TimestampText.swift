/// Writes moments fast: those of one day share their beginning, and calls carry many operations.
struct TimestampText {
  private static let millisecondsPerDay: Int64 = 86_400_000
  private var day: Int64?
  private var date: [UInt8] = []
  private var last: (milliseconds: Int64, text: [UInt8])?

  /// Appends the moment in RFC 3339, UTC, with milliseconds; years beyond 1970 to 9999 are cut off.
  mutating func write(_ moment: Timestamp, to output: inout [UInt8]) {
    let milliseconds = min(max(0, moment.milliseconds), 253_402_300_799_999)
    if let last, last.milliseconds == milliseconds {
      output.append(contentsOf: last.text)
      return
    }
    let start = output.count
    let (day, time) = milliseconds.quotientAndRemainder(
      dividingBy: TimestampText.millisecondsPerDay
    )
    if day != self.day {
      let midnight = Timestamp(milliseconds: day * TimestampText.millisecondsPerDay)
      date = Array(midnight.description.utf8.prefix("2026-11-20T".utf8.count))
      self.day = day
    }
    output.append(contentsOf: date)
    TimestampText.writeDigits(time / 3_600_000, 2, ":", to: &output)
    TimestampText.writeDigits(time / 60_000 % 60, 2, ":", to: &output)
    TimestampText.writeDigits(time / 1000 % 60, 2, ".", to: &output)
    TimestampText.writeDigits(time % 1000, 3, "Z", to: &output)
    last = (milliseconds, Array(output[start...]))
  }

  private static func writeDigits(
    _ number: Int64,
    _ count: Int,
    _ end: Unicode.Scalar,
    to output: inout [UInt8]
  ) {
    if count > 2 { output.append(UInt8(ascii: "0") + UInt8(number / 100 % 10)) }
    output.append(UInt8(ascii: "0") + UInt8(number / 10 % 10))
    output.append(UInt8(ascii: "0") + UInt8(number % 10))
    output.append(UInt8(ascii: end))
  }
}
