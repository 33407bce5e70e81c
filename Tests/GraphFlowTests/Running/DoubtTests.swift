import GraphAPI
import Testing

@testable import GraphFlow

/// When a write in doubt is checked, and which nodes belong to which write.
struct DoubtTests {
  private static let passing = Failure(
    error: GraphError(message: ""), category: .transient, reason: .network, hint: "")

  private static func doubt(since: Duration) -> Doubt {
    Doubt(
      failure: passing, code: nil, since: since, resendNotBefore: since, step: .scheduled(at: since)
    )
  }

  /// The times of all checks; each takes `duration`.
  private static func checks(within: Duration, taking duration: Duration) -> [Duration] {
    var doubt = doubt(since: .seconds(100))
    var times: [Duration] = []
    while case .scheduled(let time) = doubt.step {
      times.append(time - .seconds(100))
      let timing = Doubt.Timing(
        startedAt: time, endedAt: time + duration, delay: nil, within: within)
      guard doubt.recordFailure(passing, timing) == .open else { break }
    }
    return times
  }

  @Test(arguments: [
    (30, 0, [0, 1, 3, 7, 15, 30]), (31, 0, [0, 1, 3, 7, 15, 31]), (5, 0, [0, 1, 3, 5]),
    (1, 0, [0, 1]), (0, 0, [0]), (10, 4, [0, 5, 10]), (30, 60, [0, 60]),
    (900, 0, [0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 900]),
  ])
  func `the delays double, and the last check is not made too early`(
    _ within: Int, _ duration: Int, _ times: [Int]
  ) {
    let checks = Self.checks(within: .seconds(within), taking: .seconds(duration))
    #expect(checks == times.map { .seconds($0) })
  }

  @Test func `the server's delay is obeyed, and does not end the checks`() {
    var doubt = Self.doubt(since: .zero)
    let timing = Doubt.Timing(
      startedAt: .zero, endedAt: .seconds(1), delay: .seconds(300), within: .seconds(30))
    #expect(doubt.recordFailure(Self.passing, timing) == .open)
    #expect(doubt.step == .scheduled(at: .seconds(301)))
  }

  @Test func `ids are kept as long as a check could find them`() {
    func time(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1000) }
    let early = ClaimedNodes.Owner(request: 0, key: "a")
    var claims = ClaimedNodes()
    claims.recordIntent(of: early, since: time(0))
    for second in 0..<3000 { claims.claim(["id\(second)"], at: time(Int64(second))) }
    #expect((0..<3000).allSatisfy { claims.contains("id\($0)") })

    claims.removeIntent(of: early)
    for second in 3000..<9000 { claims.claim(["id\(second)"], at: time(Int64(second))) }

    #expect(!claims.contains("id0"))
    #expect((8700..<9000).allSatisfy { claims.contains("id\($0)") })
    #expect((0..<9000).count { claims.contains("id\($0)") } <= 1001)
  }
}
