/// What people of the world decide: devices, permissions, tokens.
extension Page {
  var devices: HTML? {
    guard !view.devices.isEmpty else { return nil }
    let waiting = view.devices.map { device in
      form(
        "device",
        [("user_code", device.userCode)],
        [
          .tag(
            "p",
            .tag("strong", at: ["class": "code"], .text(device.userCode)),
            .tag("small", .text("\(device.secondsLeft) s left"))
          ),
          .tag("p", at: ["class": "scopes"], holding: device.scopes.map(scope)),
          .tag("p", userChoice, decision),
        ]
      )
    }
    return section("Devices that wait", class: "waiting", waiting)
  }

  private var decision: HTML {
    .tag(
      "span",
      at: ["class": "buttons"],
      button("Approve", "action", "approve", class: "primary"),
      button("Decline", "action", "decline")
    )
  }

  private func scope(_ name: String) -> HTML {
    .tag(
      "label",
      .tag(
        "input",
        at: [
          "type": "checkbox", "name": "scope",
          "value": name, "checked": "",
        ]
      ),
      .text(name)
    )
  }

  private var userChoice: HTML {
    .tag(
      "select",
      at: ["name": "user", "aria-label": "user"],
      holding: view.people.map { person in
        .tag("option", at: ["value": person.id], .text(person.name))
      }
    )
  }

  var people: HTML? {
    guard !view.people.isEmpty else { return nil }
    return section(
      "Permissions",
      "what people answer the application",
      view.people.flatMap { person in
        [.tag("h3", .text(person.name), .tag("small", .text(person.id)))]
          + [
            .tag("table", .tag("tbody", holding: person.permissions.map { row($0, of: person) })),
            asking(person),
          ]
      }
    )
  }

  private func row(_ permission: Permission, of person: PageView.Person) -> HTML {
    let isGranted = permission.status == .granted
    return .tag(
      "tr",
      .tag("td", .tag("code", .text(permission.name))),
      .tag("td", badge(permission.status.rawValue, isGood: isGranted)),
      .tag(
        "td",
        at: ["class": "action"],
        form(
          "permission",
          [("permission", permission.name), ("user", person.id)],
          [
            isGranted
              ? button("Decline", "status", "declined") : button("Grant", "status", "granted")
          ]
        )
      )
    )
  }

  private func asking(_ person: PageView.Person) -> HTML {
    form(
      "permission",
      [("user", person.id)],
      [
        .tag(
          "p",
          at: ["class": "asking"],
          .tag(
            "input",
            at: [
              "name": "permission",
              "aria-label": "another permission",
              "placeholder": "another permission",
              "required": "", "autocomplete": "off",
              "pattern": "[a-z0-9_]+",
            ]
          ),
          button("Grant", "status", "granted")
        )
      ]
    )
  }

  var tokens: HTML {
    section(
      "Tokens",
      "",
      [
        .tag(
          "table",
          .tag("tbody", holding: view.tokens.map(row))
        )
      ]
    )
  }

  private func row(_ token: PageView.Token) -> HTML {
    .tag(
      "tr",
      .tag(
        "td",
        .text(token.name),
        .tag("small", .text(token.kind + (token.expires.map { " · until \(day($0))" } ?? "")))
      ),
      .tag("td", badge(token.state.replacing("_", with: " "), isGood: token.isValid)),
      .tag(
        "td",
        at: ["class": "action"],
        form(
          "token",
          [("token", token.handle)],
          [
            token.isValid
              ? button("Expire", "state", "expired") : button("Restore", "state", "valid")
          ]
        )
      )
    )
  }

  private func badge(_ text: String, isGood: Bool) -> HTML {
    .tag("span", at: ["class": isGood ? "badge good" : "badge bad"], .text(text))
  }

  private func day(_ seconds: Int) -> String {
    String(GraphTime.text(seconds).utf8.prefix(10)) ?? ""
  }
}
