import GraphAPI
import GraphFlow
import JSONPath

/// A Graph whose limit is a real rolling window of an hour, for runs in virtual time.
///
/// Every operation that arrives is counted, also one that is refused: asking in vain makes it worse.
struct RollingGraph {
  /// What the usage headers say.
  enum Headers {
    /// The percent as it is, rounded down.
    case honest
    /// The percent as it was so long ago.
    case lagging(Duration)
    /// Always nothing used.
    case stuck
    /// No headers at all.
    case none
  }

  /// What may be used within an hour.
  var limit: Double
  var headers = Headers.honest
  /// Whether refusals say when to come back.
  var announces = false
  /// What an operation uses.
  var cost: (_ number: Int) -> Double = { _ in 1 }
  /// Whether an operation fails without a reason of its own.
  var failureRate = 0.0
  /// What others of the same app use, in all, up to a moment.
  var others: (_ now: Duration) -> Double = { _ in 0 }
  /// Whether nothing is answered at all.
  var isDown: (_ now: Duration) -> Bool = { _ in false }

  /// How many operations arrived, were refused, and came to something.
  private(set) var counted = 0
  private(set) var refused = 0
  private(set) var useful = 0
  /// Operations that arrived while Graph had asked for silence.
  private(set) var disturbances = 0
  /// The highest percent that was ever reached.
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

  /// The percent that is used now.
  private var percent: Double { used * 100 / limit }

  mutating func answer(_ call: Call, at now: Duration) -> CallResult {
    calls += 1
    guard !isDown(now) else {
      counted += call.operations.count
      return .failed(TransportFailure(kind: .timedOut, message: "timed out"))
    }
    expire(at: now)
    // Who has sent it could have read of the silence by then.
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

  /// How many of so many reads are granted, for clients that are not ours.
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
    // Whole minutes, until what is used has fallen to nine tenths.
    var (left, moment) = (used, now)
    for entry in entries[first...] where left > limit * 0.9 {
      (left, moment) = (left - entry.cost, entry.at + Self.window)
    }
    let minutes = max(1, (moment - now).milliseconds / 60_000 + 1)
    if now >= announcedUntil { announcedAt = now }
    announcedUntil = max(announcedUntil, now + .seconds(minutes * 60))
    let text =
      #"{"1":[{"type":"pages","call_count":100,"estimated_time_to_regain_access":\#(minutes)}]}"#
    let header = HeaderField("X-Business-Use-Case-Usage", text)
    return .response(
      OperationResponse(
        code: response.code,
        headers: [header].compactMap(\.self),
        body: response.body
      )
    )
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
