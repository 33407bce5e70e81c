internal import GraphAPI

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
      return RuleFault(.invalidName, "'\(YAMLFault.short(name))' cannot be the name of a header")
    }
    let lowered = name.lowercased()
    guard names.contains(lowered) else { return nil }
    let hint = lowered == "authorization" ? "choose the token with 'token:'" : nil
    return RuleFault(.forbiddenHeader, "a request cannot set the header '\(name)'", hint: hint)
  }
}
