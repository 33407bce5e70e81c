/// Ranges of days for people.
package enum DayRanges {
  /// Windows that follow each other as one range: `2026-10-01..2026-10-14, 2026-10-16`; those between
  /// two seconds, too.
  package static func text(of windows: [(since: String, until: String)]) -> String {
    var ranges: [(since: String, until: String)] = []
    for window in windows.sorted(by: { $0.since < $1.since }) {
      if let last = ranges.last, isNext(window.since, after: last.until) {
        ranges[ranges.count - 1].until = max(last.until, window.until)
      } else {
        ranges.append(window)
      }
    }
    return ranges.map { $0.since == $0.until ? $0.since : "\($0.since)..\($0.until)" }
      .joined(separator: ", ")
  }

  private static func isNext(_ day: String, after last: String) -> Bool {
    guard let day = CalendarDay(day)?.daysSince1970, let last = CalendarDay(last)?.daysSince1970
    else { return day <= last }
    return day <= last + 1
  }
}
