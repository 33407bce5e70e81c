/// Reads what follows `{date=` (docs/reference/language.md, "Dates and time
/// zones").
struct DateReader {
  private typealias Bytes = [UInt8].SubSequence

  private var rest: Bytes
  private var date: DateExpression

  /// Reads a date, which has a default zone; whether the zone exists is not checked.
  ///
  /// - Throws: the first fault, with its place in the text.
  static func date(
    _ text: String, in zone: String
  ) throws(RuleFault) -> (date: DateExpression, zone: Range<Int>) {
    var reader = DateReader(
      rest: Array(text.utf8)[...], date: DateExpression(base: .now, zone: .named(zone)))
    try reader.readBase()
    let offset = reader.rest.startIndex
    while let sign = reader.rest.first, "+-".utf8.contains(sign) { try reader.readOffset() }
    let zone = reader.rest.startIndex
    reader.readZone()
    let end = reader.rest.startIndex
    if try !reader.readFormat(), reader.date.seconds != 0 {
      throw RuleFault(
        .invalidValue, "hours, minutes and seconds need a format",
        hint: "write :unix or :rfc3339 after them; with :date it is the day at that time",
        characters: offset..<zone)
    }
    return (reader.date, zone..<end)
  }

  /// Whether a byte may be in a date; spaces may not.
  static func isPart(_ byte: UInt8) -> Bool {
    WorkflowName.isPart(byte) || "+@:/=".utf8.contains(byte)
  }

  private mutating func readBase() throws(RuleFault) {
    let word = takeWord()
    guard let base = DateExpression.BaseTime(rawValue: Self.text(word)) else {
      let words = DateExpression.BaseTime.allCases.map(\.rawValue)
      let nearest = NearestName.to(Self.text(word), among: words)
      var fault = RuleFault(
        .nearMissReference, "a date does not begin with '\(Self.text(word).short)'",
        hint: nearest.map { "did you mean '\($0)'?" }
          ?? "expected one of: " + words.joined(separator: ", "), characters: word.indices)
      fault.fix = nearest
      throw fault
    }
    date.base = base
  }

  /// Reads `-7d`.
  private mutating func readOffset() throws(RuleFault) {
    let start = rest.startIndex
    let isBack = rest.removeFirst() == UInt8(ascii: "-")
    let number = Int64(Self.text(take(while: WorkflowName.isDigit)))
    let unit = Self.text(takeWord())
    let written = start..<rest.startIndex
    guard let number, let seconds: Int64 = ["d": 86_400, "h": 3600, "m": 60, "s": 1][unit] else {
      throw RuleFault(
        .nearMissReference, "an offset is a whole number of d, h, m or s",
        hint: "such as -7d, or +90m", characters: written)
    }
    let most = DateExpression.maximumDays
    let (length, isTooLong) = number.multipliedReportingOverflow(by: isBack ? -seconds : seconds)
    guard !isTooLong, abs(length) <= most * 86_400 else {
      throw RuleFault(.limit, "an offset is at most \(most) days", characters: written)
    }
    if unit == "d" { date.days += length / 86_400 } else { date.seconds += length }
    guard abs(date.days) <= most, abs(date.seconds) <= most * 86_400 else {
      throw RuleFault(.limit, "an offset is at most \(most) days", characters: written)
    }
  }

  private mutating func readZone() {
    guard rest.first == UInt8(ascii: "@") else { return }
    rest.removeFirst()
    let name = Self.text(take { $0 != UInt8(ascii: ":") })
    let input = name.hasPrefix("input=") ? InputName(String(name.dropFirst(6))) : nil
    date.zone = input.map { .input($0) } ?? .named(name)
  }

  /// Reads `:unix`, and returns whether there is a format.
  private mutating func readFormat() throws(RuleFault) -> Bool {
    guard !rest.isEmpty else { return false }
    let name = Self.text(rest.dropFirst())
    guard rest.first == UInt8(ascii: ":"), let format = DateExpression.Format(rawValue: name) else {
      let isFormat = DateExpression.Format(rawValue: String(name.prefix { $0 != "@" })) != nil
      throw RuleFault(
        .nearMissReference, "'\(Self.text(rest).short)' is no format of a date",
        hint: isFormat
          ? "write the format after the time zone" : "write :date, :unix or :rfc3339",
        characters: rest.indices)
    }
    date.format = format
    return true
  }

  private mutating func takeWord() -> Bytes { take { !"+-@:".utf8.contains($0) } }

  private mutating func take(while fits: (UInt8) -> Bool) -> Bytes {
    let found = rest.prefix(while: fits)
    rest = rest[found.endIndex...]
    return found
  }

  private static func text(_ bytes: Bytes) -> String { String(decoding: bytes, as: UTF8.self) }
}
