import TestSupport
import Testing

@testable import GraphFlow

/// Reading `schedule`: a cron line and a time zone.
struct ScheduleReadingTests {
  private func line(_ text: String) throws -> CronLine {
    let reader = CronReader(text)
    return try #require(reader.line, "\(reader.faults.map(\.message))")
  }

  @Test func `a schedule is kept`() throws {
    let workflow = try WorkflowSample.read(
      """
      graphflow: 1
      schedule:
        cron: "30 6 * * 1-5"
        timezone: Europe/Berlin
      requests:
        me: {get: me}
      """)
    let schedule = try #require(workflow.schedule)
    #expect(schedule.timeZone == "Europe/Berlin")
    #expect(schedule.location.line == 2 && schedule.location.column == 1)
    #expect(schedule.cron.text == "30 6 * * 1-5")
    #expect(schedule.cron.minutes.values == [30])
    #expect(schedule.cron.hours.values == [6])
    #expect(schedule.cron.daysOfMonth.values == Array(1...31) && schedule.cron.daysOfMonth.isOpen)
    #expect(schedule.cron.months.values == Array(1...12))
    #expect(schedule.cron.daysOfWeek.values == [1, 2, 3, 4, 5])
    #expect(!schedule.cron.daysOfWeek.isOpen)
  }

  @Test func `without a zone the times are UTC, and a workflow may have no schedule`() throws {
    let text = "graphflow: 1\nschedule: {cron: 0 0 * * *}\nrequests: {me: {get: me}}"
    #expect(try WorkflowSample.read(text).schedule?.timeZone == "UTC")
    #expect(try WorkflowSample.read(requests: "  me: {get: me}").schedule == nil)
  }

  static let fields: [(text: String, values: [Int])] = [
    ("*", Array(0...59)), ("0", [0]), ("59", [59]), ("05", [5]), ("1,3,5", [1, 3, 5]),
    ("5,1,3,1", [1, 3, 5]), ("10-12", [10, 11, 12]), ("7-7", [7]), ("*/20", [0, 20, 40]),
    ("10-30/10", [10, 20, 30]), ("1-2,*/30,58-59", [0, 1, 2, 30, 58, 59]), ("*/59", [0, 59]),
    ("*/1", Array(0...59)),
  ]

  @Test(arguments: fields)
  func `a field is a list of values, ranges and steps`(text: String, values: [Int]) throws {
    #expect(try line("\(text) * * * *").minutes.values == values)
    #expect(try line(" \(text)\t*  * * * ").minutes.isOpen == text.hasPrefix("*"))
  }

  static let days: [(text: String, values: [Int])] = [
    ("*", Array(0...6)), ("0", [0]), ("7", [0]), ("sun", [0]), ("SAT", [6]),
    ("mon-Fri", [1, 2, 3, 4, 5]),
    ("5-7", [0, 5, 6]), ("0-7", Array(0...6)), ("*/2", [0, 2, 4, 6]), ("mon,wed,6", [1, 3, 6]),
    ("tue-sat/2", [2, 4, 6]),
  ]

  @Test(arguments: days)
  func `days of the week have names, and Sunday two numbers`(text: String, values: [Int]) throws {
    #expect(try line("* * * * \(text)").daysOfWeek.values == values)
  }

  @Test func `months have names`() throws {
    #expect(try line("* * * jan,MAR,oct-dec *").months.values == [1, 3, 10, 11, 12])
    #expect(try line("* * * */5 *").months.values == [1, 6, 11])
  }

  static let faults: [(text: String, marked: [String])] = [
    ("60 * * * *", ["60"]), ("* 24 * * *", ["24"]), ("* * 0 * *", ["0"]), ("* * 32 * *", ["32"]),
    ("* * * 0 *", ["0"]), ("* * * 13 *", ["13"]), ("* * * * 8", ["8"]), ("-1 * * * *", [""]),
    ("1,,2 * * * *", [""]), ("1, * * * *", [""]), ("001 * * * *", ["001"]), ("+1 * * * *", ["+1"]),
    ("*5 * * * *", ["*5"]), ("** * * * *", ["**"]), ("1--3 * * * *", ["-3"]),
    ("*/0 * * * *", ["0"]), ("*/60 * * * *", ["60"]), ("*/ * * * *", [""]), ("5/2 * * * *", ["5"]),
    ("1-5/2/2 * * * *", ["2/2"]), ("9-8 * * * *", ["9-8"]), ("* * * * sat-sun", ["sat-sun"]),
    ("sun * * * jan", ["sun", "jan"]), ("* * * mon *", ["mon"]), ("* * * * *,x", ["x"]),
    ("* * L * *", ["L"]), ("* * ? * *", ["?"]), ("* * * * 5#3", ["5#3"]), ("@daily", ["@daily"]),
    ("@daily x", ["@daily"]), ("* * * *", ["* * * *"]), ("* * * * * *", ["* * * * * *"]),
    ("", [""]), (" ", [" "]), ("٣ * * * *", ["٣"]), ("é,x ü * * *", ["é", "x", "ü"]),
    ("{input=x} * * * *", ["{input=x}"]),
  ]

  @Test(arguments: faults)
  func `an error is marked to the character`(text: String, marked: [String]) {
    let reader = CronReader(text)
    #expect(reader.line == nil)
    let scalars = Array(text.unicodeScalars)
    let found = reader.faults.map { fault -> String in
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars[(fault.characters ?? 0..<0).clamped(to: 0..<scalars.count)])
      return fault.message.contains("missing") || marked == [""] ? "" : String(view)
    }
    #expect(found == marked, "\(reader.faults)")
  }

  @Test func `a long line is one error`() {
    let reader = CronReader(String(repeating: "x,", count: 1_000_000) + " * * * *")
    #expect(reader.faults.count == 1 && reader.line == nil)
  }

  @Test(arguments: [
    ("0 0 30 2 *", false), ("0 0 31 2,4,6,9,11 *", false), ("0 0 31 4 */2", false),
    ("0 0 29 2 *", true), ("0 0 28-31 2 *", true), ("0 0 31 4,5 *", true), ("0 0 30 2 1", true),
    ("0 0 */31 2 *", true), ("0 0 * 2 *", true),
  ])
  func `a day that is in no month never occurs`(_ text: String, _ comes: Bool) throws {
    #expect(try line(text).matchesAnyDay == comes)
  }

  @Test func `the zones are those of the database, not of this machine`() {
    #expect(ZoneClock.names.count > 590)
    for name in [
      "UTC", "GMT", "Etc/GMT+5", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Asia/Calcutta",
      "America/Port-au-Prince", "US/Pacific", "GB-Eire", "EST5EDT", "Antarctica/DumontDUrville",
    ] { #expect(ZoneClock.isKnown(name)) }
    for name in ["Factory", "", "Europe", "Europe/", "/", "PST", "utc"] {
      #expect(!ZoneClock.isKnown(name))
    }
    #expect(ZoneClock.names.allSatisfy { !$0.hasSuffix("/") && !$0.isEmpty })
  }

  @Test func `every abbreviation suggests a zone name`() {
    for name in TimeZoneName.abbreviations {
      #expect(ZoneClock.isKnown(name))
      #expect(TimeZoneName.place(for: name) != nil)
    }
    for name in ["PST", "pdt", "CEST", "IST", "EST"] {
      let place = TimeZoneName.place(for: name)
      #expect(place.map { ZoneClock.isKnown($0) && $0.contains("/") } == true, "\(name)")
    }
  }
}
