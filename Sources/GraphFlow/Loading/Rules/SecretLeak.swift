internal import GraphAPI
internal import JSONPath

/// Secrets may only go where a token goes (docs/reference/language.md, "Secrets").
enum SecretLeak {
  /// Whether a query selects a secret: its last segment is the name of one.
  static func isTainted(_ query: Query) -> Bool {
    guard let last = query.segments.last else { return false }
    let selectors =
      switch last {
      case .child(let selectors), .descendant(let selectors): selectors
      }
    return selectors.contains { selector in
      guard case .name(let name) = selector else { return false }
      return Redaction.isSecretName(name)
    }
  }

  static let resultMessage = "this selects a secret, which may only be used as a token"
  static let hint = "use it only in 'token:'"
}
