import Crypto

/// What somebody does on the sandbox's page.
enum PageAction: Hashable, Sendable {
  /// A user is asked for a permission and answers, or it expires.
  case permission(String, Permission.Status, user: String)
  /// A token ends, or works again.
  case token(handle: String, isValid: Bool)
  /// A user enters a device's code and agrees, all but what is declined; or does not agree.
  case device(userCode: String, isApproved: Bool, scopes: [String], user: String)

  /// Reads a form of the page; nil if the page has no such form.
  init?(_ form: Parameters) {
    switch form["do"] {
    case "permission":
      guard let name = form["permission"]?.trimmed, !name.isEmpty, let user = form["user"],
        let status = form["status"].flatMap(Permission.Status.init)
      else { return nil }
      self = .permission(name, status, user: user)
    case "token":
      guard let handle = form["token"], let state = form["state"] else { return nil }
      self = .token(handle: handle, isValid: state == "valid")
    case "device":
      guard let code = form["user_code"], let user = form["user"] else { return nil }
      self = .device(
        userCode: code,
        isApproved: form["action"] == "approve",
        scopes: form.members.filter { $0.name == "scope" }.map(\.value),
        user: user
      )
    default: return nil
    }
  }
}

extension World {
  /// Does what somebody does on the page.
  ///
  /// - Throws: what the calls throw that play people: nobody waits under that code.
  mutating func perform(_ action: PageAction) throws(GraphFault) {
    switch action {
    case .permission(let name, let status, let user):
      try decidePermission(name, status.rawValue, user: user)
    case .device(let code, let isApproved, let scopes, let user):
      let asked = devices.values.first { $0.userCode == code }?.scopes ?? []
      let declined = asked.filter { !scopes.contains($0) }
      try decideDevice(code, isApproved ? "approve" : "decline", declined: declined, user: user)
    case .token(let handle, let isValid):
      guard let token = grants.keys.first(where: { Self.handle(of: $0) == handle }) else {
        throw GraphFault.parameterMalformed("token", "a token of this world").invented
      }
      grants[token]?.state = isValid ? .valid : .expired
      if isValid, let end = grants[token]?.expires, end <= now {
        grants[token]?.expires = now + Self.tokenLifetime
      }
    }
  }

  /// What names a token without telling anything of it.
  static func handle(of token: String) -> String {
    Hexadecimal.text(of: SHA256.hash(data: Array("page \(token)".utf8)).prefix(8))
  }
}
