internal import JSONPath

/// A range of days that is cut into windows, alone or for each element of a list
/// (docs/reference/language.md, "Windows of days"); or what is new there ("What is new").
package struct DayWindows: Hashable, Sendable {
  /// How long a window is.
  package enum Length: Hashable, Sendable {
    /// A number of days, counted from the first day of the range.
    case days(Int64)
    /// From Monday to Sunday.
    case week
    /// From the first day of a month to its last one.
    case month

    /// The days that follow a window with a day in it.
    fileprivate func next(after day: Int64) -> Int64 {
      switch self {
      case .days(let count): return day + count
      // 1970 began on a Thursday.
      case .week: return day + 7 - (day + 3).dividedDown(by: 7).remainder
      case .month:
        let date = CalendarDay(daysSince1970: day)
        return CalendarDay(year: date.year, month: date.month, day: 1).nextMonth.daysSince1970
      }
    }

    /// The first day of the whole window with a day in it; a number of days counts from 1970-01-01.
    ///
    /// Such windows are the same for every range, so those of two runs never overlap.
    func start(of day: Int64) -> Int64 {
      switch self {
      case .days(let count): return day - day.dividedDown(by: count).remainder
      case .week: return day - (day + 3).dividedDown(by: 7).remainder
      case .month:
        let date = CalendarDay(daysSince1970: day)
        return CalendarDay(year: date.year, month: date.month, day: 1).daysSince1970
      }
    }

    /// The whole windows in a range of days, as a state names them.
    package func windows(in range: WindowSelection.Backfill) -> [(since: String, until: String)] {
      guard let first = CalendarDay(range.since)?.daysSince1970,
        let last = CalendarDay(range.until)?.daysSince1970
      else { return [] }
      return windows(from: start(of: first), through: last)
        .filter { $0.lowerBound >= first && next(after: $0.lowerBound) == $0.upperBound + 1 }
        .map {
          (
            CalendarDay(daysSince1970: $0.lowerBound).text,
            CalendarDay(daysSince1970: $0.upperBound).text
          )
        }
    }

    /// The windows of a range of days, both ends included; the first and the last one may be shorter.
    func windows(from first: Int64, through last: Int64) -> [ClosedRange<Int64>] {
      var (windows, day) = ([ClosedRange<Int64>](), first)
      while day <= last {
        let next = next(after: day)
        windows.append(day...min(next - 1, last))
        day = next
      }
      return windows
    }
  }

  /// The most days of a range: a hundred years.
  static let maximumDays: Int64 = 36_525

  /// How a range is cut, and where it ends.
  package struct Cut: Hashable, Sendable {
    package let length: Length
    /// The last day of the range.
    let until: Template
  }

  /// How the range is cut; nil for what is new: from the start of the last read to that of the run.
  package let cut: Cut?
  /// What has windows of its own; nil for one range.
  package let elements: Workflow.ItemSource?
  /// The first day of the range.
  package let since: Template
  /// The time zone of the days, which may be part of an element.
  package let timezone: Template
  /// What is kept between runs; nil if every run reads all windows.
  package var state: State?

  /// How windows that were read are kept (docs/reference/language.md, "State").
  package struct State: Hashable, Sendable {
    /// The number of days at the end of the range whose windows are read each time; of what is new,
    /// the seconds before the start of the last read.
    package let lookback: Int64

    package init(lookback: Int64) { self.lookback = lookback }
  }

  package var placeholders: [Placeholder] {
    (elements?.placeholders ?? []) + since.placeholders + (cut?.until.placeholders ?? [])
      + timezone.placeholders
  }

  /// The items of an element: its members, and those of one window.
  static func items(
    of element: JSON?, _ windows: [ClosedRange<Int64>], in clock: ZoneClock
  ) -> [JSON] {
    windows.map { window in
      item(
        of: element, window, from: clock.time(local: window.lowerBound * 86_400),
        to: clock.time(local: (window.upperBound + 1) * 86_400))
    }
  }

  /// The item of an element: its members, and those of a window in days and in seconds since 1970.
  static func item(
    of element: JSON?, _ days: ClosedRange<Int64>, from start: Int64, to end: Int64
  ) -> JSON {
    let members: [(String, JSON)] =
      element.map { element in
        element.object.map { Array($0) } ?? [("id", element)]
      } ?? []
    let own: [(String, JSON)] = [
      ("since", .string(CalendarDay(daysSince1970: days.lowerBound).text)),
      ("until", .string(CalendarDay(daysSince1970: days.upperBound).text)),
      ("start", .number(JSON.Number(Int(start)))), ("end", .number(JSON.Number(Int(end)))),
    ]
    let names = own.map(\.0)
    return .object(JSON.Object(members.filter { !names.contains($0.0) } + own))
  }
}
