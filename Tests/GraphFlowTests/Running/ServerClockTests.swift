import GraphAPI
import Testing

@testable import GraphFlow

/// Graph's clock, as estimated from the `Date` of its answers.
struct ServerClockTests {
  private static let date = HTTPDate("Sun, 06 Nov 1994 08:49:37 GMT")

  private func timestamp(_ seconds: Int64, _ milliseconds: Int64 = 0) -> Timestamp {
    Timestamp(milliseconds: seconds * 1000 + milliseconds)
  }

  @Test func `a date is parsed in HTTP's format`() {
    #expect(Self.date?.seconds == 784_111_777)
    #expect(HTTPDate("Thu, 01 Jan 1970 00:00:00 GMT")?.seconds == 0)
    #expect(HTTPDate("Fri, 29 Feb 2036 23:59:60 GMT")?.seconds == 2_087_942_400)
    let wrong = [
      "", "now", "784111777", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 1994 24:00:00 GMT",
      "Sun, 06 Nov 1969 08:49:37 GMT", "Sun, 06 Nov +994 08:49:37 GMT",
    ]
    #expect(wrong.allSatisfy { HTTPDate($0) == nil })
    #expect(
      [HeaderField("date", "Thu, 01 Jan 1970 00:00:09 GMT")].compactMap(\.self).date?.seconds == 9)
  }

  @Test func `answers bound Graph's clock from both sides`() throws {
    let date = try #require(Self.date)
    var clock = ServerClock()
    #expect(clock.time(at: .zero) == nil && clock.lead(over: timestamp(0)) == nil)

    clock.record(date, startedAt: .seconds(10), endedAt: .seconds(12))

    let seconds = date.seconds
    #expect(
      clock.time(at: .seconds(12))
        == ServerTime(earliest: timestamp(seconds - 5), latest: timestamp(seconds + 7, 999)))
    #expect(clock.lead(over: timestamp(0)) == .milliseconds((seconds - 11) * 1000 + 499))
  }

  @Test func `several answers narrow it, and contradictions widen it again`() throws {
    let date = try #require(Self.date)
    var clock = ServerClock()
    // An answer that took a minute adds little.
    clock.record(date, startedAt: .seconds(0), endedAt: .seconds(60))
    #expect(clock.lead(over: timestamp(0)) == nil)
    clock.record(date, startedAt: .seconds(30), endedAt: .milliseconds(30_200))
    let narrow = try #require(clock.time(at: .zero))
    #expect(narrow.latest.milliseconds - narrow.earliest.milliseconds == 10_000 + 1199)
    #expect(clock.steps == 0)

    // Two servers differ slightly: no clock was set.
    clock.record(date, startedAt: .milliseconds(33_000), endedAt: .milliseconds(33_200))
    #expect(clock.steps == 0)
    // An hour later by our clock, Graph's clock shows the same time.
    clock.record(date, startedAt: .seconds(3630), endedAt: .seconds(3631))
    #expect(clock.steps == 1)
    let wide = try #require(clock.time(at: .zero))
    #expect(wide.latest.milliseconds - wide.earliest.milliseconds > 3_600_000)
    clock.record(date, startedAt: .seconds(3631), endedAt: .seconds(3632))
    #expect(clock.lead(over: timestamp(0)) != nil)
  }
}
