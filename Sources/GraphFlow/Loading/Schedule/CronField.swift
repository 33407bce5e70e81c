/// The five fields of a cron line: what may stand in each.
enum CronField: Int, CaseIterable {
  case minute, hour, dayOfMonth, month, dayOfWeek

  /// The field in messages.
  var subject: String {
    switch self {
    case .minute: "a minute"
    case .hour: "an hour"
    case .dayOfMonth: "a day of the month"
    case .month: "a month"
    case .dayOfWeek: "a day of the week"
    }
  }

  /// The numbers that may be written.
  var range: ClosedRange<Int> {
    switch self {
    case .minute: 0...59
    case .hour: 0...23
    case .dayOfMonth: 1...31
    case .month: 1...12
    case .dayOfWeek: 0...7
    }
  }

  /// The words that may be written, from the least number on.
  var names: [String] {
    switch self {
    case .minute, .hour, .dayOfMonth: []
    case .month:
      ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    case .dayOfWeek: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
    }
  }

  /// What it takes, in messages.
  var expected: String {
    let numbers = "\(range.lowerBound) to \(range.upperBound)"
    guard let first = names.first, let last = names.last else { return numbers }
    return "\(numbers) or \(first) to \(last)"
  }

  /// The number that a text stands for; nil if it is none, or out of range.
  func number(_ text: Substring) -> Int? {
    if let index = names.firstIndex(of: text.lowercased()) { return range.lowerBound + index }
    guard (1...2).contains(text.utf8.count), text.utf8.allSatisfy(Self.isDigit),
      let number = Int(text), range.contains(number)
    else { return nil }
    return number
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
