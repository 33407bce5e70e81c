/// The days that a request for insights is about, and those that `paging` leads to.
///
/// Source: Pages API, Get Page Insights: `since` is in the first day; recorded: a day is given if it
/// begins at or after `since` and ends at or before `until`.
struct AudienceWindow: Sendable {
  /// Complete days, as numbers since 1970.
  let days: Range<Int>
  /// The times of the request or, without them, the ends of the days.
  let since: Int
  let until: Int

  /// The window of a request; without times it holds the last complete days.
  init(
    _ request: EdgeRequest, at now: Int, limit: Int, standard: Int
  ) throws(GraphFault) {
    let zone = Audience.zone
    // The first day that has not ended.
    let today = zone.local(now) / 86_400
    func midnight(_ day: Int) -> Int { zone.time(local: max(0, day) * 86_400) }
    var since = try request.time("since", at: now)
    var until = try request.time("until", at: now)
    if since == nil, until == nil, let name = request.parameters["date_preset"], !name.isEmpty {
      guard let preset = DatePreset(rawValue: name) else {
        throw .notOneOf("date_preset", DatePreset.allCases.map(\.rawValue))
      }
      let days = preset.days(today: today, data: max(0, today - limit)...today)
      (since, until) = (midnight(days.lowerBound), midnight(days.upperBound + 1))
    }
    let end = until ?? since.map { min(now, $0 + limit * 86_400) } ?? midnight(today)
    self.until = end
    self.since =
      since ?? max(0, until.map { $0 - standard * 86_400 } ?? midnight(today - standard))
    guard self.since <= end || until == nil else { throw .insightsRangeReversed }
    guard end - self.since <= limit * 86_400 + 3_600 else { throw .insightsRange(limit) }
    let first = (zone.local(self.since) + 86_399) / 86_400
    let last = zone.local(end) / 86_400
    let start = max(0, first, today - Audience.daysKept)
    days = start..<max(start, min(last, today))
  }

  /// The end of a day.
  static func end(of day: Int) -> Int { Audience.zone.time(local: (day + 1) * 86_400) }

  /// The window before it or after it, as long as it is by the clocks of the zone.
  func moved(_ direction: Int) -> (since: Int, until: Int) {
    let zone = Audience.zone
    let (start, end) = (zone.local(since), zone.local(until))
    let length = max(86_400, end - start)
    return direction < 0
      ? (max(0, zone.time(local: max(0, start - length))), since)
      : (until, zone.time(local: end + length))
  }
}
