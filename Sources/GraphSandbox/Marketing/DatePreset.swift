/// The ranges of days with names, in the order of Graph's message about them.
///
/// Source: Marketing API, Ad Account Insights, `date_preset`. A range of the last days does not hold
/// today.
enum DatePreset: String, CaseIterable, Sendable {
  case today
  case yesterday
  case thisMonth = "this_month"
  case lastMonth = "last_month"
  case thisQuarter = "this_quarter"
  case maximum
  case dataMaximum = "data_maximum"
  case last3Days = "last_3d"
  case last7Days = "last_7d"
  case last14Days = "last_14d"
  case last28Days = "last_28d"
  case last30Days = "last_30d"
  case last90Days = "last_90d"
  case lastWeekFromMonday = "last_week_mon_sun"
  case lastWeekFromSunday = "last_week_sun_sat"
  case lastQuarter = "last_quarter"
  case lastYear = "last_year"
  case thisWeekFromMonday = "this_week_mon_today"
  case thisWeekFromSunday = "this_week_sun_today"
  case thisYear = "this_year"

  /// How many months Graph keeps insights.
  static let monthsKept = 37

  /// The days from 1970; `data` is when anything was delivered.
  func days(today: Int, data: ClosedRange<Int>?) -> ClosedRange<Int> {
    let month = GraphTime.date(days: today).month - 1
    let (sunday, monday) = (today - (today + 4) % 7, today - (today + 3) % 7)
    func first(_ months: Int) -> Int { Self.firstDay(months, before: today) }
    func last(_ count: Int) -> ClosedRange<Int> { Self.range(today - count, today - 1) }
    switch self {
    case .today: return today...today
    case .yesterday: return last(1)
    case .thisMonth: return Self.range(first(0), today)
    case .lastMonth: return Self.range(first(1), first(0) - 1)
    case .thisQuarter: return Self.range(first(month % 3), today)
    case .lastQuarter: return Self.range(first(month % 3 + 3), first(month % 3) - 1)
    case .thisYear: return Self.range(first(month), today)
    case .lastYear: return Self.range(first(month + 12), first(month) - 1)
    case .maximum: return max(data?.lowerBound ?? today, Self.earliest(today))...today
    case .dataMaximum:
      let days = data ?? today...today
      return max(days.lowerBound, Self.earliest(today))...max(days.upperBound, Self.earliest(today))
    case .last3Days: return last(3)
    case .last7Days: return last(7)
    case .last14Days: return last(14)
    case .last28Days: return last(28)
    case .last30Days: return last(30)
    case .last90Days: return last(90)
    case .lastWeekFromMonday: return Self.range(monday - 7, monday - 1)
    case .lastWeekFromSunday: return Self.range(sunday - 7, sunday - 1)
    case .thisWeekFromMonday: return Self.range(monday, today)
    case .thisWeekFromSunday: return Self.range(sunday, today)
    }
  }

  /// The first day that Graph keeps.
  static func earliest(_ today: Int) -> Int {
    let first = firstDay(monthsKept, before: today)
    return max(0, first + GraphTime.date(days: today).day - 1)
  }

  /// The first day of the month that is a number of months before a day.
  static func firstDay(_ months: Int, before day: Int) -> Int {
    let (year, month, _) = GraphTime.date(days: day)
    let total = year * 12 + month - 1 - months
    guard total >= 1970 * 12 else { return 0 }
    return GraphTime.days(year: total / 12, month: total % 12 + 1, day: 1)
  }

  /// A range that does not begin before 1970.
  private static func range(_ first: Int, _ last: Int) -> ClosedRange<Int> {
    max(0, first)...max(0, first, last)
  }
}
