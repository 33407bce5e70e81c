/// Stops sending to a host that is down, and probes it from time to time.
///
/// It opens after five calls in a row that failed because of the network or the server.
struct CircuitBreaker: Hashable, Sendable {
  static let limit = 5
  private static let firstDelay: Int64 = 1000
  private static let longestDelay: Int64 = 60_000

  private var failures = 0
  private var probes = 0
  /// When it opened; nil while it is closed.
  private(set) var openSince: Timestamp?
  private var nextProbe: Timestamp?
  private var isProbing = false

  func allowance(at now: Timestamp) -> Allowance {
    guard let openSince else { return .operations(.max) }
    if isProbing { return .afterAnswer }
    guard let nextProbe, nextProbe > now else { return .probe }
    return .pause(QuotaPause(until: nextProbe, cause: .outage), since: openSince)
  }

  mutating func startProbe() { isProbing = true }

  /// Records that a call failed; the jitter is from 0 to 1, and spreads the probes of processes.
  mutating func recordFailure(isProbe: Bool, at now: Timestamp, jitter: Double) {
    failures += 1
    if isProbe { isProbing = false }
    guard failures >= Self.limit, isProbe || openSince == nil else { return }
    openSince = openSince ?? now
    let delay = min(Self.firstDelay << min(Int64(probes), 16), Self.longestDelay)
    // At least half of the delay keeps probes rare; the random half spreads several processes.
    let jittered = Int64(Double(delay) * (0.5 + 0.5 * jitter))
    nextProbe = now.advanced(by: .milliseconds(jittered))
    probes += 1
  }
}
