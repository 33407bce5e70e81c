/// What Graph has asked to be left alone, as far as a process has read it or could know it.
struct Pauses: Sendable {
  private struct Pause: Sendable {
    /// When it was read; before that nobody can keep to it.
    var from: Duration
    var until: Duration
    /// Whether later processes know of it.
    var isShared = false
  }

  private var pauses: [RateLimits.Scope: [Pause]] = [:]

  /// Notes that an answer was read.
  mutating func hear(_ announcements: Announcements, at now: Duration) {
    for (scope, until) in announcements where until > now {
      pauses[scope, default: []].append(Pause(from: now, until: until))
    }
  }

  /// Notes that what was read before was written down for others.
  mutating func share(at now: Duration) {
    for scope in pauses.keys {
      for index in pauses[scope]?.indices ?? 0..<0 where (pauses[scope]?[index].from ?? now) < now {
        pauses[scope]?[index].isShared = true
      }
    }
  }

  /// Notes that another process begins, which knows what was written down.
  ///
  /// - Parameter knowsApp: whether it knows that it belongs to the same app.
  mutating func begin(knowingApp knowsApp: Bool) {
    if !knowsApp { pauses[.app] = nil }
    pauses = pauses.mapValues { $0.filter(\.isShared) }
  }

  /// Whether a token is not to be used.
  func forbid(_ token: String, at now: Duration) -> Bool {
    [RateLimits.Scope.app, .token(token)].contains { scope in
      pauses[scope]?.contains { $0.from < now && now < $0.until } ?? false
    }
  }
}
