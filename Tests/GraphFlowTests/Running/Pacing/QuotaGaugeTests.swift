import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// What a refusal tells of a limit whose headers say nothing.
struct QuotaGaugeTests {
  private static let start = Timestamp(milliseconds: 1_763_629_200_000)

  private static func moment(_ seconds: Int) -> Timestamp {
    start.advanced(by: .seconds(seconds))
  }

  /// A gauge that was granted a hundred at a moment, and refused ten then or later.
  private static func gauge(refusedAt seconds: Int, hint: Duration?) -> QuotaGauge {
    var gauge = QuotaGauge()
    gauge.recordSent(100)
    gauge.settle(100, .answered, at: moment(0))
    gauge.recordSent(10)
    gauge.settle(10, .answered, at: moment(seconds))
    gauge.recordRefusal(of: 10, hint: hint, sentAt: moment(seconds), at: moment(seconds), jitter: 0)
    return gauge
  }

  @Test func `what was granted within the hour is a guess, and none where Graph names a time`() {
    #expect(Self.gauge(refusedAt: 1, hint: nil).record.capacity == 100)
    #expect(Self.gauge(refusedAt: 1, hint: .seconds(1)).record.capacity == nil)
  }

  @Test func `more than that is granted before an hour is over: the guess was wrong`() {
    var gauge = Self.gauge(refusedAt: 1, hint: nil)
    gauge.recordSent(1)
    gauge.settle(1, .answered, at: Self.moment(60))
    gauge.recordSuccess(sentAt: Self.moment(60), at: Self.moment(60))

    #expect(gauge.record.capacity == nil)
    #expect(gauge.record.capacityFoundAt == Self.moment(60))
    let allowance = gauge.allowance(at: Self.moment(60), QuotaGauge.Bounds(), isSmall: false)
    guard case .operations(50...) = allowance else {
      Issue.record("\(allowance)")
      return
    }
  }

  @Test func `more is granted when the first have left the hour: the guess was right`() {
    var gauge = Self.gauge(refusedAt: 1, hint: nil)
    gauge.recordSent(1)
    gauge.settle(1, .answered, at: Self.moment(3700))
    gauge.recordSuccess(sentAt: Self.moment(3700), at: Self.moment(3700))

    #expect(gauge.record.capacity != nil)
  }

  @Test func `other processes hear that the guess was wrong`() {
    var book = QuotaRecord()
    book.merge(Self.gauge(refusedAt: 1, hint: nil).record, at: Self.moment(1))
    #expect(book.capacity == 100)
    var change = QuotaRecord()
    change.capacityFoundAt = Self.moment(60)
    book.merge(change, at: Self.moment(60))
    #expect(book.capacity == nil)
  }

  /// Without usage headers nobody knows what the limit is: it is waited for, and asked once.
  @Test(arguments: [Duration.seconds(1), nil], [1, 3])
  func `a refusal without usage headers is no limit of an hour`(
    _ retryAfter: Duration?,
    _ refusals: Int
  ) throws {
    var run = try Simulation(workflow(requests: (0..<600).map { "r\($0): {get: x\($0)}" }))
    let refused = 6..<(6 + refusals)
    run.callFault = { call in
      guard refused.contains(call.number) else { return nil }
      let error = GraphError(message: "(#4) Application request limit reached", code: 4)
      return .answered(
        .refused(error, status: 400),
        CallFacts(status: 400, bytesSent: 0, bytesReceived: 0, retryAfter: retryAfter)
      )
    }

    let end = try run.run()

    #expect(end?.status == .succeeded && end?.exitCode == 0)
    #expect(run.graph.ledger.count == 600)
    #expect(run.now < (retryAfter == nil ? .seconds(300) : .seconds(10)))
    // One operation asks whether it is over.
    #expect(run.calls.contains { $0.operations.count == 1 })
  }
}
