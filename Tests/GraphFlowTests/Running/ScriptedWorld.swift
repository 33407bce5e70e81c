import GraphAPI
import GraphFlow
import JSONPath
import Synchronization

/// The events of a test, in order.
final class Log: Sendable {
  private let lines = Mutex<[String]>([])

  func record(_ line: String) { lines.withLock { $0.append(line) } }

  var entries: [String] { lines.withLock { $0 } }
}

/// A transport with scripted answers.
struct ScriptedTransport: Transport {
  let answer: @Sendable (WireRequest) async throws(TransportFailure) -> WireResponse

  init(_ answer: @escaping @Sendable (WireRequest) async throws(TransportFailure) -> WireResponse) {
    self.answer = answer
  }

  func send(
    _ request: WireRequest, timeout: Duration
  ) async throws(TransportFailure) -> WireResponse { try await answer(request) }

  /// An answer with one item for each operation of a form-encoded batch; for a single call the body
  /// alone.
  static func items(in request: WireRequest, _ body: (Int) -> String) -> WireResponse {
    let form = String(decoding: request.body, as: UTF8.self)
    guard form.contains("batch=") else {
      return WireResponse(status: 200, body: Array(body(0).utf8))
    }
    let count = form.split(separator: "relative_url", omittingEmptySubsequences: false).count - 1
    let items = (0..<count).map { index -> JSON in
      ["code": 200, "body": .string(body(index))]
    }
    return WireResponse(status: 200, body: Array(JSON.array(items).serialized().utf8))
  }
}

/// A journal in memory that fails on demand.
actor ScriptedJournal: Journal {
  struct DiskFull: Error {}

  private(set) var events: [RunEvent] = []
  private let log: Log
  private var appendsLeft: Int

  init(_ log: Log, failingAt append: Int = .max) {
    self.log = log
    appendsLeft = append - 1
  }

  func append(_ events: [RunEvent], durably: Bool) throws {
    guard appendsLeft > 0 else { throw DiskFull() }
    appendsLeft -= 1
    self.events += events
    let kinds = events.map { String("\($0)".prefix { $0 != "(" }) }.joined(separator: " ")
    log.record("journal: \(kinds)\(durably ? " durably" : "")")
  }
}

/// A clock that advances to the deadline of each sleep at once.
final class ManualClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var offset: Duration

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let time = Mutex(Duration.zero)

  var now: Instant { Instant(offset: time.withLock { $0 }) }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    time.withLock { $0 = max($0, deadline.offset) }
  }
}
