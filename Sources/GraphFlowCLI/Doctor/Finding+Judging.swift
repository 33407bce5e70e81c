import GraphAPI
import GraphFlow

/// The judgements on what was measured; pure, so that tests need no clock and no network.
extension Finding {
  private static let day = 86_400

  /// Whether Graph serves a version; `answeredAs` is what the header `facebook-api-version` says.
  static func version(_ version: GraphVersion, answeredAs: String?, now: Int) -> Finding {
    let (check, name) = ("version", "Graph API \(version)")
    let hint = "test with \(GraphVersion.current), then name it in `version` of the workflow"
    let release = version.release
    if let end = release?.usableUntil, end < DayText.day(now) {
      return .warning(check, "\(name) ended on \(end); Graph answers as a later one", hint: hint)
    }
    if let answeredAs, answeredAs != "\(version)" {
      return .warning(
        check, "\(name) was asked for, and Graph answers as \(answeredAs)", hint: hint)
    }
    guard let release else {
      return .warning(check, "\(name) is not known to graphflow \(toolVersion)", hint: hint)
    }
    guard let end = release.usableUntil else { return .ok(check, "\(name), no end announced") }
    // Days as text compare in the order of time.
    return end < DayText.day(now + 90 * day)
      ? .warning(check, "\(name) ends on \(end)", hint: hint) : .ok(check, "\(name), until \(end)")
  }

  /// Whether this machine's clock agrees with the `Date` of an answer, which counts whole seconds.
  static func clock(date: HTTPDate?, clock: Int64) -> Finding {
    guard let date else { return .skipped("clock", "the answer has no usable Date") }
    let ahead = Int(clock / 1000 - date.seconds)
    guard ahead.magnitude > 30 else { return .ok("clock", "agrees with Graph's") }
    return .warning(
      "clock", "\(DayText.span(ahead)) \(ahead > 0 ? "ahead of" : "behind") Graph's",
      hint: "set it, best by NTP: the ends of tokens and of pauses are judged by it")
  }

  /// Whether a token works, and for how long.
  static func token(_ identity: Identity, now: Int) -> Finding {
    let (check, facts) = ("token", identity.facts)
    let kind = facts.type.map { $0 == "USER" ? "" : " (\($0))" } ?? ""
    let message =
      "\(identity.profile), from \(identity.source?.label ?? "the sandbox"): "
      + "\(facts.user?.text ?? "nobody's")\(kind), ends \(DayText.end(facts.end, now: now))"
    let data = "access to the person's data ends \(DayText.end(facts.dataAccessExpiry, now: now))"
    let hint = identity.renewal
    if facts.dataAccessExpiry.isExpired(at: now) {
      return .failed(
        check,
        CommandFailure(
          .notPermitted, "\(message); \(data)", hint: "the person has to log in again: \(hint)"))
    }
    if facts.end.isExpired(at: now + 7 * day) { return .warning(check, message, hint: hint) }
    return facts.dataAccessExpiry.isExpired(at: now + 7 * day)
      ? .warning(check, "\(message); \(data)", hint: hint) : .ok(check, message)
  }

  /// Whether a token has the permissions that a workflow names, each with a request that needs it.
  static func permissions(
    _ needs: [(permission: String, request: String)], _ identity: Identity
  ) -> Finding {
    let (check, profile, scopes) = ("permissions", identity.profile, identity.facts.scopes)
    guard !needs.isEmpty else { return .ok(check, "\(profile): the workflow names none for it") }
    guard scopes.byStatus.contains(where: { !$0.names.isEmpty }) else {
      return .skipped(check, "\(profile): Graph lists none for this token")
    }
    let missing = needs.filter { !scopes.granted.contains($0.permission) }
    guard !missing.isEmpty else {
      return .ok(check, "\(profile) has all \(needs.count) that the workflow names")
    }
    let list = missing.map { permission, request in
      let status = scopes.byStatus.first { $0.names.contains(permission) }?.status ?? "missing"
      return "\(permission) is \(status), and \(request) needs it"
    }
    let cure =
      identity.source?.key == TokenSource.login.key
      ? identity.request(for: missing.map(\.permission)) : identity.renewal
    return .failed(
      check,
      CommandFailure(
        .notPermitted, "\(profile): " + list.joined(separator: "; "),
        hint: "ask the person for them: \(cure)"))
  }

  /// How much of Graph's limits is used.
  static func quota(_ usage: Usage) -> Finding {
    let business = usage.business.compactMap { use in use.percentage.map { (use.type, $0) } }
    let limits =
      [
        ("app", usage.appPercentage), ("page", usage.pagePercentage),
        ("ad account", usage.adAccountPercentage),
      ]
      .compactMap { name, percent in percent.map { (name, $0) } } + business
    guard let highest = limits.map(\.1).max() else {
      return .skipped("quota", "Graph reports no usage")
    }
    let text = limits.map { "\($0.0) \(Int($0.1)) %" }.joined(separator: ", ") + " used"
    if let pause = usage.regainAccess {
      return .failed(
        "quota", throttle("\(text); no calls for \(DayText.span(Int(pause.milliseconds / 1000)))"))
    }
    return highest < 75 ? .ok("quota", text) : .warning("quota", text, hint: quotaHint)
  }

  private static let quotaHint =
    "send less, or later; docs/guide/quota.md explains the limits and --budget"

  private static func throttle(_ message: String) -> CommandFailure {
    CommandFailure(.tryAgainLater, message, hint: quotaHint)
  }
}

extension Identity {
  /// How a person replaces the token.
  var renewal: String {
    switch source {
    case .login?: LoginStore.command(for: profile, at: graphURL)
    case let source?: "put a new token into \(source.label)"
    case nil: "another world file (graphflow sandbox --print-world)"
    }
  }
}
