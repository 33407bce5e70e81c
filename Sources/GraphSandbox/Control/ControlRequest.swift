import JSONPath

/// A request to the control interface: decides whether it is allowed, and reads its command.
struct ControlRequest: Sendable {
  /// The last segment of the path.
  var name: String
  var method: String
  var authorization: String?
  /// nil: it could not be read, or is too large.
  var body: [UInt8]?
  /// Whether the client is on this machine, and asked for it by a name of this machine.
  var isLocal: Bool
  /// Whether no page of another site makes the request.
  var isSameOrigin: Bool

  /// The longest body: a snapshot of a large world.
  static let bodyLimit = SandboxServer.bodyLimit

  /// The command, if the request may give it.
  func command(_ token: ControlToken) throws(ControlFailure) -> ControlCommand {
    guard isSameOrigin else {
      throw ControlFailure("pages of other sites may not control the sandbox", status: 403)
    }
    if name != "health" { try check(token) }
    guard let body else { throw ControlFailure("the body cannot be read", status: 413) }
    return try ControlCommand(name, method: method, try ControlFields(json: body))
  }

  private func check(_ token: ControlToken) throws(ControlFailure) {
    guard isLocal || token.isChosen else {
      throw ControlFailure(
        "the sandbox is controlled from this machine, at 127.0.0.1 or localhost", status: 403,
        hint: "choose a token for others: graphflow sandbox --control-token, or "
          + "GRAPHFLOW_CONTROL_TOKEN")
    }
    guard token.isIn(authorization) else {
      throw ControlFailure(
        authorization == nil ? "the control token is missing" : "this is not the control token",
        status: 401,
        hint: "send 'Authorization: Bearer TOKEN' with the token that graphflow sandbox prints "
          + "as 'control token'")
    }
  }
}

extension HTTPAnswer {
  /// The answer of the control interface.
  init(_ result: Result<JSON, ControlFailure>) {
    var headers = [
      (name: "Content-Type", value: "application/json"), ("Cache-Control", "no-store"),
      ("X-Content-Type-Options", "nosniff"), Page.invented,
    ]
    let (status, json) =
      switch result {
      case .success(let value): (200, value)
      case .failure(let failure): (failure.status, failure.json)
      }
    if status == 401 { headers.append(("WWW-Authenticate", "Bearer")) }
    self.init(status: status, headers: headers, body: json.bytes + [UInt8(ascii: "\n")])
  }
}
