import GraphFlow
import Testing

struct TimestampTests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
    (951_782_400_000, "2000-02-29T00:00:00.000Z"), (1_763_629_200_123, "2025-11-20T09:00:00.123Z"),
    (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
  ])
  func `times are written as in RFC 3339`(_ milliseconds: Int64, _ text: String) {
    #expect(Timestamp(milliseconds: milliseconds).description == text)
  }

  @Test(arguments: [Int64.min, Int64.max])
  func `the ends of the range do not trap`(_ milliseconds: Int64) {
    #expect(Timestamp(milliseconds: milliseconds).description.hasSuffix("Z"))
  }

  @Test func `ids sort by their start times and can be parsed back`() {
    var generator = SplitMix64(seed: 3)
    let ids = [0, 1, 1_763_629_200_123, 1_863_629_200_123].map {
      RunID(startedAt: Timestamp(milliseconds: $0), using: &generator)
    }

    #expect(ids == ids.sorted())
    #expect(ids.map { RunID($0.description) } == ids)
    #expect(RunID("../../etc/passwd-0123456789") == nil)
  }
}
