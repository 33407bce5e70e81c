/// Counting a whole call at once that was counted operation by operation before.
extension UsageMeter {
  /// What the operations of a call count together.
  final class CallUsage: Sendable {
    /// What a call counts against one limit.
    struct Part: Sendable {
      let scope: LimitScope
      let place: Int
      let amount: UsageWindow.Amount
      /// What headers tell of the limit, before the call and after it.
      let load: UsageLoad
    }

    /// In the order in which the call touches them.
    let parts: [Part]
    /// What headers tell of the application, which may be no part.
    let app: Fact

    init(parts: [Part], app: Fact) {
      self.parts = parts
      self.app = app
    }
  }

  /// What the current call has counted; nil if the headers of its operations may differ.
  mutating func callUsage(at now: Int) -> CallUsage? {
    var parts: [CallUsage.Part] = []
    for (place, start) in zip(touched, starts) {
      let load = windows[place].load(at: now)
      guard windows[place].load(of: start) == load, !windows[place].isBlocked(at: now) else {
        return nil
      }
      parts.append(
        .init(
          scope: scopes[place],
          place: place,
          amount: windows[place].sum - start,
          load: load
        )
      )
    }
    return CallUsage(parts: parts, app: fact(of: .app, now))
  }

  /// Counts a call that has counted nothing yet, if the headers of its operations tell the same as
  /// they did; else nothing has changed.
  mutating func count(_ usage: CallUsage, at now: Int) -> Bool {
    guard touched.isEmpty, fact(of: .app, now) == usage.app else { return false }
    for part in usage.parts {
      guard part.place < windows.count, scopes[part.place] == part.scope,
        windows[part.place].takes(part.amount, showing: part.load, at: now)
      else { return false }
    }
    for part in usage.parts {
      touched.append(part.place)
      starts.append(windows[part.place].sum)
      windows[part.place].add(part.amount, at: now)
    }
    return true
  }

  private mutating func fact(of scope: LimitScope, _ now: Int) -> Fact {
    place(of: scope).map { fact(at: $0, now) } ?? Fact()
  }
}
