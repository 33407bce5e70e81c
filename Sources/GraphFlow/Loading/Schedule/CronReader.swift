/// Parses a cron line with five fields, and collects every problem.
struct CronReader {
  /// A problem, and the characters that it is about.
  struct Fault {
    let characters: Range<Int>
    let message: String
    var hint: String?
    /// The text that fixes the problem in place of the characters.
    var fix: String?
  }

  private typealias Piece = Substring.UnicodeScalarView
  private(set) var faults: [Fault] = []
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
    guard text.utf8.count <= Self.longest else {
      report(text.unicodeScalars[...], "'cron' must have at most \(Self.longest) characters")
      return nil
    }
    let fields = text.unicodeScalars.split { $0 == " " || $0 == "\t" }
    if let word = fields.first, word.first == "@" {
      reportWord(word)
      return nil
    }
    guard fields.count == CronField.all.count else {
      reportCount(fields.count)
      return nil
    }
    let read = zip(CronField.all, fields).map { field($0, $1) }
    guard faults.isEmpty else { return nil }
    return CronLine(
      text: text, minutes: read[0], hours: read[1], daysOfMonth: read[2], months: read[3],
      daysOfWeek: read[4])
  }

  // MARK: One field

  private mutating func field(_ field: CronField, _ text: Piece) -> CronLine.Field {
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
  private mutating func values(_ part: Piece, of field: CronField) -> UInt64 {
    let halves = part.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let range = range(halves[0], of: field, hasStep: halves.count > 1) else { return 0 }
    var step = 1
    if halves.count > 1 {
      guard let written = self.step(halves[1], of: field) else { return 0 }
      step = written
    }
    return stride(from: range.lowerBound, through: range.upperBound, by: step)
      .reduce(0) { $0 | 1 << UInt64($1) }
  }

  private mutating func range(
    _ text: Piece, of field: CronField, hasStep: Bool
  ) -> ClosedRange<Int>? {
    if text.elementsEqual("*".unicodeScalars) { return field.values }
    let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = ends.map { number($0, of: field) }
    guard let first = numbers[0], let last = numbers[numbers.count - 1] else { return nil }
    if ends.count == 1, hasStep {
      report(
        text, "a step needs a range, and '\(shown(text))' is a single value",
        hint: "write \(shown(text))-\(field.values.upperBound)")
      return nil
    }
    guard first <= last else {
      report(text, "'\(shown(text))' runs backwards", hint: forwards(first, last, of: field))
      return nil
    }
    return first...last
  }

  /// A range that wraps around, written as two parts.
  private func forwards(_ first: Int, _ last: Int, of field: CronField) -> String {
    // `fri-sun`: Sunday is 7 here.
    if last == 0, field.most > field.values.upperBound { return "write \(first)-\(field.most)" }
    let (start, end) = (field.values.lowerBound, field.values.upperBound)
    return "write " + (first == end ? "\(end)" : "\(first)-\(end)") + ","
      + (last == start ? "\(start)" : "\(start)-\(last)")
  }

  private mutating func number(_ text: Piece, of field: CronField) -> Int? {
    if let number = field.number(Substring(text)) { return number }
    guard !text.isEmpty else {
      report(text, "\(field.subject) is missing here", hint: "write \(field.expected), or *")
      return nil
    }
    var hint: String?
    var fix: String?
    let word = shown(text).lowercased()
    if let name = field.names.first(where: { word.hasPrefix($0) }) {
      hint = "write \(name)"
      fix = name
    } else if text.contains(where: { "?LW#~H".unicodeScalars.contains($0) }) {
      hint = text.elementsEqual("?".unicodeScalars) ? "write *" : "cron does not support it"
      fix = text.elementsEqual("?".unicodeScalars) ? "*" : nil
    }
    report(
      text, "\(field.subject) must be \(field.expected), not '\(shown(text))'", hint: hint, fix: fix
    )
    return nil
  }

  private mutating func step(_ text: Piece, of field: CronField) -> Int? {
    let most = field.values.upperBound
    guard let step = CronField.number(Substring(text)), (1...most).contains(step) else {
      report(text, "a step here must be 1 to \(most), not '\(shown(text))'")
      return nil
    }
    return step
  }

  // MARK: The whole line

  private mutating func reportWord(_ word: Piece) {
    let lines = [
      "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *",
      "@weekly": "0 0 * * 0", "@daily": "0 0 * * *", "@midnight": "0 0 * * *",
      "@hourly": "0 * * * *",
    ]
    let line = lines[shown(word).lowercased()]
    report(
      word, "'cron' has five fields, and '\(shown(word))' is one word",
      hint: line.map { "write \"\($0)\"" } ?? "such as \"30 6 * * 1-5\"", fix: line)
  }

  private mutating func reportCount(_ count: Int) {
    let hint =
      switch count {
      case 6: "seconds and years are not supported: remove that field"
      case 7...: "seconds and years are not supported: remove these fields"
      default: "such as \"30 6 * * 1-5\""
      }
    report(
      text.unicodeScalars[...],
      "'cron' has five fields, minute, hour, day of month, month and day of week, and this has "
        + "\(count)", hint: hint)
  }

  private mutating func report(
    _ piece: Piece, _ message: String, hint: String? = nil, fix: String? = nil
  ) {
    let scalars = text.unicodeScalars
    let start = scalars.distance(from: scalars.startIndex, to: piece.startIndex)
    faults.append(
      Fault(characters: start..<start + max(1, piece.count), message: message, hint: hint, fix: fix)
    )
  }

  private func shown(_ piece: Piece) -> String { Substring(piece).short }
}
