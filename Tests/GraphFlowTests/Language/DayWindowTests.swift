import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// Windows of days: how a range is cut, in which time zone, and for which elements.
struct DayWindowTests {
  private func day(_ text: String) throws -> Int64 { try #require(CalendarDay(text)).daysSince1970 }

  @Test(arguments: [
    (DayWindows.Length.days(1), "2025-02-27/2025-03-01", "27…27 28…28 1…1"),
    (.days(1), "2024-02-28/2024-02-29", "28…28 29…29"),
    (.days(7), "2025-01-01/2025-01-08", "1…7 8…8"),
    (.days(90), "2025-01-01/2025-06-30", "1…31 1…29 30…30"),
    (.days(90), "2025-01-01/2025-01-01", "1…1"),
    // 2025-11-20 is a Thursday.
    (.week, "2025-11-20/2025-12-02", "20…23 24…30 1…2"), (.week, "2025-11-17/2025-11-23", "17…23"),
    (.month, "2024-11-15/2025-03-02", "15…30 1…31 1…31 1…28 1…2"),
    (.month, "2025-05-01/2025-04-30", ""),
    (.days(1), "2025-05-02/2025-05-01", ""),
  ])
  func `a range is cut into windows, whose ends belong to them`(
    _ length: DayWindows.Length, _ range: String, _ expected: String
  ) throws {
    let days = try range.split(separator: "/").map { try day(String($0)) }
    let windows = length.windows(from: days[0], through: days[1])
    let text = windows.map { window in
      "\(CalendarDay(daysSince1970: window.lowerBound).day)…"
        + "\(CalendarDay(daysSince1970: window.upperBound).day)"
    }
    #expect(text.joined(separator: " ") == expected)
  }

  @Test(arguments: [DayWindows.Length.days(1), .days(6), .week, .month])
  func `no day of a range is missing or twice`(_ length: DayWindows.Length) {
    for first in Int64(20_000)..<20_060 {
      for count in Int64(0)..<100 {
        let days = length.windows(from: first, through: first + count).flatMap { Array($0) }
        #expect(days == Array(first...first + count))
      }
    }
  }

  @Test(arguments: [
    "2025-02-29", "2025-13-01", "2025-1-01", "20250101", "x", "2025-01-01 ", "+025-01-01",
  ])
  func `what is no day is refused`(_ text: String) { #expect(CalendarDay(text) == nil) }

  private static let accounts = """
    graphflow: 1
    inputs: {days: {type: string, default: 2025-11-18}}
    requests:
      source: {get: source, batch: alone}
      each:
        for_each:
          windows: day
          of: "{result=source:$.data}"
          since: "{input=days}"
          until: "{date=yesterday}"
          timezone: "{item=$.zone | UTC}"
        key: "{item=$.id}/{item=$.since}"
        get: "{item=$.id}/insights"
        params: {from: "{item=$.start}", since: "{item=$.since}", to: "{item=$.end}", until: "{item=$.until}"}

    """

  @Test func `each element has the windows of its own time zone`() throws {
    var run = try Simulation(workflow(Self.accounts))
    // It is 9 o'clock on 2025-11-20 in UTC, and the 19th still in Pago Pago.
    run.answering([
      "source": #"{"data": [{"id": "a", "zone": "Pacific/Pago_Pago"}, "b"]}"#
    ])

    _ = try run.run()

    #expect(
      run.sentAfterSource == [
        "GET a/insights from=1763463600 since=2025-11-18 to=1763550000 until=2025-11-18",
        "GET b/insights from=1763424000 since=2025-11-18 to=1763510400 until=2025-11-18",
        "GET b/insights from=1763510400 since=2025-11-19 to=1763596800 until=2025-11-19",
      ])
    #expect(
      run.outcomes.keys.sorted() == [
        "each[a/2025-11-18]", "each[b/2025-11-18]", "each[b/2025-11-19]", "source",
      ])
  }

  @Test(arguments: [
    (#"[{"id": "a", "zone": "Berlin"}]"#, "no time zone is named 'Berlin'"),
    (#"[{"id": "a", "zone": 7}]"#, "no time zone is named '7'"),
  ])
  func `an element without a time zone that exists fails the request`(
    _ data: String, _ message: String
  ) throws {
    var run = try Simulation(workflow(Self.accounts))
    run.answering(["source": #"{"data": \#(data)}"#])

    let end = try run.run()

    #expect(end?.status == .failed)
    #expect(
      run.outcomes["each"]?.failure?.error.message.contains(message) == true, "\(run.outcomes)")
    #expect(run.sentAfterSource.isEmpty)
  }

  @Test func `the token of an element is masked wherever it is`() throws {
    var run = try Simulation(workflow(Self.accounts + "    token: \"{item=$.key}\"\n"))
    run.answering(["source": #"{"data": [{"id": "a", "key": "opensesame-of-a"}]}"#])

    let end = try run.run()

    #expect(end?.status == .succeeded)
    #expect(run.calls.count == 2)
    #expect(!"\(run.events)".contains("opensesame-of-a"))
    let bodies = run.events.compactMap { event -> String? in
      guard case .requestEnded(let end) = event, let body = end.body else { return nil }
      return String(decoding: body, as: UTF8.self)
    }
    #expect(bodies.contains { $0.contains("***") } && !bodies.joined().contains("opensesame"))
  }

  @Test func `a resumed run has the windows of its first start`() throws {
    let workflow = try workflow(
      """
      graphflow: 1
      requests:
        each:
          for_each: {windows: day, since: "{date=today-2d}", until: "{date=yesterday}"}
          key: "{item=$.since}"
          get: "{item=$.since}"
          batch: alone

      """)
    var first = try Simulation(workflow)
    _ = try first.run(killedAtCall: 1)
    var second = try Simulation(workflow, replaying: first.events, at: .seconds(3 * 86_400))
    second.graph = first.graph
    let end = try #require(try second.run())

    #expect(end.status == .succeeded)
    #expect(second.outcomes.keys.sorted() == ["each[2025-11-18]", "each[2025-11-19]"])
  }

  /// The offset from UTC at every midnight decides where days begin, so each zone gets days around
  /// its changes of the clocks.
  @Test func `in every zone the windows of a year follow each other, from midnight to midnight`()
    throws
  {
    let (first, last) = (try day("2025-01-01"), try day("2026-12-31"))
    let windows = DayWindows.Length.days(1).windows(from: first, through: last)
    for zone in ZoneClock.names.sorted() {
      let clock = try #require(ZoneClock(named: zone))
      let items = DayWindows.items(of: "x", windows, in: clock)
      var end = items.first?["start"]?.integer
      #expect(items.count == windows.count)
      for (item, window) in zip(items, windows) {
        guard let start = item["start"]?.integer, let next = item["end"]?.integer else {
          Issue.record("\(zone)")
          return
        }
        #expect(start == end && (22 * 3600...26 * 3600).contains(next - start), "\(zone) \(item)")
        // Where the clocks skip midnight, the day begins later.
        let shown = clock.local(Int64(start)) - window.lowerBound * 86_400
        #expect((0...3600).contains(shown), "\(zone) \(item)")
        end = next
      }
    }
  }
}
