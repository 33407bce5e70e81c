/// The sections that users decide about: devices, permissions, tokens.
extension Page {
  var devices: HTML? {
    let waiting = world.logins.waitingDevices(at: world.now).prefix(20)
    guard !waiting.isEmpty else { return nil }
    return section("Waiting devices", class: "waiting", waiting.map(form))
  }

  private func form(of device: DeviceLogin) -> HTML {
    form(
      "trigger", [("user_code", device.userCode), ("granted", "")],
      .tag(
        "p", .tag("strong", class: "code", .text(device.userCode)),
        .small("\(device.secondsLeft(at: world.now)) s left")),
      .tag(
        "fieldset", at: ["aria-label": "permissions"],
        holding: [.tag("p", at: ["class": "scopes"], holding: device.scopes.map(scope))]),
      .tag(
        "p",
        .tag(
          "select", at: ["name": "user", "aria-label": "user"],
          holding: shownUsers.map { .tag("option", at: ["value": $0], .text(name(of: $0))) }),
        .tag(
          "span", class: "buttons", button("Approve", "event", "device_approved", class: "primary"),
          button("Decline", "event", "device_declined"))))
  }

  private func scope(_ name: String) -> HTML {
    let box: KeyValuePairs<StaticString, String> = [
      "type": "checkbox", "name": "granted", "value": name, "checked": "",
    ]
    return .tag("label", .tag("input", at: box), .text(name))
  }

  /// The users with permissions, and the user who logs in by default.
  private var shownUsers: ArraySlice<String> {
    world.access.permissions.keys
      .filter { world.access.permissions[$0]?.isEmpty == false || $0 == world.access.standardUser }
      .sorted().prefix(20)
  }

  var permissions: HTML? {
    guard !shownUsers.isEmpty else { return nil }
    return section(
      "Permissions", note: "the users' answers to the application",
      shownUsers.flatMap { user -> [HTML] in
        [
          .tag("h3", .text(name(of: user)), .small(user)),
          .table((world.access.permissions[user] ?? []).map { row($0, of: user) }),
          permissionForm(for: user),
        ]
      })
  }

  private func row(_ permission: Permission, of user: String) -> HTML {
    let isGranted = permission.status == .granted
    return .tag(
      "tr", .tag("td", .tag("code", .text(permission.name))),
      .tag("td", badge(permission.status.rawValue, isGood: isGranted)),
      .tag(
        "td", class: "action",
        form(
          "trigger", [("permission", permission.name), ("user", user)],
          isGranted
            ? button("Decline", "event", "permission_declined")
            : button("Grant", "event", "permission_granted"))))
  }

  private func permissionForm(for user: String) -> HTML {
    let field: KeyValuePairs<StaticString, String> = [
      "name": "permission", "aria-label": "another permission",
      "placeholder": "another permission", "required": "", "autocomplete": "off",
      "pattern": "[a-z0-9_]+",
    ]
    return form(
      "trigger", [("user", user)],
      .tag(
        "p", class: "asking", .tag("input", at: field),
        button("Grant", "event", "permission_granted")))
  }

  /// The named tokens, then the others; the page shows none of their texts.
  var tokens: HTML {
    let named = world.access.namedTokens.compactMap { name, token in
      world.access.grants[token].map { (name: name, token: token, grant: $0) }
    }
    let names = Set(named.map(\.token))
    let others = world.access.grants.filter { !names.contains($0.key) }
      .map { (name: "", token: $0.key, grant: $0.value) }
      .sorted {
        ($0.grant.kind.rawValue, $0.grant.profile, $0.token)
          < ($1.grant.kind.rawValue, $1.grant.profile, $1.token)
      }
    return section("Tokens", [.table((named + others).prefix(40).map(row))])
  }

  private func row(_ name: String, _ token: String, _ grant: AccessGrant) -> HTML {
    let profile = self.name(of: grant.profile)
    let isExpired = grant.state == .valid && grant.expires.map { $0 <= world.now } ?? false
    let isValid = grant.state == .valid && !isExpired
    let state = isExpired ? TokenState.expired : grant.state
    let end = grant.expires.map { " · until \(GraphTime.day($0))" } ?? ""
    return .tag(
      "tr",
      .tag(
        "td", .text(name.isEmpty ? profile : "\(name) · \(profile)"),
        .small(grant.kind.rawValue.lowercased() + end)),
      .tag("td", badge(state.rawValue.replacing("_", with: " "), isGood: isValid)),
      .tag(
        "td", class: "action",
        form(
          "trigger", [("token", AccessTable.handle(of: token))],
          isValid
            ? button("Expire", "event", "token_expired")
            : button("Restore", "event", "token_restored"))))
  }

  private func badge(_ text: String, isGood: Bool) -> HTML {
    .tag("span", class: isGood ? "badge good" : "badge bad", .text(text))
  }
}
