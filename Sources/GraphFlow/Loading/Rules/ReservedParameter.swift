internal import GraphAPI

/// Parameters that belong to the protocol and not to a request (docs/reference/language.md,
/// "Requests").
enum ReservedParameter {
  /// The names, and what to write instead.
  static let hints: KeyValuePairs<String, String?> = [
    "access_token": "choose the token with 'token:'",
    "appsecret_proof": "it is added if an app secret is configured",
    "batch": "write the operations as requests; graphflow batches them",
    "callback": "answers are plain JSON",
    "debug": nil,
    "include_headers": "headers are always requested",
    "method": "the method is a key: get, post or delete",
  ]

  /// What is wrong with a parameter's name; nil if it is allowed.
  static func fault(of name: String) -> RuleFault? {
    guard let (_, hint) = hints.first(where: { $0.key == name }) else { return nil }
    return RuleFault(.reservedParameter, "the parameter '\(name)' is reserved", hint: hint)
  }
}

/// Header fields that a request cannot set: they belong to the connection, to the body's encoding
/// or to authentication (RFC 9110 §7.6.1; docs/reference/language.md, "Requests").
enum ForbiddenHeader {
  private static let names: Set<String> = [
    "accept-encoding", "authorization", "connection", "content-encoding", "content-length",
    "content-type", "cookie", "cookie2", "expect", "forwarded", "host", "keep-alive", "origin",
    "proxy-authenticate", "proxy-authorization", "proxy-connection", "set-cookie", "te",
    "trailer", "transfer-encoding", "upgrade", "via", "x-forwarded-for", "x-forwarded-host",
    "x-http-method-override",
  ]

  static func fault(of name: String) -> RuleFault? {
    guard HeaderField(name, "") != nil else {
      return RuleFault(.invalidName, "'\(name.short)' cannot be the name of a header")
    }
    let lowered = name.lowercased()
    guard names.contains(lowered) else { return nil }
    let hint = lowered == "authorization" ? "choose the token with 'token:'" : nil
    return RuleFault(.forbiddenHeader, "a request cannot set the header '\(name)'", hint: hint)
  }
}
