/// An action of the sandbox's page.
enum PageAction: Hashable, Sendable {
  case permission(String, Permission.Status, user: String)
  /// Expires a token, or restores it.
  case token(handle: String, isValid: Bool)
  /// Approves a device with the chosen scopes, or declines it.
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
        userCode: code, isApproved: form["action"] == "approve",
        scopes: form.members.filter { $0.name == "scope" }.map(\.value), user: user)
    default: return nil
    }
  }
}

extension World {
  /// Performs an action of the page.
  ///
  /// - Throws: the errors of the control calls, such as an unknown device code.
  mutating func perform(_ action: PageAction) throws(GraphFault) {
    switch action {
    case .permission(let name, let status, let user):
      try access.decide(name, status.rawValue, user: user)
    case .device(let code, let isApproved, let scopes, let user):
      let asked = logins.devices.values.first { $0.userCode == code }?.scopes ?? []
      try logins.decideDevice(
        code, isApproved ? "approve" : "decline", declined: asked.filter { !scopes.contains($0) },
        user: user, &access, at: now)
    case .token(let handle, let isValid): try access.setToken(handle, isValid: isValid, at: now)
    }
  }
}
