import JSONPath

/// Calls that act for the users of the world: they decide on devices and permissions.
///
/// They are the sandbox's own and need no token. Every answer is marked as invented.
extension Logins {
  mutating func control(
    _ name: String, _ request: GraphRequest, _ access: inout AccessTable, at now: Int
  ) throws(GraphFault) -> Answer {
    let parameters = request.parameters
    switch (name, request.method) {
    case ("devices", .get):
      let waiting = waitingDevices(at: now).map { device -> JSON in
        [
          "user_code": .string(device.userCode),
          "scopes": .array(device.scopes.map { .string($0) }),
          "expires_in": .number(.init(device.secondsLeft(at: now))),
        ]
      }
      return Answer(["data": .array(waiting)], note: .invented)
    case ("devices", .post):
      try decideDevice(
        parameters["user_code"], parameters["action"] ?? "approve",
        declined: parameters.words("declined"), user: parameters["user"], &access, at: now)
    case ("permissions", .post):
      try access.decide(
        parameters["permission"], parameters["status"] ?? "granted", user: parameters["user"])
    default: throw GraphFault.unknownPath(request.path).invented
    }
    return Answer(["success": true], note: .invented)
  }

  /// `POST sandbox/devices` with `user_code`, `action` (`approve`, `decline`), and optionally `user`
  /// and the permissions that the user declines (`declined`).
  mutating func decideDevice(
    _ userCode: String?, _ action: String, declined: [String], user: String?,
    _ access: inout AccessTable, at now: Int
  ) throws(GraphFault) {
    guard let userCode else { throw GraphFault.parameterRequired("user_code").invented }
    let found = devices.first {
      $0.value.userCode == userCode.uppercased() && $0.value.state == .pending
        && !$0.value.isExpired(at: now)
    }
    guard let (code, device) = found else {
      throw GraphFault.parameterMalformed("user_code", "the code of a device that waits").invented
    }
    switch action {
    case "approve":
      let user = try access.loginUser(user)
      let declined = Set(declined)
      let granted = device.scopes.filter { !declined.contains($0) }
      access.grant(["public_profile"] + granted, to: user, includingDeclined: device.asksAgain)
      for name in device.scopes where declined.contains(name) {
        access.set(name, to: .declined, for: user)
      }
      devices[code]?.state = .approved(user: user)
    case "decline": devices[code]?.state = .declined
    default: throw GraphFault.parameterMalformed("action", "approve or decline").invented
    }
  }
}

extension AccessTable {
  /// `POST sandbox/permissions` with `permission`, `status`, and optionally `user`.
  mutating func decide(
    _ name: String?, _ status: String, user: String?
  ) throws(GraphFault) {
    let user = try loginUser(user)
    guard let name, !name.isEmpty else { throw GraphFault.parameterRequired("permission").invented }
    guard let status = Permission.Status(rawValue: status) else {
      throw GraphFault.parameterMalformed("status", "granted, declined or expired").invented
    }
    set(name.excerpt, to: status, for: user)
  }
}
