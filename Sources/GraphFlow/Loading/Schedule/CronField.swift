/// One of the five fields of a cron line: what may stand in it.
struct CronField {
  /// The field in messages.
  let subject: String
  /// The numbers that mean something of their own.
  let values: ClosedRange<Int>
  /// The greatest number that may be written: Sunday is 0, and 7 too.
  let most: Int
  /// The words that may be written, from the least number on.
  let names: [String]

  private init(_ subject: String, _ values: ClosedRange<Int>, most: Int? = nil, names: String = "")
  {
    self.subject = subject
    self.values = values
    self.most = most ?? values.upperBound
    self.names = names.split(separator: " ").map(String.init)
  }

  /// The fields in the order in which they are written.
  static let all = [
    CronField("a minute", 0...59),
    CronField("an hour", 0...23),
    CronField("a day of the month", 1...31),
    CronField("a month", 1...12, names: "jan feb mar apr may jun jul aug sep oct nov dec"),
    CronField("a day of the week", 0...6, most: 7, names: "sun mon tue wed thu fri sat"),
  ]

  /// What it takes, in messages.
  var expected: String {
    let numbers = "\(values.lowerBound) to \(most)"
    guard let first = names.first, let last = names.last else { return numbers }
    return "\(numbers) or \(first) to \(last)"
  }

  /// The number that a text stands for; nil if it is none, or out of range.
  func number(_ text: Substring) -> Int? {
    if let index = names.firstIndex(of: text.lowercased()) { return values.lowerBound + index }
    guard let number = Self.number(text), (values.lowerBound...most).contains(number) else {
      return nil
    }
    return number
  }

  /// A number of one or two digits.
  static func number(_ text: Substring) -> Int? {
    let isNumber =
      (1...2).contains(text.utf8.count)
      && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return isNumber ? Int(text) : nil
  }
}
