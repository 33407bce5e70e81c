/// Times in words, such as `yesterday` or `-1 week`, as PHP's `strtotime` reads them; in UTC.
///
/// Source: the PHP manual, "Supported Date and Time Formats", "Relative Formats". It reads the units,
/// the weekdays, and a date before them: `2026-01-15 +2 days`.
struct TimePhrase {
  private var seconds: Int
  private var months = 0

  /// The time that a phrase means; nil if it has another form.
  static func seconds(_ text: String, at now: Int) -> Int? {
    var phrase = TimePhrase(seconds: now)
    guard text.utf8.count <= 100, phrase.read(text.lowercased()) else { return nil }
    let time = phrase.monthsAdded
    return (0...GraphTime.latest).contains(time) ? time : nil
  }

  private mutating func read(_ text: String) -> Bool {
    var words = Self.words(of: text)[...]
    if let first = words.first, let date = GraphTime.seconds(first), Int(first) == nil {
      (seconds, words) = (date, words.dropFirst())
    }
    let isAgo = words.last == "ago"
    if isAgo { words.removeLast() }
    while let word = words.popFirst() {
      if setTime(word) { continue }
      guard let count = Self.counts[word] ?? Int(word), abs(count) < 100_000,
        let unit = words.popFirst()
      else { return false }
      guard add(isAgo ? -count : count, unit) else { return false }
    }
    return true
  }

  /// Numbers with their signs, and runs of other characters.
  private static func words(of text: String) -> [String] {
    text.split { $0 == " " || $0 == "\t" }.flatMap { word -> [String] in
      let number = word.prefix { $0 == "+" || $0 == "-" || $0.isNumber }
      let rest = word.dropFirst(number.count)
      let isSplit = !number.isEmpty && rest.first?.isLetter == true && rest.first != "t"
      return isSplit ? [String(number), String(rest)] : [String(word)]
    }
  }

  private static let counts = ["last": -1, "previous": -1, "this": 0, "next": 1]

  private static let weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]

  private static let units = [
    "sec": 1, "second": 1, "min": 60, "minute": 60, "hour": 3_600, "day": 86_400,
    "week": 604_800, "fortnight": 1_209_600,
  ]

  private mutating func setTime(_ word: String) -> Bool {
    switch word {
    case "now": break
    case "today", "midnight": seconds -= seconds % 86_400
    case "noon": seconds += 43_200 - seconds % 86_400
    case "yesterday": seconds -= seconds % 86_400 + 86_400
    case "tomorrow": seconds += 86_400 - seconds % 86_400
    default:
      guard let weekday = Self.weekday(word) else { return false }
      moveTo(weekday, skippingToday: false)
    }
    return true
  }

  private static func weekday(_ word: String) -> Int? {
    let index = weekdays.firstIndex { word.hasPrefix($0) }
    let names = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
    return index.flatMap { word == weekdays[$0] || word == names[$0] ? $0 : nil }
  }

  /// Moves to the start of the next day with this name; 1970 began on a Thursday.
  private mutating func moveTo(_ weekday: Int, skippingToday: Bool) {
    let today = seconds / 86_400
    let days = (weekday - (today + 4) % 7 + 7) % 7
    seconds = (today + (days == 0 && skippingToday ? 7 : days)) * 86_400
  }

  private mutating func add(_ count: Int, _ unit: String) -> Bool {
    if let weekday = Self.weekday(unit), (-1...1).contains(count) {
      if count == -1 { seconds -= 7 * 86_400 }
      moveTo(weekday, skippingToday: count == 1)
      return true
    }
    let name = unit.hasSuffix("s") ? String(unit.dropLast()) : unit
    switch name {
    case "month": months += count
    case "year": months += 12 * count
    default:
      guard let length = Self.units[name] else { return false }
      seconds += count * length
    }
    return true
  }

  /// A day that the month does not have is one of the next month, as in PHP.
  private var monthsAdded: Int {
    guard months != 0, seconds >= 0 else { return seconds }
    let (year, month, day) = GraphTime.date(days: seconds / 86_400)
    let total = year * 12 + month - 1 + months
    guard total >= 1970 * 12 else { return -1 }
    let first = GraphTime.days(year: total / 12, month: total % 12 + 1, day: 1)
    return (first + day - 1) * 86_400 + seconds % 86_400
  }
}
