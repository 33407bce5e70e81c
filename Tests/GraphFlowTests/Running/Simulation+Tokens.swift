import GraphAPI
import GraphFlow
import JSONPath

extension Simulation {
  /// Makes each read of a profile's source return the next one of these tokens, and finally the last
  /// one again; nil means that there is no token.
  mutating func giving(_ tokens: [String: [String?]]) {
    source = { profile, reading in
      let texts = tokens[profile] ?? ["token-of-\(profile)"]
      let text = reading < texts.count ? texts[reading] : texts.last ?? nil
      return text.flatMap(AccessToken.init).map(Result.success)
        ?? .failure(TokenUnavailable(message: "the file is gone", hint: "write it"))
    }
  }

  /// Makes Graph refuse these tokens.
  mutating func refusing(_ tokens: Set<String>, with error: GraphError = .expired) {
    let refused = Set(tokens.compactMap(AccessToken.init))
    graph.refusal = { refused.contains($0) ? error : nil }
  }

  /// The times at which a profile's source was read again, and the results.
  var readings: [TokenReading] {
    events.compactMap { event in
      if case .tokenRead(let reading) = event { reading } else { nil }
    }
  }

  /// The results of permission look-ups, one line each.
  var grants: [String] {
    events.flatMap { event in
      if case .permissionsRead(let readings) = event { readings } else { [PermissionReading]() }
    }
    .map { "\($0.token): \($0.permission) \($0.status)" }
  }

  /// The completed attempts, as `name number outcome`.
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
    message: "Error validating access token: Session has expired", code: 190, subcode: 463)
}
