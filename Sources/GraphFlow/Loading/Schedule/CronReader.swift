/// Parses a cron line with five fields, and collects every problem.
struct CronReader {
  /// One of the five fields, and its allowed values.
  private struct Field {
    let subject: String
    let values: ClosedRange<Int>
    /// The largest number allowed: Sunday is both 0 and 7.
    let most: Int
    /// The words allowed, in the order of the values.
    let names: [Substring]

    init(_ subject: String, _ values: ClosedRange<Int>, most: Int? = nil, names: String = "") {
      self.subject = subject
      self.values = values
      self.most = most ?? values.upperBound
      self.names = names.split(separator: " ")
    }

    var expected: String {
      let numbers = "\(values.lowerBound) to \(most)"
      guard let first = names.first, let last = names.last else { return numbers }
      return "\(numbers) or \(first) to \(last)"
    }
  }

  /// The fields in the order in which they are written.
  private static let fields = [
    Field("a minute", 0...59), Field("an hour", 0...23), Field("a day of the month", 1...31),
    Field("a month", 1...12, names: "jan feb mar apr may jun jul aug sep oct nov dec"),
    Field("a day of the week", 0...6, most: 7, names: "sun mon tue wed thu fri sat"),
  ]

  private typealias Piece = Substring.UnicodeScalarView
  private(set) var faults: [RuleFault] = []
  private let text: String
  /// The parsed line; nil if there are problems.
  private(set) var line: CronLine?
  /// The longest line, in characters; whatever is longer can be written shorter.
  private static let longest = 1000

  init(_ text: String) {
    self.text = text
    line = read()
  }

  private mutating func read() -> CronLine? {
    let whole = text.unicodeScalars[...]
    guard text.utf8.count <= Self.longest else {
      return refuse(whole, "'cron' must have at most \(Self.longest) characters")
    }
    let fields = whole.split { $0 == " " || $0 == "\t" }
    if let word = fields.first, word.first == "@" { return refuse(word: word) }
    guard fields.count == Self.fields.count else {
      let hint =
        switch fields.count {
        case 6: "seconds and years are not supported: remove that field"
        case 7...: "seconds and years are not supported: remove these fields"
        default: "such as \"30 6 * * 1-5\""
        }
      return refuse(
        whole,
        "'cron' has five fields, minute, hour, day of month, month and day of week, and this has "
          + "\(fields.count)", hint: hint)
    }
    let read = zip(Self.fields, fields).map { field($0, $1) }
    guard faults.isEmpty else { return nil }
    return CronLine(
      text: text, minutes: read[0], hours: read[1], daysOfMonth: read[2], months: read[3],
      daysOfWeek: read[4])
  }

  private mutating func refuse(word: Piece) -> CronLine? {
    let lines = [
      "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *",
      "@weekly": "0 0 * * 0", "@daily": "0 0 * * *", "@midnight": "0 0 * * *",
      "@hourly": "0 * * * *",
    ]
    let line = lines[shown(word).lowercased()]
    return refuse(
      word, "'cron' has five fields, and '\(shown(word))' is one word",
      hint: line.map { "write \"\($0)\"" } ?? "such as \"30 6 * * 1-5\"", fix: line)
  }

  private mutating func field(_ field: Field, _ text: Piece) -> CronLine.Field {
    var bits: UInt64 = 0
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      bits |= values(part, of: field)
    }
    // Sunday is both 0 and 7.
    let second: UInt64 = 1 << UInt64(field.values.upperBound + 1)
    if bits & second != 0 { bits = bits & ~second | 1 }
    return CronLine.Field(bits: bits, isOpen: text.first == "*")
  }

  /// The values of `*`, `3`, `1-5`, `*/2` or `1-5/2`, as bits.
  private mutating func values(_ part: Piece, of field: Field) -> UInt64 {
    let halves = part.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let range = range(halves[0], of: field, hasStep: halves.count > 1) else { return 0 }
    guard let step = halves.count > 1 ? step(halves[1], of: field) : 1 else { return 0 }
    return stride(from: range.lowerBound, through: range.upperBound, by: step)
      .reduce(0) { $0 | 1 << UInt64($1) }
  }

  private mutating func range(
    _ text: Piece, of field: Field, hasStep: Bool
  ) -> ClosedRange<Int>? {
    if text.elementsEqual("*".unicodeScalars) { return field.values }
    let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = ends.map { number($0, of: field) }
    guard let first = numbers[0], let last = numbers[numbers.count - 1] else { return nil }
    if ends.count == 1, hasStep {
      return refuse(
        text, "a step needs a range, and '\(shown(text))' is a single value",
        hint: "write \(shown(text))-\(field.values.upperBound)")
    }
    if first <= last { return first...last }
    return refuse(text, "'\(shown(text))' runs backwards", hint: forwards(first, last, of: field))
  }

  /// A range that wraps around, written as two parts.
  private func forwards(_ first: Int, _ last: Int, of field: Field) -> String {
    // `fri-sun`: Sunday is 7 here.
    if last == 0, field.most > field.values.upperBound { return "write \(first)-\(field.most)" }
    let (start, end) = (field.values.lowerBound, field.values.upperBound)
    return "write " + (first == end ? "\(end)" : "\(first)-\(end)") + ","
      + (last == start ? "\(start)" : "\(start)-\(last)")
  }

  private mutating func number(_ text: Piece, of field: Field) -> Int? {
    let word = shown(text).lowercased()
    if let index = field.names.firstIndex(where: { $0 == word }) {
      return field.values.lowerBound + index
    }
    if let number = Self.number(text), (field.values.lowerBound...field.most).contains(number) {
      return number
    }
    if text.isEmpty {
      return refuse(text, "\(field.subject) is missing here", hint: "write \(field.expected), or *")
    }
    var hint: String?
    var fix = field.names.first { word.hasPrefix($0) }.map { String($0) }
    if let fix {
      hint = "write \(fix)"
    } else if text.contains(where: { "?LW#~H".unicodeScalars.contains($0) }) {
      fix = text.elementsEqual("?".unicodeScalars) ? "*" : nil
      hint = fix == nil ? "cron does not support it" : "write *"
    }
    return refuse(
      text, "\(field.subject) must be \(field.expected), not '\(shown(text))'", hint: hint, fix: fix
    )
  }

  private mutating func step(_ text: Piece, of field: Field) -> Int? {
    let most = field.values.upperBound
    if let step = Self.number(text), (1...most).contains(step) { return step }
    return refuse(text, "a step here must be 1 to \(most), not '\(shown(text))'")
  }

  /// A number of one or two digits.
  private static func number(_ text: Piece) -> Int? {
    let digits = Substring(text)
    let isNumber = digits.utf8.count <= 2 && digits.utf8.allSatisfy(WorkflowName.isDigit)
    return isNumber ? Int(digits) : nil
  }

  private mutating func refuse<Value>(
    _ piece: Piece, _ message: String, hint: String? = nil, fix: String? = nil
  ) -> Value? {
    let scalars = text.unicodeScalars
    let start = scalars.distance(from: scalars.startIndex, to: piece.startIndex)
    var fault = RuleFault(
      .invalidCron, message, hint: hint, characters: start..<start + max(1, piece.count))
    fault.fix = fix
    faults.append(fault)
    return nil
  }

  private func shown(_ piece: Piece) -> String { Substring(piece).short }
}
