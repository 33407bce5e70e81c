import GraphAPI
import GraphFlow

/// Days and time spans for people.
enum DayText {
  /// The day of a time in seconds since 1970, in UTC: `2027-01-20`.
  static func day(_ seconds: Int) -> String {
    let (milliseconds, overflow) = Int64(seconds).multipliedReportingOverflow(by: 1000)
    guard !overflow else { return "a date too late to show" }
    return String(Timestamp(milliseconds: milliseconds).description.prefix { $0 != "T" })
  }

  /// An end with the time until it: `2027-01-20, in 59 days`.
  static func end(_ end: TokenExpiry, now: Int) -> String {
    switch end {
    case .unknown: "not known"
    case .never: "never"
    case .at(let seconds): "\(day(seconds)), \(distance(seconds &- now))"
    }
  }

  /// Whole days until an end; nil if there is none.
  static func days(until end: TokenExpiry, now: Int) -> Int? {
    guard case .at(let seconds) = end else { return nil }
    return Int((Double(seconds &- now) / 86_400).rounded(.down))
  }

  private static func distance(_ seconds: Int) -> String {
    let span = seconds.magnitude
    let (count, unit) =
      span >= 2 * 86_400
      ? (span / 86_400, "day") : span >= 7200 ? (span / 3600, "hour") : (span / 60, "minute")
    let amount = "\(count) \(unit)\(count == 1 ? "" : "s")"
    return seconds >= 0 ? "in \(amount)" : "\(amount) ago"
  }
}
