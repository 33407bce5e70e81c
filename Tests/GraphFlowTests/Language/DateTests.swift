import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// Dates: their values, their zones, and the one instant from which a run counts them.
struct DateTests {
  private func time(_ text: String) throws -> Timestamp {
    try #require(Timestamp(createdTime: .string(text)))
  }

  private func value(_ text: String, at time: String, in zone: String) throws -> String {
    let date = try DateReader.date(text, in: zone).date
    guard case .named(let name) = date.zone else { return "" }
    let clock = try #require(ZoneClock(named: name))
    return date.value(at: try self.time(time), in: clock).parameterText
  }

  @Test(arguments: [
    ("now", "2025-11-20"), ("today", "2025-11-20"), ("yesterday", "2025-11-19"),
    ("tomorrow", "2025-11-21"), ("now-7d", "2025-11-13"), ("today-28d", "2025-10-23"),
    ("yesterday+1d", "2025-11-20"), ("today:unix", "1763596800"), ("now:unix", "1763629200"),
    ("now:rfc3339", "2025-11-20T09:00:00Z"), ("now-1d+2h-30m:rfc3339", "2025-11-19T10:30:00Z"),
    ("now+90s:rfc3339", "2025-11-20T09:01:30Z"), ("now-10h:date", "2025-11-19"),
    ("tomorrow+9h:rfc3339", "2025-11-21T09:00:00Z"),
    ("today@Europe/Berlin:unix", "1763593200"),
    ("today@Asia/Tokyo:rfc3339", "2025-11-19T15:00:00Z"),
    ("today@Pacific/Kiritimati", "2025-11-20"), ("today@Pacific/Pago_Pago", "2025-11-19"),
    ("tomorrow+9h@America/New_York:rfc3339", "2025-11-21T14:00:00Z"),
  ])
  func `a date is a day, seconds, or a time in UTC`(_ text: String, _ expected: String) throws {
    #expect(try value(text, at: "2025-11-20T09:00:00Z", in: "UTC") == expected)
  }

  @Test(arguments: [
    // The clocks skip the hour from 2 to 3.
    ("tomorrow+9h:rfc3339", "2026-03-28T12:00:00Z", "Europe/Berlin", "2026-03-29T07:00:00Z"),
    ("today+2h+30m:rfc3339", "2026-03-29T12:00:00Z", "Europe/Berlin", "2026-03-29T01:30:00Z"),
    ("now-1d:rfc3339", "2026-03-29T12:00:00Z", "Europe/Berlin", "2026-03-28T13:00:00Z"),
    ("now-24h:rfc3339", "2026-03-29T12:00:00Z", "Europe/Berlin", "2026-03-28T12:00:00Z"),
    // They show the hour from 2 to 3 twice.
    ("today+2h+30m:rfc3339", "2026-10-25T12:00:00Z", "Europe/Berlin", "2026-10-25T00:30:00Z"),
    ("now:rfc3339", "2026-10-25T01:30:00Z", "Europe/Berlin", "2026-10-25T01:30:00Z"),
    ("tomorrow:rfc3339", "2026-10-25T12:00:00Z", "Europe/Berlin", "2026-10-25T23:00:00Z"),
    // They skip midnight.
    ("today:rfc3339", "2026-04-24T12:00:00Z", "Africa/Cairo", "2026-04-23T22:00:00Z"),
    ("today", "2026-04-24T12:00:00Z", "Africa/Cairo", "2026-04-24"),
    ("yesterday:rfc3339", "2026-07-01T12:00:00Z", "Australia/Lord_Howe", "2026-06-29T13:30:00Z"),
  ])
  func `days are those of the calendar when clocks change`(
    _ text: String, _ now: String, _ zone: String, _ expected: String
  ) throws {
    #expect(try value(text, at: now, in: zone) == expected)
  }

  @Test(arguments: [
    ("UTC", "2026-07-01", 0), ("Europe/Berlin", "2026-01-01", 60),
    ("Europe/Berlin", "2026-07-01", 120),
    ("America/New_York", "2026-01-01", -300), ("America/New_York", "2026-07-01", -240),
    ("Europe/Dublin", "2026-01-01", 0), ("Europe/Dublin", "2026-07-01", 60),
    ("Asia/Kolkata", "2026-07-01", 330), ("Pacific/Chatham", "2026-01-01", 825),
    ("Australia/Lord_Howe", "2026-01-01", 660), ("Australia/Lord_Howe", "2026-07-01", 630),
    ("Africa/Casablanca", "2026-03-01", 0), ("Africa/Casablanca", "2026-05-01", 60),
    ("Asia/Tehran", "2021-07-01", 270), ("Asia/Tehran", "2026-07-01", 210),
    ("America/Nuuk", "2022-01-01", -180), ("America/Nuuk", "2026-07-01", -60),
    ("Asia/Jerusalem", "2026-03-26", 120), ("Asia/Jerusalem", "2026-03-28", 180),
    ("America/Santiago", "2026-04-04", -180), ("America/Santiago", "2026-04-06", -240),
    ("Etc/GMT+5", "2026-07-01", -300), ("Pacific/Kiritimati", "2099-07-01", 840),
    ("Europe/Berlin", "1999-07-01", 120), ("Europe/Berlin", "2099-12-31", 60),
  ])
  func `a zone has its clocks on every machine`(
    _ zone: String, _ day: String, _ minutes: Int64
  ) throws {
    let seconds = try time(day + "T00:00:00Z").milliseconds / 1000
    let clock = try #require(ZoneClock(named: zone))
    #expect(clock.local(seconds) - seconds == minutes * 60)
    #expect(clock.time(local: clock.local(seconds)) == seconds)
  }

  private static let everywhere = """
    graphflow: 1
    inputs: {zone: {type: timezone, default: Asia/Tokyo}}
    requests:
      first: {get: "x/{date=yesterday}", batch: alone}
      second:
        post: "x?day={date=today}"
        depends_on: [first]
        when: "{date=today} == '2025-11-20' && {date=now:unix} > 1763000000"
        params:
          at: "{date=now:unix}"
          deep: {at: "{date=now:unix}", text: "in {date=today@input=zone:rfc3339}"}
        headers: {X-Day: "{date=tomorrow}"}
        expect: ["{date=today} == '2025-11-20'"]
      third: {for_each: ["{date=today}", "{date=tomorrow}"], get: "{item}", depends_on: [second]}
    outputs: {day: "{date=today}", at: "{date=now:unix}"}

    """

  @Test(arguments: 1...3)
  func `a resumed run counts all dates from its first start`(_ call: Int) throws {
    let workflow = try workflow(Self.everywhere)
    var whole = try Simulation(workflow)
    let end = try #require(try whole.run())
    #expect(end.status == .succeeded)
    var first = try Simulation(workflow)
    _ = try first.run(killedAtCall: call)

    var second = try Simulation(workflow, replaying: first.events, at: .seconds(3 * 86_400))
    second.graph = first.graph
    let resumed = try #require(try second.run())

    let sent = first.calls.dropLast().flatMap(\.operations) + second.calls.flatMap(\.operations)
    #expect(call == 2 || sent == whole.calls.flatMap(\.operations))
    #expect(resumed.outputs == end.outputs && end.outputs["day"] == "2025-11-20")
  }

  @Test func `dates are sent in paths, parameters and headers`() throws {
    var run = try Simulation(try workflow(Self.everywhere))
    _ = try run.run()
    let operations = run.calls.flatMap(\.operations)
    #expect(
      operations.map(\.path) == ["x/2025-11-19", "x?day=2025-11-20", "2025-11-20", "2025-11-21"])
    #expect(operations[1].headers.map(\.value) == ["2025-11-21"])
    #expect(
      operations[1].parameters.map(\.value) == [
        "1763629200", #"{"at":1763629200,"text":"in 2025-11-19T15:00:00Z"}"#,
      ])
  }

  @Test(arguments: [
    ("", "2025-11-20T00:00:00Z"),
    ("schedule: {cron: 0 6 * * *, timezone: Asia/Kolkata}", "2025-11-19T18:30:00Z"),
  ])
  func `the zone is an input's, else the schedule's, else UTC`(
    _ schedule: String, _ expected: String
  ) throws {
    let text = """
      graphflow: 1
      \(schedule)
      inputs: {zone: {type: timezone, default: Asia/Tokyo}}
      requests: {a: {get: me}}
      outputs:
        own: "{date=today:rfc3339}"
        input: "{date=today@input=zone:rfc3339}"

      """
    var run = try Simulation(try workflow(text), inputs: [("zone", "America/New_York")])
    let outputs = try #require(try run.run()).outputs
    #expect(outputs["own"]?.string == expected)
    #expect(outputs["input"] == "2025-11-20T05:00:00Z")
  }

  @Test func `an input for a zone takes only names of the database`() throws {
    let flow = try workflow(
      "graphflow: 1\ninputs: {zone: timezone}\nrequests: {a: {get: me, params: "
        + "{x: \"{date=today@input=zone}\"}}}\n")
    func problems(_ zone: String) -> [String] {
      InputValues.resolving(flow, flags: [("zone", zone)], file: nil, environment: [:]).problems
    }
    #expect(problems("Europe/Berlin").isEmpty)
    #expect(
      problems("Berlin") == [
        "input 'zone' (from --input) is not a name of a time zone, such as Europe/Berlin"
      ])
  }
}
