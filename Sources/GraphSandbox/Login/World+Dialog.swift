import JSONPath

/// What a code of the login dialog is exchanged for.
struct DialogCode: Hashable, Sendable {
  let user: String
  let redirect: String
}

extension World {
  /// `dialog/oauth`: a stub of the login page; its user agrees at once.
  ///
  /// Permissions that were declined earlier are requested again only with `auth_type=rerequest`
  /// (docs/internals/graph-api.md, decision 33).
  mutating func showDialog(_ request: GraphRequest) throws(GraphFault) -> Outcome {
    let parameters = request.parameters
    guard parameters["client_id"] == application else { throw .applicationInvalid }
    guard let redirect = parameters["redirect_uri"],
      redirect.hasPrefix("https://") || redirect.hasPrefix("http://"),
      !redirect.utf8.contains(where: { $0 <= 32 || $0 >= 127 })
    else { throw .parameterRequired("redirect_uri") }
    let user = try loginUser(nil)
    let isRepeated = Self.names(parameters["auth_type"]).contains("rerequest")
    access.grant(Self.names(parameters["scope"]), to: user, includingDeclined: isRepeated)
    var location = Array(redirect.utf8)
    let state = parameters["state"]
    if parameters["response_type"] == "token" {
      let token = issueToken(to: user, for: Self.tokenLifetime)
      location += Array("#access_token=\(token)&expires_in=\(Self.tokenLifetime)".utf8)
    } else {
      let code = identifiers.nextDialogCode()
      if dialogCodes.count >= 10_000 { dialogCodes = [:] }
      dialogCodes[code] = DialogCode(user: user, redirect: redirect)
      location.append(redirect.utf8.contains(UInt8(ascii: "?")) ? 38 : UInt8(ascii: "?"))
      location += Array("code=\(code)".utf8)
    }
    if let state {
      location += Array("&state=".utf8)
      FormText.appendEncoded(state.excerpt, to: &location)
    }
    return Outcome(
      status: 302, location: String(decoding: location, as: UTF8.self), isInvented: true)
  }
}
