/// The sections about time, kept worlds and faults.
struct ControlSections {
  let page: Page

  private var world: World { page.world }

  // MARK: - Time and state

  var clock: HTML {
    let time = GraphTime.text(world.now)
    let shown = "\(GraphTime.day(world.now)) \(GraphTime.clock(world.now)) UTC"
    let steps = [("1 minute", "1m"), ("1 hour", "1h"), ("1 day", "1d")].map { text, value in
      page.button("+ \(text)", "by", value)
    }
    let length: HTML.Attributes = [
      "name": "by", "aria-label": "Length of time", "placeholder": "90s, 15m, 2h, 30d",
      "required": "", "autocomplete": "off", "pattern": "[0-9]+[smhd]?",
    ]
    return page.section(
      "Clock and state", id: "clock",
      [
        .tag(
          "p", class: "clock", .tag("time", at: ["id": "now", "datetime": time], .text(shown))),
        page.form("advance", [], .tag("span", at: ["class": "buttons"], holding: steps)),
        page.form(
          "advance", [], class: "line", .tag("input", at: length), .tag("button", "Advance")),
        .tag("h3", "Kept worlds"),
        .tag("ul", at: ["class": "rows"], holding: page.state.kept.enumerated().map(row)),
        page.form(
          "snapshot", [], class: "line",
          .tag(
            "input",
            at: [
              "name": "name", "aria-label": "Name of the kept world", "required": "",
              "placeholder": "name", "autocomplete": "off", "maxlength": "60",
            ]), .tag("button", "Keep this world")),
        .tag(
          "div", class: "buttons",
          page.form(
            "snapshot", [], .tag("button", at: ["data-plain": ""], "Download as a snapshot")),
          page.form("reset", [], .tag("button", "Reset to the start"))),
      ])
  }

  private func row(_ index: Int, _ kept: (name: String, world: World)) -> HTML {
    .tag(
      "li", at: ["id": "kept-\(index)"],
      .tag(
        "span", class: "what", .text(kept.name),
        .small("\(GraphTime.day(kept.world.now)) \(GraphTime.clock(kept.world.now))")),
      page.form(
        "restore", [("name", kept.name)],
        .tag("button", at: ["aria-label": "Restore \(kept.name)"], "Restore")))
  }

  // MARK: - Faults

  /// The faults that are on, so that nobody forgets them.
  var activeFaults: HTML? {
    let active = world.faults.listed.filter(\.isOn)
    guard !active.isEmpty else { return nil }
    return page.section(
      "Faults are on", id: "active-faults", class: "warning",
      [
        .tag("ul", at: ["class": "rows"], holding: active.map { row($0, prefix: "active") })
      ])
  }

  var faults: HTML {
    page.section(
      "Faults", id: "faults", note: "while on, for every call",
      [
        .tag(
          "ul", at: ["class": "rows"],
          holding: world.faults.listed.map { row($0, prefix: "fault") })
      ])
  }

  private func row(
    _ fault: (name: String, summary: String, isOn: Bool), prefix: String
  ) -> HTML {
    .tag(
      "li", at: ["id": "\(prefix)-\(fault.name)"],
      .tag("span", class: "what", .code(fault.name), .small(fault.summary)),
      page.form(
        "faults", [("name", fault.name)],
        .tag(
          "button",
          at: [
            "name": "on", "value": "\(!fault.isOn)", "role": "switch",
            "aria-checked": "\(fault.isOn)", "aria-label": "Fault \(fault.name)",
            "class": fault.isOn ? "switch on" : "switch",
          ], .text(fault.isOn ? "on" : "off"))))
  }
}
