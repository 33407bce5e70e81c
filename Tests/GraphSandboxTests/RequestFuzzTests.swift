import JSONPath
import TestSupport
import Testing

@testable import GraphSandbox

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Broken requests: no trap, no unexpected status, no leak.
///
/// `GRAPHFLOW_FUZZ=N` sets the number of requests (CONTRIBUTING.md). A failure names the seed and the
/// number that reproduce the request.
struct RequestFuzzTests {
  static func number(_ name: String) -> Int? {
    getenv(name).flatMap { Int(String(cString: $0)) }
  }

  /// The most processor time of a request.
  private static let timeLimit = Duration.seconds(1)
  /// The number of requests to one world: a new one bounds its memory, and a revoked token fails only
  /// the requests to the same world.
  private static let worldLength = 200
  /// The most memory of a long run, and its growth after the first tenth, in bytes.
  private static let memory = (peak: 512 << 20, growth: 32 << 20)
  static let statuses: Set<Int> = [200, 302, 304, 400, 403, 413]

  /// A world; every fourth one has faults.
  private static func world(_ number: Int) throws -> InProcessSandbox {
    var sandbox = try InProcessSandbox(SeedRequest.world, seed: UInt64(number))
    guard number % 4 == 2 else { return sandbox }
    let faults: [FaultRule] = [
      FaultRule(
        .operation(.unfinished(.null, .applied)),
        when: FaultCondition(method: .post, occasion: .chance(0.1))),
      FaultRule(.operation(.lag(reads: 3)), when: FaultCondition(occasion: .chance(0.05))),
      FaultRule(
        .call(.partial(from: 1, .error960, .notApplied)),
        when: FaultCondition(path: PathPattern("**/feed"), occasion: .everyNth(7))),
      FaultRule(
        .operation(.throttled(code: 4, regain: .seconds(60))),
        when: FaultCondition(occasion: .chance(0.02))),
    ]
    sandbox.world.faults.injector = FaultInjector(FaultPlan(faults), seed: UInt64(number))
    return sandbox
  }

  @Test func `broken requests have valid answers`() throws {
    let wanted = Self.number("GRAPHFLOW_FUZZ")
    let count = wanted ?? 4_000
    let seed = UInt64(Self.number("GRAPHFLOW_FUZZ_SEED") ?? 1)
    var sandbox = try Self.world(0)
    var mutators = Self.mutators(sandbox, seed: seed)
    var answered: [Int: Int] = [:]
    var early = 0
    var slowest = (time: Duration.zero, number: 0, target: "")
    for number in 0..<count {
      if number > 0 && number.isMultiple(of: Self.worldLength) {
        sandbox = try Self.world(number / Self.worldLength)
        mutators = Self.mutators(sandbox, seed: seed &+ UInt64(number))
      }
      let call = mutators[number % 2].next()
      let start = processorTime
      let answer = sandbox.world.answer(GraphCall(call), at: Self.time(of: number)).0
      let time = processorTime - start
      if time > slowest.time { slowest = (time, number, "\(call.method) \(call.target)") }
      answered[answer.status, default: 0] += 1
      if let fault = Self.fault(in: answer) {
        Issue.record("seed \(seed), number \(number): \(fault) for \(call)\n\(answer.text)")
        return
      }
      mutators[number % 2].learn(from: answer.json, to: call)
      if number == count / 10 { early = Self.peak }
    }
    #expect(slowest.time < Self.timeLimit, "\(slowest)")
    #expect((answered[200] ?? 0) > count / 20 && (answered[400] ?? 0) > count / 20, "\(answered)")
    guard wanted != nil else { return }
    // Memory is checked only in fuzz runs, in which no other test shares the process.
    let peak = Self.peak
    #expect(peak < Self.memory.peak && peak - early < Self.memory.growth, "\(early), \(peak)")
    let call = "number \(slowest.number) \(slowest.target.prefix(160))"
    print(
      "fuzzed \(count) requests: \(answered.sorted { $0.key < $1.key }), slowest \(slowest.time) "
        + "for \(call), peak \(peak >> 20) MiB, \(early >> 20) MiB after a tenth")
  }

  /// Otherwise mutations of them would find little; each has to succeed at least once.
  @Test func `the requests that are broken are valid`() throws {
    var sandbox = try Self.world(0)
    var mutators = Self.mutators(sandbox, seed: 1)
    var valid: Set<Int> = []
    // What a request is about is drawn again in each round.
    for round in 0..<30 {
      for (index, seed) in SeedRequest.own.enumerated() {
        let call = mutators[round % 2].request(seed)
        let time = WorldDescription.standardStart + 1_000_000 + round * 3_600 + index
        let answer = sandbox.world.answer(GraphCall(call), at: time).0
        mutators[round % 2].learn(from: answer.json, to: call)
        if answer.status < 400 { valid.insert(index) }
      }
    }
    let never = SeedRequest.own.indices.filter { !valid.contains($0) }
      .map { SeedRequest.own[$0] }.map { "\($0.method) \($0.target) \($0.body)" }
    // They are not served, need the callback of a receiver, or are answered by the server.
    let expected = ["search?type", "callback_url", "OPTIONS"]
    #expect(never.filter { line in !expected.contains { line.contains($0) } } == [])
    #expect(never.count == expected.count)
  }

  /// Mutators for the tokens of a world: those of the user and of the page.
  private static func mutators(_ sandbox: InProcessSandbox, seed: UInt64) -> [RequestMutator] {
    [sandbox.token, sandbox.pageToken].map {
      RequestMutator(seed: seed, token: $0, applicationToken: sandbox.applicationToken)
    }
  }

  /// The time of a request: mostly the next second, so that report runs are seen while they run, and
  /// an hour later at times, so that scheduled posts are published.
  private static func time(of number: Int) -> Int {
    let place = number % worldLength
    return WorldDescription.standardStart + 1_000_000 + place + place / 16 * 3_600
  }

  /// The fault in an answer; nil if it is valid.
  private static func fault(in answer: HTTPAnswer) -> String? {
    if answer.status == 500 {
      let isKnown = answer.error?["code"] == 1 && answer.text.contains("Please reduce the amount")
      if !isKnown { return "a status of 500" }
    } else if !statuses.contains(answer.status) {
      return "a status of \(answer.status)"
    }
    for (name, value) in answer.headers
    where value.utf8.contains(where: { $0 < 32 || $0 > 126 }) {
      return "a header \(name) with control characters"
    }
    guard !answer.body.isEmpty else { return nil }
    guard let json = try? JSON(parsing: answer.body) else { return "a body that is not JSON" }
    for item in json.array ?? [] where !item.isNull {
      let item = Item(json: item)
      guard let code = item.code else { return "an item without a code" }
      if let text = item.text, (try? JSON(parsing: text)) == nil { return "an item without JSON" }
      let isKnown = item.error?["code"] == 960 || item.text?.contains("Please reduce") == true
      if code == 500 ? !isKnown : !statuses.contains(code) { return "an item of \(code)" }
    }
    return nil
  }

  /// The peak memory of this process, in bytes.
  private static var peak: Int {
    var usage = rusage()
    #if canImport(Darwin)
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : 0
    #else
    return getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0
      ? usage.ru_maxrss * 1024 : 0
    #endif
  }
}
