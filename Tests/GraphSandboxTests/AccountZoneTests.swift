import Testing

@testable import GraphSandbox

/// The time zones of ad accounts.
struct AccountZoneTests {
  /// Times in UTC, and what the clocks show; most of them around a change.
  @Test(arguments: [
    ("Europe/London", "2026-03-29T00:59:59", "2026-03-29T00:59:59"),
    ("Europe/London", "2026-03-29T01:00:00", "2026-03-29T02:00:00"),
    ("Europe/Berlin", "2026-10-25T00:59:59", "2026-10-25T02:59:59"),
    ("Europe/Berlin", "2026-10-25T01:00:00", "2026-10-25T02:00:00"),
    ("America/New_York", "2026-03-08T06:59:59", "2026-03-08T01:59:59"),
    ("America/New_York", "2026-03-08T07:00:00", "2026-03-08T03:00:00"),
    ("America/Los_Angeles", "2026-11-01T08:59:59", "2026-11-01T01:59:59"),
    ("America/Los_Angeles", "2026-11-01T09:00:00", "2026-11-01T01:00:00"),
    ("Asia/Kolkata", "2026-07-01T00:00:00", "2026-07-01T05:30:00"),
    ("America/Sao_Paulo", "2026-01-01T02:00:00", "2025-12-31T23:00:00"),
  ])
  func `clocks show the time of their zone`(zone: String, time: String, clock: String) throws {
    let seconds = try #require(GraphTime.seconds(time))

    #expect(
      GraphTime.text(try #require(AccountZone(rawValue: zone)).local(seconds)) == clock + "+0000")
  }

  @Test func `the time of a midnight is found again`() {
    for zone in AccountZone.allCases {
      for day in stride(from: 20_000, to: 20_800, by: 1) {
        let time = zone.time(local: day * 86_400)
        #expect(zone.local(time) == day * 86_400, "\(zone.rawValue) \(day)")
      }
    }
  }
}
