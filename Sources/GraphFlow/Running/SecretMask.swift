package import GraphAPI
import JSONPath

/// Takes the tokens that a run knows out of everything that becomes an event.
///
/// Names tell most secrets (``Redaction``); this is for a server that repeats a token in the middle
/// of a sentence or under a name of its own.
package struct SecretMask: Sendable {
  private var secrets: [String] = []

  /// A mask that knows no token yet.
  package init() {}

  /// Learns a token.
  package mutating func learn(_ token: AccessToken) {
    guard !secrets.contains(token.exposed) else { return }
    secrets.append(token.exposed)
  }

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
    guard secrets.contains(where: { text.holds(Array($0.utf8)) }) else { return (text, isTainted) }
    return (Array(masked(String(decoding: text, as: UTF8.self)).utf8), true)
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

  /// A text without the known tokens.
  package func masked(_ text: String) -> String {
    secrets.reduce(text) { text, secret in
      text.contains(secret)
        ? text.split(separator: secret, omittingEmptySubsequences: false)
          .joined(separator: "***") : text
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

extension [UInt8] {
  /// Whether other bytes stand somewhere in these.
  fileprivate func holds(_ other: [UInt8]) -> Bool {
    guard let first = other.first, count >= other.count else { return false }
    var start = 0
    while let found = self[start...].firstIndex(of: first) {
      if self[found...].starts(with: other) { return true }
      start = found + 1
    }
    return false
  }
}
