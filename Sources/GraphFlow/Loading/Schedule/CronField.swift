/// One of the five fields of a cron line, and its allowed values.
struct CronField {
  let subject: String
  let values: ClosedRange<Int>
  /// The largest number allowed: Sunday is both 0 and 7.
  let most: Int
  /// The words allowed, in the order of the values.
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

  var expected: String {
    let numbers = "\(values.lowerBound) to \(most)"
    guard let first = names.first, let last = names.last else { return numbers }
    return "\(numbers) or \(first) to \(last)"
  }

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
      (1...2).contains(text.utf8.count) && text.utf8.allSatisfy(WorkflowName.isDigit)
    return isNumber ? Int(text) : nil
  }
}
