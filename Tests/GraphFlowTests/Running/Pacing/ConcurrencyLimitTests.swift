import GraphAPI
import Testing

@testable import GraphFlow

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// How many calls a run makes at a time, beside the best fixed number.
struct ConcurrencyLimitTests {
  /// A server that works on a number of calls at a time; others wait.
  private struct Server {
    private var free: [Duration]
    private var generator: SplitMix64
    private let spread: Double
    /// How much longer the work takes at a time.
    var slowness: (_ now: Duration) -> Double = { _ in 1 }

    init(parallel count: Int, spread: Double, seed: UInt64) {
      free = Array(repeating: .zero, count: count)
      self.spread = spread
      generator = SplitMix64(seed: seed)
    }

    /// How long a call takes; its work takes a log-normal time with a median of 100 ms.
    mutating func latency(at now: Duration) -> Duration {
      // The sum of twelve uniform numbers is close to a normal one.
      let normal = (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &generator)
      }
      let work = Duration.milliseconds(100) * exp(spread * normal) * slowness(now)
      let next = free.indices.min { free[$0] < free[$1] } ?? 0
      free[next] = max(free[next], now) + work
      return free[next] - now
    }
  }

  /// A client that always has more to send, and its limit.
  private struct Client {
    var limit: ConcurrencyLimit
    var server: Server
    private var underWay: [(call: Int, sentAt: Duration, until: Duration)] = []
    private var now = Duration.zero
    private var calls = 0
    private(set) var changes: [(at: Duration, value: Int, cause: ConcurrencyChange.Cause)] = []
    private(set) var answered: [Duration] = []

    init(_ limit: ConcurrencyLimit, _ server: Server) {
      (self.limit, self.server) = (limit, server)
    }

    mutating func run(
      until end: Duration, answering: (Duration) -> ConcurrencyLimit.Answer = { .served(after: $0) }
    ) {
      while now < end {
        while underWay.count < limit.value {
          calls += 1
          underWay.append((calls, now, now + server.latency(at: now)))
          limit.recordCall(calls, underWay: underWay.count)
        }
        let next = underWay.indices.min { underWay[$0].until < underWay[$1].until } ?? 0
        let call = underWay.remove(at: next)
        now = call.until
        answered.append(now)
        let answer = answering(call.until - call.sentAt)
        if let cause = limit.recordAnswer(answer, toCall: call.call, at: now) {
          changes.append((now, limit.value, cause))
        }
      }
    }

    /// The answers a second in a time.
    func rate(from start: Duration, to end: Duration) -> Double {
      Double(answered.count { $0 >= start && $0 < end }) / ((end - start) / .seconds(1))
    }
  }

  @Test(arguments: [0.3, 1], [8, 16, 20, 40])
  func `after 30 seconds it is as fast as the best fixed number`(
    _ spread: Double, _ capacity: Int
  ) throws {
    var shares: [Double] = []
    for seed: UInt64 in 1...5 {
      func rate(_ limit: ConcurrencyLimit) -> Double {
        var client = Client(limit, Server(parallel: capacity, spread: spread, seed: seed))
        client.run(until: .seconds(45))
        return client.rate(from: .seconds(30), to: .seconds(45))
      }
      let best = [8, 16, 24, 32].map { rate(ConcurrencyLimit(fixed: $0)) }.max()
      shares.append(rate(ConcurrencyLimit()) / (try #require(best)))
    }
    shares.sort()
    print("concurrency: \(capacity) parallel, σ \(spread): \(shares[0]), median \(shares[2])")
    #expect(shares[2] >= 0.95)
    #expect(shares[0] >= 0.9)
  }

  @Test func `more calls than the server serves are taken back`() throws {
    var client = Client(
      ConcurrencyLimit(), Server(parallel: 16, spread: 0.3, seed: 1))
    client.run(until: .seconds(9))

    #expect(client.limit.value == 16)
    let causes = client.changes.map(\.cause)
    #expect(causes.prefix(3) == [.growth, .growth, .growth] && causes.contains(.latency))
  }

  @Test(arguments: [ConcurrencyLimit.Answer.throttled, .timedOut])
  func `one refused call halves it, the others of its time do not`(
    _ refusal: ConcurrencyLimit.Answer
  ) throws {
    var client = Client(ConcurrencyLimit(), Server(parallel: 40, spread: 0, seed: 1))
    client.run(until: .seconds(5))
    #expect(client.limit.value == 32)

    var refused = 0
    func refuse(_ latency: Duration) -> ConcurrencyLimit.Answer {
      refused += 1
      return refused <= 32 ? refusal : .served(after: latency)
    }
    client.run(until: .seconds(5.5), answering: refuse)
    #expect(refused > 32 && client.limit.value == 16)
    client.run(until: .seconds(304))
    #expect(client.limit.value == 16)
    client.run(until: .seconds(310))
    #expect(client.limit.value == 32)
  }

  @Test func `it falls to one call, and recovers`() throws {
    var client = Client(ConcurrencyLimit(), Server(parallel: 40, spread: 0.3, seed: 1))
    client.run(until: .seconds(5)) { _ in .throttled }
    #expect(client.limit.value == 1)
    client.run(until: .seconds(3700))
    #expect(client.limit.value == 32)
  }

  @Test func `it falls when the server becomes slow, and recovers`() throws {
    var server = Server(parallel: 40, spread: 0.5, seed: 3)
    server.slowness = { (.seconds(20) ..< .seconds(60)).contains($0) ? 4 : 1 }
    var client = Client(ConcurrencyLimit(), server)
    client.run(until: .seconds(20))
    #expect(client.limit.value == 32)
    client.run(until: .seconds(40))
    #expect(client.changes.contains { $0.at > .seconds(20) && $0.cause == .latency })
    client.run(until: .seconds(300))
    #expect(client.limit.value == 32)
  }

  @Test func `it does not grow while less is sent than it allows`() throws {
    var limit = ConcurrencyLimit()
    for call in 1...1000 {
      limit.recordCall(call, underWay: 3)
      #expect(limit.recordAnswer(.served(after: .seconds(1)), toCall: call, at: .zero) == nil)
    }
    #expect(limit.value == 4)
  }

  @Test func `a fixed number stays`() throws {
    var client = Client(ConcurrencyLimit(fixed: 7), Server(parallel: 3, spread: 0.5, seed: 1))
    client.run(until: .seconds(20))
    client.run(until: .seconds(21)) { _ in .throttled }
    #expect(client.limit.value == 7 && client.changes.isEmpty)
  }

  @Test func `a server that refuses more than 16 calls refuses few`() throws {
    var world = PacedRuns(RollingGraph(limit: 1e9))
    var server = Server(parallel: 100, spread: 0.3, seed: 1)
    world.latency = { server.latency(at: $0) }
    var refused = 0
    world.refusal = { run in
      guard run.underWay.count >= 16 else { return nil }
      refused += 1
      let error = GraphError(message: "Application request limit reached", code: 4)
      return .answered(
        .refused(error, status: 400), CallFacts(status: 400, bytesSent: 1, bytesReceived: 1))
    }
    try world.add(
      4000, of: PacedRuns.reads(), options: RunOptions(limits: BatchLimits(width: 1)))
    world.play()

    #expect(world.runs[0].end?.status == .succeeded)
    // At most the calls of the larger limit, before the first of them is answered.
    #expect(refused <= 32)
    let changes = world.runs[0].events.compactMap { event in
      if case .concurrencyChanged(let change) = event { change } else { nil }
    }
    #expect(changes.map(\.calls) == [8, 16, 32, 16])
    #expect(changes.map(\.cause) == [.growth, .growth, .growth, .throttled])
    print("concurrency: \(refused) refused, \(world.makespan)")
  }
}
