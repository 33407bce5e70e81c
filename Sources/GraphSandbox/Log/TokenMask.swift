import JSONPath

/// Removes tokens and secrets from what is shown of a call.
struct TokenMask: Sendable {
  /// What is secret, but has not the shape of a token.
  private let secrets: [String]

  init(_ world: World) {
    let own = [
      world.access.applicationToken, world.access.proofs.appSecret, world.logins.clientToken,
    ]
    secrets = own.compactMap(\.self).filter { $0.utf8.count > 3 }
  }

  /// A text in which tokens, and the values of parameters with secret names, are masked.
  func text(_ text: String) -> String {
    var text = text
    for secret in secrets where text.contains(secret) { text.replace(secret, with: LoggedURL.mask) }
    let assignment = /([A-Za-z_]*(?:token|proof|secret)|\bcode)(=|%3D)([^&"'\s\\]+)/
      .matchingSemantics(.unicodeScalar).ignoresCase()
    text.replace(assignment) { "\($0.output.1)\($0.output.2)\(LoggedURL.mask)" }
    return LoggedURL.withoutTokens(text)
  }

  /// The beginning of a text; a token may be cut at its end.
  func beginning(_ text: String) -> String {
    let end = text.utf8.reversed().prefix(while: { byte in
      byte != UInt8(ascii: "\"") && byte > 32 && byte != UInt8(ascii: "&")
    })
    return self.text(String(decoding: text.utf8.dropLast(end.count), as: UTF8.self)) + "…"
  }

  /// A value in which the texts are masked, and the members with secret names.
  func json(_ value: JSON) -> JSON {
    switch value {
    case .string(let text): .string(self.text(text))
    case .array(let elements): .array(elements.map(json))
    case .object(let object):
      .object(
        JSON.Object(
          object.members.map { name, value in
            (text(name), isSecret(name, value) ? .string(LoggedURL.mask) : json(value))
          }))
    default: value
    }
  }

  /// Whether a member is a secret; the `code` of an error is a number, that of a device is not.
  private func isSecret(_ name: String, _ value: JSON) -> Bool {
    value.string != nil && LoggedURL.isSecret(name)
  }

  /// The value of a header.
  func header(_ name: String, _ value: String) -> String {
    guard ["authorization", "cookie", "proxy-authorization"].contains(name.lowercased()) else {
      return text(value)
    }
    let scheme = value.split(separator: " ").first.map(String.init) ?? ""
    return scheme.utf8.count < value.utf8.count ? "\(scheme) \(LoggedURL.mask)" : LoggedURL.mask
  }
}
