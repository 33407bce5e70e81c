import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// What a refusal reveals about a limit without usage headers.
struct QuotaGaugeTests {
  private static let start = Timestamp(milliseconds: 1_763_629_200_000)

  private static func timestamp(_ seconds: Int) -> Timestamp {
    start.advanced(by: .seconds(seconds))
  }

  /// A gauge with a hundred granted operations, and ten refused ones at that time or later.
  private static func gauge(refusedAt seconds: Int, hint: Duration?) -> QuotaGauge {
    var gauge = QuotaGauge()
    gauge.recordSent(100)
    gauge.settle(100, .answered, at: timestamp(0))
    gauge.recordSent(10)
    gauge.settle(10, .answered, at: timestamp(seconds))
    gauge.recordRefusal(
      of: 10, hint: hint, sentAt: timestamp(seconds), at: timestamp(seconds), jitter: 0)
    return gauge
  }

  @Test func `the grants within the hour are an estimate, unless Graph announces a time`() {
    #expect(Self.gauge(refusedAt: 1, hint: nil).record.capacity == 100)
    #expect(Self.gauge(refusedAt: 1, hint: .seconds(1)).record.capacity == nil)
  }

  @Test func `more grants within the hour refute the estimate`() {
    var gauge = Self.gauge(refusedAt: 1, hint: nil)
    gauge.recordSent(1)
    gauge.settle(1, .answered, at: Self.timestamp(60))
    gauge.recordSuccess(sentAt: Self.timestamp(60), at: Self.timestamp(60))

    #expect(gauge.record.capacity == nil)
    #expect(gauge.record.capacityFoundAt == Self.timestamp(60))
    let allowance = gauge.allowance(at: Self.timestamp(60), QuotaGauge.Bounds(), isSmall: false)
    guard case .operations(50...) = allowance else {
      Issue.record("\(allowance)")
      return
    }
  }

  @Test func `more grants after the first have left the hour confirm the estimate`() {
    var gauge = Self.gauge(refusedAt: 1, hint: nil)
    gauge.recordSent(1)
    gauge.settle(1, .answered, at: Self.timestamp(3700))
    gauge.recordSuccess(sentAt: Self.timestamp(3700), at: Self.timestamp(3700))

    #expect(gauge.record.capacity != nil)
  }

  @Test func `other processes learn that the estimate was wrong`() {
    var snapshot = QuotaRecord()
    snapshot.merge(Self.gauge(refusedAt: 1, hint: nil).record, at: Self.timestamp(1))
    #expect(snapshot.capacity == 100)
    var change = QuotaRecord()
    change.capacityFoundAt = Self.timestamp(60)
    snapshot.merge(change, at: Self.timestamp(60))
    #expect(snapshot.capacity == nil)
  }

  /// A throttled answer reports 100 %, and after the pause no answer names the limit.
  @Test(arguments: [false, true])
  func `a full limit that is no longer reported does not slow the run down`(isShared: Bool) {
    var gauge = QuotaGauge()
    let allowance = { (gauge: QuotaGauge, time: Int) in
      gauge.allowance(at: Self.timestamp(time), QuotaGauge.Bounds(), isSmall: false)
    }
    gauge.recordSent(50)
    gauge.settle(50, .answered, usage: 100, at: Self.timestamp(0))
    if !isShared {
      gauge.recordRefusal(
        of: 1, hint: .seconds(20), sentAt: Self.timestamp(0), at: Self.timestamp(0), jitter: 0)
    } else {
      gauge.recordPause(.seconds(20), at: Self.timestamp(0), jitter: 0)
      gauge.merge(gauge.record.current(at: Self.timestamp(21)), jitter: 0)
    }
    #expect(allowance(gauge, 21) == .operations(1))
    gauge.recordSent(1)
    gauge.settle(1, .answered, at: Self.timestamp(22))
    gauge.recordSuccess(sentAt: Self.timestamp(21), at: Self.timestamp(22))

    guard case .operations(50...) = allowance(gauge, 22) else {
      Issue.record("\(allowance(gauge, 22))")
      return
    }
    var shared = QuotaRecord()
    shared.merge(Self.gauge(refusedAt: 1, hint: nil).record, at: Self.timestamp(1))
    shared.merge(gauge.record, at: Self.timestamp(22))
    #expect(shared.usage == nil && shared.readAt == Self.timestamp(22))
  }

  /// A percent that is reported after the pause counts, however high it is.
  @Test func `a full limit that is still reported is not forgotten`() {
    var gauge = QuotaGauge()
    gauge.recordSent(50)
    gauge.settle(50, .answered, usage: 100, at: Self.timestamp(0))
    gauge.recordPause(.seconds(20), at: Self.timestamp(0), jitter: 0)
    gauge.recordSent(1)
    gauge.settle(1, .answered, usage: 95, at: Self.timestamp(22))
    gauge.recordSuccess(sentAt: Self.timestamp(21), at: Self.timestamp(22))
    #expect(gauge.record.usage == 95)
  }

  /// Without usage headers the limit is unknown: the run waits, and then probes once.
  @Test(arguments: [Duration.seconds(1), nil], [1, 3])
  func `a refusal without usage headers does not imply an hourly limit`(
    _ retryAfter: Duration?, _ refusals: Int
  ) throws {
    var run = try Simulation(workflow(requests: (0..<600).map { "r\($0): {get: x\($0)}" }))
    let refused = 6..<(6 + refusals)
    run.callFault = { call in
      guard refused.contains(call.number) else { return nil }
      let error = GraphError(message: "(#4) Application request limit reached", code: 4)
      return .answered(
        .refused(error, status: 400),
        CallFacts(status: 400, bytesSent: 0, bytesReceived: 0, retryAfter: retryAfter))
    }

    let end = try run.run()

    #expect(end?.status == .succeeded && end?.exitCode == 0)
    #expect(run.graph.ledger.count == 600)
    #expect(run.now < (retryAfter == nil ? .seconds(300) : .seconds(10)))
    // One operation probes whether the pause has ended.
    #expect(run.calls.contains { $0.operations.count == 1 })
  }
}
