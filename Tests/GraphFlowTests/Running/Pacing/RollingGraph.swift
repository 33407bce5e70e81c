import GraphAPI
import GraphFlow
import JSONPath

/// A model of Graph with a real rolling window of an hour, for runs in virtual time.
///
/// Every operation that arrives is counted, also a refused one: useless calls make it worse.
struct RollingGraph {
  /// The content of the usage headers.
  enum Headers {
    /// The current percent, rounded down.
    case honest
    /// The percent some time ago.
    case lagging(Duration)
    /// Always 0 %.
    case stuck
    /// No headers at all.
    case none
  }

  /// The capacity of an hour.
  var limit: Double
  var headers = Headers.honest
  /// Whether refusals announce when they end.
  var announces = false
  /// The cost of an operation.
  var cost: (_ number: Int) -> Double = { _ in 1 }
  /// Whether an operation fails without a reason of its own.
  var failureRate = 0.0
  /// The total that others of the same app have used up to a time.
  var others: (_ now: Duration) -> Double = { _ in 0 }
  /// Whether no call is answered.
  var isDown: (_ now: Duration) -> Bool = { _ in false }

  /// The operations that arrived, were refused, and succeeded.
  private(set) var counted = 0
  private(set) var refused = 0
  private(set) var useful = 0
  /// Operations that arrived during an announced pause.
  private(set) var disturbances = 0
  /// The highest percent so far.
  private(set) var peak = 0.0
  private(set) var calls = 0
  private var announcedUntil = Duration.zero
  private var announcedAt = Duration.zero
  private var entries: [(at: Duration, cost: Double)] = []
  private var first = 0
  private var used = 0.0
  private var othersSeen = 0.0
  private var history: [(at: Duration, percent: Double)] = []
  private var generator = SplitMix64(seed: 11)

  init(limit: Double) { self.limit = limit }

  private static let window = Duration.seconds(3600)

  /// The percent that is used at a time.
  private var percent: Double { used * 100 / limit }

  mutating func answer(_ call: Call, at now: Duration) -> CallResult {
    calls += 1
    guard !isDown(now) else {
      counted += call.operations.count
      return .failed(TransportFailure(kind: .timedOut, message: "timed out"))
    }
    expire(at: now)
    // The sender could have read the announcement by then.
    let hasAnnounced = now < announcedUntil && now > announcedAt + .milliseconds(200)
    var items: [OperationAnswer] = []
    for operation in call.operations {
      if hasAnnounced { disturbances += 1 }
      items.append(answer(operation, at: now))
    }
    history.append((now, percent))
    var facts = CallFacts(status: 200, bytesSent: 1, bytesReceived: 1)
    facts.usage = Usage(headers: header(at: now))
    return .answered(.items(items), facts)
  }

  private mutating func answer(_ operation: BatchOperation, at now: Duration) -> OperationAnswer {
    let cost = cost(counted)
    counted += 1
    let isRefused = used + cost > limit
    entries.append((now, cost))
    used += cost
    if isRefused {
      refused += 1
      return refusal(at: now)
    }
    peak = max(peak, percent)
    if operation.path == "me/permissions" { return .ok(["data": []]) }
    if Double(generator.next() >> 11) / 0x1p53 < failureRate { return .error(.service, 500) }
    useful += 1
    return .ok(["id": .string(operation.path)])
  }

  /// The number of granted reads for other clients.
  mutating func grants(_ count: Int, at now: Duration) -> Int {
    calls += 1
    expire(at: now)
    let before = useful
    for _ in 0..<count { _ = answer(BatchOperation(method: .get, path: "x"), at: now) }
    return useful - before
  }

  private mutating func refusal(at now: Duration) -> OperationAnswer {
    let error = GraphError(message: "(#4) Application request limit reached", code: 4)
    guard announces, case .response(let response) = OperationAnswer.error(error, 400) else {
      return .error(error, 400)
    }
    // Whole minutes, until the usage has fallen to 90 %.
    var (left, timestamp) = (used, now)
    for entry in entries[first...] where left > limit * 0.9 {
      (left, timestamp) = (left - entry.cost, entry.at + Self.window)
    }
    let minutes = max(1, (timestamp - now).milliseconds / 60_000 + 1)
    if now >= announcedUntil { announcedAt = now }
    announcedUntil = max(announcedUntil, now + .seconds(minutes * 60))
    let text =
      #"{"1":[{"type":"pages","call_count":100,"estimated_time_to_regain_access":\#(minutes)}]}"#
    let header = HeaderField("X-Business-Use-Case-Usage", text)
    return .response(
      OperationResponse(
        code: response.code, headers: [header].compactMap(\.self), body: response.body))
  }

  private mutating func expire(at now: Duration) {
    let seen = others(now)
    if seen > othersSeen { entries.append((now, seen - othersSeen)) }
    used += max(seen - othersSeen, 0)
    othersSeen = max(seen, othersSeen)
    while first < entries.count, entries[first].at + Self.window <= now {
      used -= entries[first].cost
      first += 1
    }
  }

  private func header(at now: Duration) -> [HeaderField] {
    let percent: Double
    switch headers {
    case .honest: percent = self.percent
    case .lagging(let lag): percent = history.last { $0.at <= now - lag }?.percent ?? 0
    case .stuck: percent = 0
    case .none: return []
    }
    let text = #"{"call_count":\#(Int(percent)),"total_time":0,"total_cputime":0}"#
    return [HeaderField("X-App-Usage", text)].compactMap(\.self)
  }
}
