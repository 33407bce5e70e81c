/// Stops asking a host that answers nothing, and asks now and then whether it is there again.
///
/// Open after five calls in a row that came to nothing for reasons of network or server.
struct CircuitBreaker: Hashable, Sendable {
  /// How many failures in a row open it.
  static let limit = 5

  private static let firstDelay: Int64 = 1000
  private static let longestDelay: Int64 = 60_000

  private var failures = 0
  private var probes = 0
  /// When it opened; nil while it is closed.
  private(set) var openSince: Timestamp?
  private var nextProbe: Timestamp?
  private var isProbing = false

  /// What may be sent.
  func allowance(at now: Timestamp) -> Allowance {
    guard let openSince else { return .operations(.max) }
    if isProbing { return .afterAnswer }
    guard let nextProbe, nextProbe > now else { return .probe }
    return .pause(QuotaPause(until: nextProbe, cause: .outage), since: openSince)
  }

  /// Notes that a probe is sent.
  mutating func startProbe() { isProbing = true }

  /// Notes that a call has proved that Graph is there.
  mutating func succeed() { self = CircuitBreaker() }

  /// Notes that a call came to nothing.
  ///
  /// - Parameters:
  ///   - isProbe: whether it was to find out whether Graph is there.
  ///   - now: the time.
  ///   - chance: from 0 to 1; spreads the probes of many.
  mutating func fail(isProbe: Bool, at now: Timestamp, chance: Double) {
    failures += 1
    if isProbe { isProbing = false }
    guard failures >= Self.limit, isProbe || openSince == nil else { return }
    openSince = openSince ?? now
    let delay = min(Self.firstDelay << min(Int64(probes), 16), Self.longestDelay)
    // Half of it for certain, so that probes stay rare; half by chance, so that they are not many
    // processes' at once.
    let jittered = Int64(Double(delay) * (0.5 + 0.5 * chance))
    nextProbe = now.advanced(by: .milliseconds(jittered))
    probes += 1
  }
}
