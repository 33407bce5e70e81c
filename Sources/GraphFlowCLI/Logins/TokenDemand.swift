import GraphAPI
import GraphFlow

/// What a job needs of a token before it starts: `whoami --require a,b --min-days N`, and
/// `run --min-token-life`.
struct TokenDemand: Sendable {
  let scopes: [String]
  /// The time for which the token, and the access to the person's data, must last.
  let seconds: Int?

  /// What a token lacks, in words; empty if it will do.
  ///
  /// What Graph does not report is lacking, too: nobody watches a job at night.
  func shortage(of facts: TokenFacts, now: Int) -> [String] {
    let asked = facts.scopes.byStatus
    var lacks = scopes.compactMap { scope -> String? in
      guard !facts.scopes.granted.contains(scope) else { return nil }
      let status = asked.first { $0.names.contains(scope) }?.status ?? "missing"
      return "\(scope) is \(status)"
    }
    guard let needed = seconds else { return lacks }
    func isTooSoon(_ end: TokenExpiry) -> Bool {
      if case .at(let seconds) = end { seconds &- now < needed } else { false }
    }
    if facts.end == .unknown { lacks.append("it is not known when the token ends") }
    for (name, end) in [("the token", facts.end), ("the access to data", facts.dataAccessExpiry)]
    where isTooSoon(end) {
      lacks.append("\(name) ends on \(DayText.end(end, now: now))")
    }
    return lacks
  }
}

extension Identity {
  /// Throws a failure with exit code 77 if the token lacks something.
  func satisfy(_ demand: TokenDemand, now: Int) throws {
    let lacks = demand.shortage(of: facts, now: now)
    guard !lacks.isEmpty else { return }
    throw CommandFailure(.notPermitted, lacks.joined(separator: "; "), hint: cure(for: demand))
  }

  private func cure(for demand: TokenDemand) -> String {
    if facts.end == .unknown && demand.seconds != nil {
      return "set GRAPHFLOW_APP_ID and GRAPHFLOW_APP_SECRET: then the app asks when its tokens end"
    }
    if let source, source.key != TokenSource.login.key {
      return "the token comes from \(source.label): put a better one there"
    }
    let missing = demand.scopes.filter { !facts.scopes.granted.contains($0) }
    return missing.isEmpty
      ? "log in again: \(LoginStore.command(for: profile, at: graphURL))"
      : "ask the person for it: \(request(for: missing))"
  }

  /// The command that asks the person for permissions.
  func request(for permissions: [String]) -> String {
    PermissionRequest.command(
      permissions,
      options: LoginStore.options(for: profile == "page" ? "default" : profile, at: graphURL))
  }
}
