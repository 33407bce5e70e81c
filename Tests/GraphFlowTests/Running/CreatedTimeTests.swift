import JSONPath
import Testing

@testable import GraphFlow

/// The time in a `created_time`.
struct CreatedTimeTests {
  @Test(arguments: [
    ("2026-11-21T03:27:41+0000", "2026-11-21T03:27:41.000Z"),
    ("2026-11-21T03:27:41+00:00", "2026-11-21T03:27:41.000Z"),
    ("2026-11-21T03:27:41Z", "2026-11-21T03:27:41.000Z"),
    ("2026-11-21t03:27:41z", "2026-11-21T03:27:41.000Z"),
    ("2026-11-21T03:27:41.25Z", "2026-11-21T03:27:41.250Z"),
    ("2026-11-21T03:27:41.1234567Z", "2026-11-21T03:27:41.123Z"),
    ("2026-11-21T05:27:41+0200", "2026-11-21T03:27:41.000Z"),
    ("2026-11-20T19:57:41-07:30", "2026-11-21T03:27:41.000Z"),
    ("2028-02-29T00:00:00Z", "2028-02-29T00:00:00.000Z"),
    ("1970-01-01T00:00:00+0000", "1970-01-01T00:00:00.000Z"),
    ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"),
  ])
  func `texts with a zone are valid times`(_ text: String, _ timestamp: String) {
    #expect(Timestamp(createdTime: .string(text))?.description == timestamp)
  }

  @Test func `seconds since 1970 are valid times`() throws {
    #expect(Timestamp(createdTime: 1_763_629_200)?.milliseconds == 1_763_629_200_000)
    #expect(Timestamp(createdTime: 0)?.milliseconds == 0)
  }

  @Test(arguments: [
    "", "2026-11-21", "2026-11-21T03:27:41", "2026-11-21T03:27+0000", "2026-11-21T03:27:41+",
    "2026-13-21T03:27:41Z", "2026-00-21T03:27:41Z", "2026-11-32T03:27:41Z",
    "2026-11-21T24:27:41Z", "2026-11-21T03:60:41Z", "2026-11-21T03:27:61Z",
    "2026-11-21T03:27:41.Z", "2026-11-21T03:27:41+0000 ", "2026-11-21T03:27:41+2400",
    "２０２６-11-21T03:27:41Z", "yesterday", "-026-11-21T03:27:41Z", "1763629200",
  ])
  func `other texts are not`(_ text: String) {
    #expect(Timestamp(createdTime: .string(text)) == nil)
  }

  @Test(arguments: ["-1", "1.5", "1e9", "9223372036854775807", "1e400", "253402300800"])
  func `other numbers are not`(_ number: String) throws {
    #expect(try Timestamp(createdTime: JSON(parsing: number)) == nil)
  }

  @Test func `other values are not`() {
    #expect(Timestamp(createdTime: nil) == nil)
    #expect(Timestamp(createdTime: .null) == nil)
    #expect(Timestamp(createdTime: true) == nil)
    #expect(Timestamp(createdTime: ["at": 1]) == nil)
  }
}
