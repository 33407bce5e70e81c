/// Whether Graph answers, as far as a process can know.
struct Health: Sendable {
  private struct TokenHealth: Sendable {
    /// The number of consecutive calls without an answer, each with new requests only.
    var failures = 0
    var openSince: Duration?
    var lastProbeEnd: Duration?
    var isProbing = false
  }

  private var healthByToken: [String: TokenHealth] = [:]
  private var sent: Set<String> = []

  /// What a sent call means for the health.
  struct Sent: Sendable {
    let token: String
    let isNew: Bool
    let isProbe: Bool
    /// Why it must not be sent now.
    let violation: String?
  }

  /// Records that a call is sent.
  mutating func recordSend(
    of call: (operations: [Operation], token: String, isBatch: Bool), at now: Duration
  ) -> Sent {
    let health = healthByToken[call.token] ?? TokenHealth()
    let marks = call.operations.map(\.reference)
    // Graph may never have run an operation that depends on another one of the call. Look-ups of
    // tokens and confirmation checks are not requests.
    let firsts = call.operations.filter(\.predecessors.isEmpty)
    let isNew = firsts.allSatisfy { operation in
      let mark = operation.reference
      return operation["ref"] != nil && !mark.hasPrefix("check-") && !sent.contains(mark)
    }
    sent.formUnion(marks)
    var violation: String?
    var isProbe = false
    if let since = health.openSince, since < now {
      isProbe = call.operations.count == 1 && call.operations[0].method == "GET"
      if !isProbe {
        violation = "\(marks.count) operations were sent although nothing was answered"
      } else if health.isProbing {
        violation = "two probes were sent at once"
      } else if let end = health.lastProbeEnd, now - end < .milliseconds(400) {
        violation = "a probe followed the last one at once"
      }
      healthByToken[call.token]?.isProbing = true
    }
    return Sent(token: call.token, isNew: isNew, isProbe: isProbe, violation: violation)
  }

  /// Records whether a call was answered; returns true if an outage begins.
  mutating func completeCall(_ call: Sent, isAnswered: Bool, at now: Duration) -> Bool {
    if isAnswered {
      healthByToken[call.token] = nil
      return false
    }
    var health = healthByToken[call.token] ?? TokenHealth()
    defer { healthByToken[call.token] = health }
    if call.isProbe { (health.isProbing, health.lastProbeEnd) = (false, now) }
    if call.isNew { health.failures += 1 }
    guard health.failures >= 5, health.openSince == nil else { return false }
    health.openSince = now
    return true
  }
}
