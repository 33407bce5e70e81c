import GraphAPI
import GraphFlow
import JSONPath

extension Simulation {
  /// Has each reading of a profile's source give the next one of these tokens, and in the end the
  /// last one again; nil is none.
  mutating func giving(_ tokens: [String: [String?]]) {
    source = { profile, reading in
      let texts = tokens[profile] ?? ["token-of-\(profile)"]
      let text = reading < texts.count ? texts[reading] : texts.last ?? nil
      return text.flatMap(AccessToken.init).map(Result.success)
        ?? .failure(TokenUnavailable(message: "the file is gone", hint: "write it"))
    }
  }

  /// Has Graph refuse these tokens.
  mutating func refusing(_ tokens: Set<String>, with error: GraphError = .expired) {
    let refused = Set(tokens.compactMap(AccessToken.init))
    graph.refusal = { refused.contains($0) ? error : nil }
  }

  /// The times at which a profile's source was asked again, and what it gave.
  var readings: [TokenReading] {
    events.compactMap { event in
      if case .tokenRead(let reading) = event { reading } else { nil }
    }
  }

  /// What was found of permissions, one line for each.
  var grants: [String] {
    events.flatMap { event in
      if case .permissionsRead(let readings) = event { readings } else { [PermissionReading]() }
    }
    .map { "\($0.token): \($0.permission) \($0.status)" }
  }

  /// The attempts of requests that are over, as `name number outcome`.
  var attempts: [String] {
    let names = workflow.requests.map(\.displayName)
    return events.compactMap { event in
      guard case .attemptEnded(let end) = event else { return nil }
      return "\(names[end.attempt.request]) \(end.attempt.number) \(end.outcome.rawValue)"
    }
  }
}

extension GraphError {
  static let expired = GraphError(
    message: "Error validating access token: Session has expired",
    code: 190,
    subcode: 463
  )
}
