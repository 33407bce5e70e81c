import JSONPath

/// Something that happens in a world apart from its calls: its people decide, its tokens end.
enum WorldEvent: Hashable, Sendable {
  /// A token is in this state from now on; it has a name, a text, or the handle of the page.
  case token(String, TokenState)
  /// A user, by default the one who logs in, decides about a permission.
  case permission(String, Permission.Status, user: String?)
  /// A user approves a device, with all permissions or only those granted, or declines it.
  case device(code: String, approves: Bool, granted: [String]?, user: String?)
  /// Something changes that webhooks are about.
  case webhook(WebhookChange)
}

extension WorldEvent {
  /// The names of all events.
  static let names =
    TokenState.allCases.map { "token_" + ($0 == .valid ? "restored" : $0.rawValue) }
    + Permission.Status.allCases.map { "permission_" + $0.rawValue }
    + ["device_approved", "device_declined", "webhook"]

  /// Reads an event by its name.
  init(_ fields: ControlFields) throws(ControlFailure) {
    let hint = "the events are: \(Self.names.joined(separator: ", "))"
    let name = try fields.required("event", hint: hint)
    guard Self.names.contains(name) else {
      throw ControlFailure("there is no event '\(name.excerpt)'", hint: hint)
    }
    let dash = name.firstIndex(of: "_") ?? name.endIndex
    let state = String(name[dash...].dropFirst())
    switch name[..<dash] {
    case "webhook": self = .webhook(try WebhookChange(fields))
    case "token":
      try fields.check(["event", "token"])
      let token = try fields.text("token") ?? "default"
      self = .token(token, state == "restored" ? .valid : TokenState(rawValue: state) ?? .valid)
    case "permission":
      try fields.check(["event", "permission", "user"])
      self = .permission(
        try fields.required("permission", hint: "name one, such as pages_show_list"),
        Permission.Status(rawValue: state) ?? .granted, user: try fields.text("user"))
    default:
      try fields.check(["event", "user_code", "granted", "user"])
      self = .device(
        code: try fields.required("user_code", hint: "GET /sandbox/devices lists those that wait"),
        approves: state == "approved", granted: try fields.list("granted"),
        user: try fields.text("user"))
    }
  }
}

extension World {
  /// Makes an event happen.
  mutating func perform(_ event: WorldEvent) throws(ControlFailure) {
    let permissions = access.permissions
    defer { notifyOfDecisions(since: permissions) }
    switch event {
    case .webhook(let change):
      guard webhooks.notify([change], objects, access, isTest: true) else {
        throw ControlFailure(
          "nobody has subscribed to the field '\(change.field)' of '\(change.object)'",
          hint: "POST {application}/subscriptions, or start with --forward-webhooks URL")
      }
    case .token(let name, let state):
      guard let token = access.token(named: name) else {
        let names = access.namedTokens.map(\.name).joined(separator: ", ")
        throw ControlFailure("there is no such token", hint: "the named ones are: \(names)")
      }
      access.setToken(token, to: state, at: now)
    case .permission(_, _, let user?), .device(_, _, _, let user?):
      guard access.permissions[user] != nil else {
        throw ControlFailure("there is no user '\(user.excerpt)'", hint: "name a user by the id")
      }
      fallthrough
    case .permission, .device:
      do throws(GraphFault) {
        try decide(event)
      } catch {
        throw ControlFailure(error.message)
      }
    }
  }

  /// What a user decides.
  private mutating func decide(_ event: WorldEvent) throws(GraphFault) {
    switch event {
    case .token, .webhook: break
    case .permission(let name, let status, let user):
      try access.decide(name, status.rawValue, user: user)
    case .device(let code, let approves, let granted, let user):
      let asked = logins.devices.values.first { $0.userCode == code }?.scopes ?? []
      let declined = granted.map { granted in asked.filter { !granted.contains($0) } }
      try logins.decideDevice(
        code, approves ? "approve" : "decline", declined: declined ?? [], user: user, &access,
        at: now)
    }
  }
}

extension WebhookChange {
  /// Reads the values of the event `webhook`.
  fileprivate init(_ fields: ControlFields) throws(ControlFailure) {
    try fields.check(["event", "object", "field", "id", "value"])
    let hint = #"send {"event": "webhook", "object": "page", "field": "leadgen", "id": …}"#
    self.init(
      object: try fields.required("object", hint: hint), id: try fields.required("id", hint: hint),
      field: try fields.required("field", hint: hint), value: fields.json?["value"] ?? [:])
  }
}
