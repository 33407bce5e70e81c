import JSONPath

/// Calls that play the people of the world: they approve devices and change their minds.
///
/// They are the sandbox's own, need no token, and every answer says that it is invented.
extension World {
  mutating func control(_ name: String, _ request: GraphRequest) throws(GraphFault) -> Outcome {
    var outcome = Outcome(isInvented: true)
    switch (name, request.method) {
    case ("devices", .get): GraphText.append(["data": .array(waitingDevices)], to: &outcome.body)
    case ("devices", .post):
      try decideDevice(request)
      outcome.body = Outcome.success.body
    case ("permissions", .post):
      try decidePermission(request)
      outcome.body = Outcome.success.body
    default: throw GraphFault.unknownPath(request.path).invented
    }
    return outcome
  }

  private var waitingDevices: [JSON] {
    devices.values.filter { $0.state == .pending && !$0.isOver(at: now) }
      .sorted { ($0.created, $0.userCode) < ($1.created, $1.userCode) }
      .map { device in
        [
          "user_code": .string(device.userCode),
          "scopes": .array(device.scopes.map { .string($0) }),
          "expires_in": .number(.init(device.created + DeviceLogin.lifetime - now)),
        ]
      }
  }

  /// `POST sandbox/devices` with `user_code`, `action` (`approve`, `decline`), and, if wished, `user`
  /// and the permissions that the user declines (`declined`).
  private mutating func decideDevice(_ request: GraphRequest) throws(GraphFault) {
    let parameters = request.parameters
    guard let userCode = parameters["user_code"] else {
      throw GraphFault.parameterRequired("user_code").invented
    }
    let found = devices.first {
      $0.value.userCode == userCode.uppercased() && $0.value.state == .pending
        && !$0.value.isOver(at: now)
    }
    guard let (code, device) = found else {
      throw GraphFault.parameterMalformed("user_code", "the code of a device that waits").invented
    }
    switch parameters["action"] ?? "approve" {
    case "approve":
      let user = try loginUser(parameters["user"])
      let declined = Set(Self.names(parameters["declined"]))
      grant(
        ["public_profile"] + device.scopes.filter { !declined.contains($0) },
        to: user,
        includingDeclined: true
      )
      for name in device.scopes where declined.contains(name) {
        set(name, to: .declined, for: user)
      }
      devices[code]?.state = .approved(user: user)
    case "decline": devices[code]?.state = .declined
    default: throw GraphFault.parameterMalformed("action", "approve or decline").invented
    }
  }

  /// `POST sandbox/permissions` with `permission`, `status`, and, if wished, `user`.
  private mutating func decidePermission(_ request: GraphRequest) throws(GraphFault) {
    let user = try loginUser(request.parameters["user"])
    guard let name = request.parameters["permission"], !name.isEmpty else {
      throw GraphFault.parameterRequired("permission").invented
    }
    guard let status = Permission.Status(rawValue: request.parameters["status"] ?? "granted") else {
      throw GraphFault.parameterMalformed("status", "granted, declined or expired").invented
    }
    set(name.excerpt, to: status, for: user)
  }

  private mutating func set(_ name: String, to status: Permission.Status, for user: String) {
    guard let index = permissions[user]?.firstIndex(where: { $0.name == name }) else {
      guard permissions[user, default: []].count < 1_000 else { return }
      permissions[user, default: []].append(Permission(name: name, status: status))
      return
    }
    permissions[user]?[index].status = status
  }
}
