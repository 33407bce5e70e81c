/// What people of the world decide: devices, permissions, tokens.
extension Page {
  var devices: HTML? {
    let waiting = world.waitingDevices.prefix(20)
    guard !waiting.isEmpty else { return nil }
    return section("Devices that wait", class: "waiting", waiting.map(form))
  }

  private func form(of device: DeviceLogin) -> HTML {
    form(
      "device",
      [("user_code", device.userCode)],
      .tag(
        "p",
        .tag("strong", class: "code", .text(device.userCode)),
        .small("\(device.secondsLeft(at: world.now)) s left")
      ),
      .tag("p", at: ["class": "scopes"], holding: device.scopes.map(scope)),
      .tag(
        "p",
        .tag(
          "select",
          at: ["name": "user", "aria-label": "user"],
          holding: shownPeople.map { .tag("option", at: ["value": $0], .text(name(of: $0))) }
        ),
        .tag(
          "span",
          class: "buttons",
          button("Approve", "action", "approve", class: "primary"),
          button("Decline", "action", "decline")
        )
      )
    )
  }

  private func scope(_ name: String) -> HTML {
    let box: KeyValuePairs<StaticString, String> = [
      "type": "checkbox", "name": "scope", "value": name, "checked": "",
    ]
    return .tag("label", .tag("input", at: box), .text(name))
  }

  /// Who was asked for permissions, and who may be when somebody logs in.
  private var shownPeople: ArraySlice<String> {
    world.permissions.keys
      .filter { world.permissions[$0]?.isEmpty == false || $0 == world.standardUser }
      .sorted().prefix(20)
  }

  var people: HTML? {
    guard !shownPeople.isEmpty else { return nil }
    return section(
      "Permissions",
      note: "what people answer the application",
      shownPeople.flatMap { person -> [HTML] in
        [
          .tag("h3", .text(name(of: person)), .small(person)),
          .table((world.permissions[person] ?? []).map { row($0, of: person) }),
          asking(person),
        ]
      }
    )
  }

  private func row(_ permission: Permission, of person: String) -> HTML {
    let isGranted = permission.status == .granted
    return .tag(
      "tr",
      .tag("td", .tag("code", .text(permission.name))),
      .tag("td", badge(permission.status.rawValue, isGood: isGranted)),
      .tag(
        "td",
        class: "action",
        form(
          "permission",
          [("permission", permission.name), ("user", person)],
          isGranted ? button("Decline", "status", "declined") : button("Grant", "status", "granted")
        )
      )
    )
  }

  private func asking(_ person: String) -> HTML {
    let field: KeyValuePairs<StaticString, String> = [
      "name": "permission", "aria-label": "another permission",
      "placeholder": "another permission", "required": "", "autocomplete": "off",
      "pattern": "[a-z0-9_]+",
    ]
    return form(
      "permission",
      [("user", person)],
      .tag("p", class: "asking", .tag("input", at: field), button("Grant", "status", "granted"))
    )
  }

  /// The tokens that have names, then the others; each told by something else than itself.
  var tokens: HTML {
    let named = world.namedTokens.compactMap { name, token in
      world.grants[token].map { (name: name, token: token, grant: $0) }
    }
    let names = Set(named.map(\.token))
    let others = world.grants.filter { !names.contains($0.key) }
      .map { (name: "", token: $0.key, grant: $0.value) }
      .sorted {
        ($0.grant.kind.rawValue, $0.grant.profile, $0.token)
          < ($1.grant.kind.rawValue, $1.grant.profile, $1.token)
      }
    return section("Tokens", [.table((named + others).prefix(40).map(row))])
  }

  private func row(_ name: String, _ token: String, _ grant: AccessGrant) -> HTML {
    let whose = self.name(of: grant.profile)
    let isFinished = grant.state == .valid && grant.expires.map { $0 <= world.now } ?? false
    let isValid = grant.state == .valid && !isFinished
    let state = isFinished ? TokenState.expired : grant.state
    let end = grant.expires.map { " · until \(GraphTime.day($0))" } ?? ""
    return .tag(
      "tr",
      .tag(
        "td",
        .text(name.isEmpty ? whose : "\(name) · \(whose)"),
        .small(grant.kind.rawValue.lowercased() + end)
      ),
      .tag("td", badge(state.rawValue.replacing("_", with: " "), isGood: isValid)),
      .tag(
        "td",
        class: "action",
        form(
          "token",
          [("token", World.handle(of: token))],
          isValid ? button("Expire", "state", "expired") : button("Restore", "state", "valid")
        )
      )
    )
  }

  private func badge(_ text: String, isGood: Bool) -> HTML {
    .tag("span", class: isGood ? "badge good" : "badge bad", .text(text))
  }
}
