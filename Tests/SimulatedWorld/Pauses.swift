/// The pauses that Graph has announced, as far as a process has read them or could know them.
struct Pauses: Sendable {
  private struct Pause: Sendable {
    /// When it was read; before that no one can keep it.
    var from: Duration
    var until: Duration
    /// Whether later processes know of it.
    var isShared = false
  }

  private var pauses: [RateLimits.Scope: [Pause]] = [:]

  /// Records the pauses in an answer that was read.
  mutating func record(_ announcements: Announcements, at now: Duration) {
    for (scope, until) in announcements where until > now {
      pauses[scope, default: []].append(Pause(from: now, until: until))
    }
  }

  /// Records that the pauses so far were stored for other processes.
  mutating func share(at now: Duration) {
    for scope in pauses.keys {
      for index in pauses[scope]?.indices ?? 0..<0 where (pauses[scope]?[index].from ?? now) < now {
        pauses[scope]?[index].isShared = true
      }
    }
  }

  /// Records that another process begins, which knows the stored pauses.
  ///
  /// - Parameter knowsApp: whether it knows that it belongs to the same app.
  mutating func begin(knowingApp knowsApp: Bool) {
    if !knowsApp { pauses[.app] = nil }
    pauses = pauses.mapValues { $0.filter(\.isShared) }
  }

  /// Whether a pause forbids an operation.
  func forbids(_ operation: Operation, at now: Duration) -> Bool {
    let scopes = [RateLimits.Scope.app, .token(operation.token), .account(operation.lane)]
    return scopes.contains { scope in
      pauses[scope]?.contains { $0.from < now && now < $0.until } ?? false
    }
  }
}
