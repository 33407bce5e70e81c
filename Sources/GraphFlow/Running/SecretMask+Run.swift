package import GraphAPI
import JSONPath

/// What a run knows to be secret is taken out of everything that becomes an event.
extension SecretMask {
  /// Learns every secret that a body holds under a secret's name.
  mutating func learn(from body: JSON) {
    switch body {
    case .array(let elements):
      for element in elements { learn(from: element) }
    case .object(let object):
      for (name, value) in object {
        if Redaction.isSecretName(name), let token = value.string.flatMap(AccessToken.init),
          token.exposed.utf8.count >= SecretMask.shortestSecret
        {
          learn(token)
        } else {
          learn(from: value)
        }
      }
    case .null, .bool, .number, .string: break
    }
  }

  /// What is shorter stands in too many texts by chance.
  private static let shortestSecret = 8

  /// A body without secrets, and whether there were any.
  package func masked(_ body: [UInt8]) -> (body: [UInt8], isTainted: Bool) {
    let (text, isTainted) = Redaction.redacted(body)
    return scrubbed(text).map { ($0, true) } ?? (text, isTainted)
  }

  /// A value without secrets.
  func masked(_ value: JSON) -> JSON {
    switch Redaction.redacted(value).body {
    case .string(let text): .string(masked(text))
    case .array(let elements): .array(elements.map(masked))
    case .object(let object):
      .object(JSON.Object(object.members.map { ($0.name, masked($0.value)) }))
    case let other: other
    }
  }

  /// A failure whose texts came from a server.
  func masked(_ failure: Failure) -> Failure {
    let facts = JSON.object(["error": failure.error.json])
    let clean = masked(facts)
    guard clean != facts, let error = GraphError(body: clean) else { return failure }
    var masked = failure
    masked.error = error
    return masked
  }
}
