/// Whether Graph answers, as far as a process can tell.
struct Health: Sendable {
  private struct Standing: Sendable {
    /// How many calls in a row nothing came back for, each with something in it that was new.
    var failures = 0
    var openSince: Duration?
    var lastProbeEnd: Duration?
    var isProbing = false
  }

  private var standings: [String: Standing] = [:]
  private var sent: Set<String> = []

  /// What a call is to the host's health.
  struct Sent: Sendable {
    let token: String
    let isNew: Bool
    let isProbe: Bool
    /// What is wrong with sending it now.
    let blame: String?
  }

  /// Notes that a call is sent.
  mutating func send(
    _ call: (operations: [Operation], token: String, isBatch: Bool),
    at now: Duration
  ) -> Sent {
    let standing = standings[call.token] ?? Standing()
    let marks = call.operations.map(\.reference)
    // What follows another in its call may never have been looked at, and what is about tokens or
    // for a look is no request.
    let firsts = call.operations.filter(\.predecessors.isEmpty)
    let isNew = firsts.allSatisfy { operation in
      let mark = operation.reference
      return operation["ref"] != nil && !mark.hasPrefix("look-") && !sent.contains(mark)
    }
    sent.formUnion(marks)
    var blame: String?
    var isProbe = false
    if let since = standing.openSince, since < now {
      isProbe = call.operations.count == 1 && call.operations[0].method == "GET"
      if !isProbe {
        blame = "\(marks.count) operations were sent although nothing was answered"
      } else if standing.isProbing {
        blame = "two calls at once asked whether Graph is there"
      } else if let end = standing.lastProbeEnd, now - end < .milliseconds(400) {
        blame = "Graph was asked at once again whether it is there"
      }
      standings[call.token]?.isProbing = true
    }
    return Sent(token: call.token, isNew: isNew, isProbe: isProbe, blame: blame)
  }

  /// Notes that something came back for a call, or nothing; true if that makes an outage.
  mutating func end(_ call: Sent, isAnswered: Bool, at now: Duration) -> Bool {
    if isAnswered {
      standings[call.token] = nil
      return false
    }
    var standing = standings[call.token] ?? Standing()
    defer { standings[call.token] = standing }
    if call.isProbe { (standing.isProbing, standing.lastProbeEnd) = (false, now) }
    if call.isNew { standing.failures += 1 }
    guard standing.failures >= 5, standing.openSince == nil else { return false }
    standing.openSince = now
    return true
  }
}
