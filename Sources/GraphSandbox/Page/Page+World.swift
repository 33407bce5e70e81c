/// What the world holds, and what was asked of it.
extension Page {
  var limits: HTML? {
    guard !view.limits.isEmpty else { return nil }
    return section(
      "Limits",
      "percent used: calls, processor time, time",
      [
        .tag(
          "table",
          .tag("tbody", holding: view.limits.map(row))
        )
      ]
    )
  }

  private func row(_ limit: PageView.Limit) -> HTML {
    let load = limit.load
    let figures = [load.calls, load.processorTime, load.time].map { "\($0)" }
    return .tag(
      "tr",
      .tag("td", .tag("code", .text(limit.kind)), .tag("small", .text(limit.whose))),
      .tag(
        "td",
        .tag(
          "meter",
          at: [
            "max": "100", "high": "75",
            "optimum": "0",
            "value": "\(min(load.highest, 100))",
          ],
          .text("\(load.highest) %")
        )
      ),
      .tag(
        "td",
        at: ["class": "action"],
        limit.minutesBlocked > 0
          ? .tag("span", at: ["class": "badge bad"], .text("blocked, \(limit.minutesBlocked) min"))
          : .text(figures.joined(separator: " · "))
      )
    )
  }

  var objects: HTML {
    let counts = view.counts.map { type, count in
      HTML.tag("span", at: ["class": "count"], .tag("b", .text("\(count)")), .text(" \(type)"))
    }
    return section(
      "Objects",
      "",
      [.tag("p", at: ["class": "counts"], holding: counts)] + view.profiles.map(profile)
    )
  }

  private func profile(_ profile: PageView.Profile) -> HTML {
    let posts = profile.posts.map { post in
      HTML.tag(
        "li",
        .tag("span", at: ["class": "message"], .text(post.text.isEmpty ? "—" : post.text)),
        .tag(
          "small",
          .text("\(post.id) · \(post.likes) likes · \(post.comments) comments")
        )
      )
    }
    let rest = profile.postCount - profile.posts.count
    return .tag(
      "article",
      holding: [
        .tag(
          "h3",
          .text(profile.name),
          .tag("small", .text("\(profile.type) \(profile.id)"))
        ),
        .tag("ul", holding: posts),
      ] + (rest > 0 ? [.tag("small", .text("and \(rest) older"))] : [])
    )
  }

  var calls: HTML {
    section(
      "Last calls",
      view.calls.isEmpty ? "none yet" : "newest first",
      class: "calls",
      [.tag("table", .tag("tbody", holding: view.calls.flatMap(rows)))]
    )
  }

  private func rows(_ call: SandboxCall) -> [HTML] {
    let head = [
      HTML.tag("td", at: ["class": "number"], .text("\(call.number)")),
      .tag("td", at: ["class": "dim"], .text(clock(call.time))),
    ]
    guard !call.isBatch, call.operations.count == 1, let operation = call.operations.first else {
      let note = call.operations.isEmpty ? "refused" : "batch of \(call.operations.count)"
      let rest = cells(call.status, call.method, call.path, [note], call.fault)
      return [.tag("tr", at: ["class": "call"], holding: head + rest)]
        + call.operations.enumerated().map { index, operation in
          .tag(
            "tr",
            holding: [.tag("td"), .tag("td", at: ["class": "number dim"], .text("\(index + 1)"))]
              + cells(of: operation, operation.code, at: operation.resolvedURL, operation.fault)
          )
        }
    }
    let address = call.path + operation.relativeURL.drop { $0 != "?" }
    let fault = call.fault ?? operation.fault
    let rest = cells(of: operation, call.status, at: address, fault)
    return [.tag("tr", at: ["class": "call"], holding: head + rest)]
  }

  private func cells(
    of operation: SandboxCall.Operation,
    _ status: Int?,
    at address: String,
    _ fault: String?
  ) -> [HTML] {
    var notes: [String] = []
    if let name = operation.name { notes.append("‘\(name)’") }
    if operation.isApplied, operation.method != "GET" { notes.append("applied") }
    if let error = operation.error { notes.append("error \(error)") }
    return cells(status, operation.method, address, notes, fault)
  }

  private func cells(
    _ status: Int?,
    _ method: String,
    _ address: String,
    _ notes: [String],
    _ fault: String?
  ) -> [HTML] {
    let style = status.map { $0 < 400 ? "good" : "bad" } ?? "dim"
    return [
      .tag("td", at: ["class": style], .text(status.map { "\($0)" } ?? "—")),
      .tag("td", .text(method)),
      .tag("td", at: ["class": "address"], .text(address)),
      .tag(
        "td",
        at: ["class": "dim"],
        .text(notes.joined(separator: ", ")),
        .tag("em", .text(fault.map { " \($0)" } ?? ""))
      ),
    ]
  }
}
