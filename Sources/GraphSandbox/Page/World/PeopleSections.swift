/// The sections that users decide about: devices, permissions, tokens.
struct PeopleSections {
  let page: Page

  private var world: World { page.world }

  var devices: HTML? {
    let waiting = world.logins.waitingDevices(at: world.now).prefix(20)
    guard !waiting.isEmpty else { return nil }
    return page.section(
      "Waiting devices", id: "devices", class: "waiting", waiting.map(form))
  }

  /// What a user sees who logs a device in: the device's form, or else the field for its code.
  func entry(of code: String) -> HTML {
    let device = world.logins.waitingDevices(at: world.now).first {
      $0.userCode == code.uppercased()
    }
    let field: HTML.Attributes = [
      "name": "user_code", "aria-label": "Code", "placeholder": "code", "required": "",
      "autocomplete": "off",
    ]
    let entry: [HTML] = [
      .tag(
        "p",
        .text(
          code.isEmpty
            ? "Enter the code that the device shows."
            : "No device waits with the code \(code): it is decided, or wrong.")),
      .tag(
        "form", at: ["action": PageRequest.devicePath, "class": "line"], .tag("input", at: field),
        .tag("button", "Continue")),
    ]
    return page.section(
      "Log a device in", id: "devices", class: "waiting", device.map { [form(of: $0)] } ?? entry)
  }

  private func form(of device: DeviceLogin) -> HTML {
    page.form(
      "trigger", [("user_code", device.userCode), ("granted", "")],
      .tag(
        "p", .tag("strong", class: "code", .text(device.userCode)),
        .small("\(device.secondsLeft(at: world.now)) s left")),
      .tag(
        "fieldset", at: ["aria-label": "Permissions for \(device.userCode)"],
        holding: [.tag("p", at: ["class": "scopes"], holding: device.scopes.map(scope))]),
      .tag(
        "p",
        .tag(
          "select", at: ["name": "user", "aria-label": "User who decides"],
          holding: shownUsers.map { .tag("option", at: ["value": $0], .text(page.name(of: $0))) }),
        .tag(
          "span", class: "buttons",
          page.button("Approve", "event", "device_approved", class: "primary"),
          page.button("Decline", "event", "device_declined"))))
  }

  private func scope(_ name: String) -> HTML {
    let box: HTML.Attributes = [
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
    return page.section(
      "Permissions", id: "permissions", note: "what users have granted",
      shownUsers.flatMap { user -> [HTML] in
        [
          .tag("h3", .text(page.name(of: user)), .small(user)),
          .tag(
            "ul", at: ["class": "rows"],
            holding: (world.access.permissions[user] ?? []).map { row($0, of: user) }),
          permissionForm(for: user),
        ]
      })
  }

  private func row(_ permission: Permission, of user: String) -> HTML {
    let isGranted = permission.status == .granted
    return .tag(
      "li", at: ["id": "permission-\(user)-\(permission.name)"],
      .tag("span", class: "what", .code(permission.name)),
      badge(permission.status.rawValue, isGood: isGranted),
      page.form(
        "trigger", [("permission", permission.name), ("user", user)],
        page.button(
          isGranted ? "Decline" : "Grant", "event",
          isGranted ? "permission_declined" : "permission_granted",
          label: "\(isGranted ? "Decline" : "Grant") \(permission.name)")))
  }

  private func permissionForm(for user: String) -> HTML {
    let field: HTML.Attributes = [
      "name": "permission", "aria-label": "Another permission of \(page.name(of: user))",
      "placeholder": "another permission", "required": "", "autocomplete": "off",
      "pattern": "[a-z0-9_]+",
    ]
    return page.form(
      "trigger", [("user", user)], class: "line", .tag("input", at: field),
      page.button("Grant", "event", "permission_granted"))
  }

  /// The named tokens, then the others; the page shows none of their texts.
  var tokens: HTML {
    page.section(
      "Tokens", id: "tokens", note: "shown only when copied",
      [.tag("ul", at: ["class": "rows"], holding: listedTokens.prefix(40).map(row))])
  }

  private var listedTokens: [(token: String, grant: AccessGrant)] {
    let named = world.access.namedTokens.compactMap { _, token in
      world.access.grants[token].map { (token: token, grant: $0) }
    }
    let names = Set(named.map(\.token))
    let others = world.access.grants.filter { !names.contains($0.key) }
      .map { (token: $0.key, grant: $0.value) }
      .sorted {
        ($0.grant.kind.rawValue, $0.grant.profile, $0.token)
          < ($1.grant.kind.rawValue, $1.grant.profile, $1.token)
      }
    return named + others
  }

  private func row(_ token: String, _ grant: AccessGrant) -> HTML {
    let handle = AccessTable.handle(of: token)
    let name = page.name(ofToken: token)
    let isExpired = grant.state == .valid && grant.expires.map { $0 <= world.now } ?? false
    let isValid = grant.state == .valid && !isExpired
    let state = isExpired ? TokenState.expired : grant.state
    let end = grant.expires.map { " · until \(GraphTime.day($0))" } ?? ""
    let kind = "\(page.name(of: grant.profile)) · \(grant.kind.rawValue.lowercased())\(end)"
    return .tag(
      "li", at: ["id": "token-\(handle)"],
      .tag("span", class: "what", .text(name), .small(kind)),
      badge(state.rawValue.replacing("_", with: " "), isGood: isValid),
      page.form(
        "token", [("token", handle)], class: "buttons",
        copyButton("Copy", "token", "Copy the token \(name)"),
        copyButton("Export", "export", "Copy export lines with the token \(name)")),
      page.form(
        "trigger", [("token", handle)],
        page.button(
          isValid ? "Expire" : "Restore", "event", isValid ? "token_expired" : "token_restored",
          label: "\(isValid ? "Expire" : "Restore") \(name)")))
  }

  private func copyButton(_ text: String, _ what: String, _ label: String) -> HTML {
    .tag(
      "button", at: ["name": "as", "value": what, "aria-label": label, "data-copied": ""],
      .text(text))
  }

  private func badge(_ text: String, isGood: Bool) -> HTML {
    .tag("span", class: isGood ? "badge good" : "badge bad", .text(text))
  }
}
