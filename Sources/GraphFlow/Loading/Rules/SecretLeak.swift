internal import GraphAPI
internal import JSONPath

/// Secrets may only go where a token goes (docs/reference/language.md, "Secrets").
enum SecretLeak {
  /// Whether a query selects a secret: its last segment is the name of one.
  static func isTainted(_ query: Query) -> Bool {
    for case .name(let name) in query.segments.last?.selectors ?? []
    where Redaction.isSecretName(name) { return true }
    return false
  }

  static let resultMessage = "this selects a secret, which may only be used as a token"
  static let hint = "use it only in 'token:'"
}
