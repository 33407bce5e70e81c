extension World {
  /// Does what a form of the page asks for.
  ///
  /// - Throws: the errors of the control calls, such as an unknown device code.
  mutating func perform(_ form: Parameters) throws(GraphFault) {
    let unknown = GraphFault("the page has no such form")
    switch form["do"] {
    case "permission":
      guard let name = form["permission"]?.trimmed, !name.isEmpty, let user = form["user"],
        let status = form["status"], Permission.Status(rawValue: status) != nil
      else { throw unknown }
      try access.decide(name, status, user: user)
    case "token":
      guard let handle = form["token"], let state = form["state"] else { throw unknown }
      try access.setToken(handle, isValid: state == "valid", at: now)
    case "device":
      guard let code = form["user_code"], let user = form["user"] else { throw unknown }
      let chosen = form.members.filter { $0.name == "scope" }.map(\.value)
      let asked = logins.devices.values.first { $0.userCode == code }?.scopes ?? []
      try logins.decideDevice(
        code, form["action"] == "approve" ? "approve" : "decline",
        declined: asked.filter { !chosen.contains($0) }, user: user, &access, at: now)
    default: throw unknown
    }
  }
}
