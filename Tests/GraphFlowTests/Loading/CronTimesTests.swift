import Testing

@testable import GraphFlow

/// The next times of a schedule.
struct CronTimesTests {
  private func times(
    _ cron: String, _ zone: String, after start: String, _ count: Int = 3
  ) throws -> [String] {
    let line = try #require(CronReader(cron).line)
    let clock = try #require(ZoneClock(named: zone))
    let parts = start.split { !$0.isNumber }.compactMap { Int64($0) }
    let day = CalendarDay(year: parts[0], month: parts[1], day: parts[2]).daysSince1970
    let now = ((day * 24 + parts[3]) * 60 + parts[4]) * 60
    return line.times(count, after: now, in: clock).map {
      String(Timestamp(milliseconds: $0 * 1000).description.prefix(16))
    }
  }

  @Test(arguments: [
    ("30 6 * * *", ["2026-11-29T06:30", "2026-11-30T06:30", "2026-12-01T06:30"]),
    ("30 6 * * mon-fri", ["2026-11-30T06:30", "2026-12-01T06:30", "2026-12-02T06:30"]),
    ("*/20 * * * *", ["2026-11-28T06:40", "2026-11-28T07:00", "2026-11-28T07:20"]),
    ("0 9,17 1 * *", ["2026-12-01T09:00", "2026-12-01T17:00", "2027-01-01T09:00"]),
    // One of the two is enough if neither begins with `*`, else both have to match.
    ("0 0 1 * sun", ["2026-11-29T00:00", "2026-12-01T00:00", "2026-12-06T00:00"]),
    ("0 0 */1 * 0", ["2026-11-29T00:00", "2026-12-06T00:00", "2026-12-13T00:00"]),
    ("0 0 29 2 *", ["2028-02-29T00:00", "2032-02-29T00:00", "2036-02-29T00:00"]),
  ])
  func `times come in order, without the present one`(_ cron: String, _ expected: [String]) throws {
    #expect(try times(cron, "UTC", after: "2026-11-28T06:30:00Z") == expected)
  }

  /// On 29 March 2026 the clocks of Berlin skip 2:00 to 3:00; on 25 October they show it twice.
  @Test(arguments: [
    ("30 2 * * *", "2026-03-28T12:00:00Z", ["2026-03-29T01:30", "2026-03-30T00:30"]),
    // 2:30 is 3:30 on that day, and after 3:00.
    ("30 2,3 * * *", "2026-03-28T12:00:00Z", ["2026-03-29T01:30", "2026-03-30T00:30"]),
    ("0,30 2-3 * * *", "2026-03-29T00:00:00Z", ["2026-03-29T01:00", "2026-03-29T01:30"]),
    ("30 2 * * *", "2026-10-24T12:00:00Z", ["2026-10-25T00:30", "2026-10-26T01:30"]),
    ("30 * * * *", "2026-03-29T00:00:00Z", ["2026-03-29T00:30", "2026-03-29T01:30"]),
    ("30 * * * *", "2026-10-25T00:00:00Z", ["2026-10-25T00:30", "2026-10-25T01:30"]),
    ("0 6 * * *", "2026-10-24T12:00:00Z", ["2026-10-25T05:00", "2026-10-26T05:00"]),
  ])
  func `clocks that change move a time as cron does`(
    _ cron: String, _ start: String, _ expected: [String]
  ) throws {
    #expect(try times(cron, "Europe/Berlin", after: start, 2) == expected)
  }

  @Test func `a day of the year in a century without a leap day comes late`() throws {
    #expect(
      try times("0 0 29 2 *", "UTC", after: "2096-03-01T00:00:00Z", 1) == ["2104-02-29T00:00"])
  }
}
