/// The last calls, newest first, and the one that is open.
struct CallList {
  let page: Page

  /// How many of the last calls are searched.
  private static let searched = 1_000
  /// How many operations of a batch are listed unless it is open.
  private static let operations = 5

  var html: HTML {
    let calls = page.state.log.last(Self.searched)
    let found = calls.filter(isFound)
    let shown = found.prefix(page.view.isLong ? Self.searched : 50)
    var parts = [filter, summary(calls.count, found.count)]
    if let number = page.view.call, !shown.contains(where: { $0.number == number }) {
      parts.append(apart(number))
    }
    parts.append(.tag("ol", at: ["class": "calls"], holding: shown.map(entry)))
    if found.count > shown.count {
      parts.append(.link(page.view.with(\.isLong, true), .text("Show all \(found.count)")))
    }
    return page.section("Calls", id: "calls", parts)
  }

  // MARK: - Filter

  private var filter: HTML {
    let names: [PageView.Calls: String] = [
      .all: "all calls", .failed: "that failed", .writes: "that write",
    ]
    let options = PageView.Calls.allCases.map { kind in
      HTML.tag(
        "option",
        at: ["value": kind.rawValue, "selected": kind == page.view.calls ? "" : nil],
        .text(names[kind] ?? ""))
    }
    return .tag(
      "form",
      at: ["class": "line", "method": "get", "action": PageRequest.path, "role": "search"],
      .tag(
        "input",
        at: [
          "type": "search", "name": "q", "value": page.view.search, "id": "search",
          "aria-label": "Search calls", "placeholder": "Search calls", "autocomplete": "off",
        ]),
      .tag("select", at: ["name": "show", "aria-label": "Which calls"], holding: options),
      .tag("button", "Filter"))
  }

  private func summary(_ all: Int, _ found: Int) -> HTML {
    let text =
      all == 0
      ? "None yet. Send a request to \(page.world.origin), or use the line above."
      : found == all ? "Newest first." : "\(found) of the last \(all) calls."
    return .tag("p", class: "dim", .text(text))
  }

  private func isFound(_ call: SandboxCall) -> Bool {
    switch page.view.calls {
    case .all: break
    case .failed: guard call.hasFailure else { return false }
    case .writes: guard call.isBatch ? !call.onlyReads : call.method != "GET" else { return false }
    }
    let words = page.view.search.lowercased().split(separator: " ")
    guard !words.isEmpty else { return true }
    let text = call.searchText.lowercased()
    return words.allSatisfy { text.contains($0) }
  }

  // MARK: - Entries

  /// The open call, if it is not in the list.
  private func apart(_ number: Int) -> HTML {
    guard let call = page.state.exchanges[number]?.call else {
      return .tag("p", .text("Call \(number) is no longer kept."))
    }
    return .tag("ol", at: ["class": "calls"], entry(call))
  }

  private func entry(_ call: SandboxCall) -> HTML {
    let isOpen = page.view.call == call.number
    let line = CallLine(call)
    let head = HTML.link(
      page.view.with(\.call, isOpen ? nil : call.number), id: "call-\(call.number)-link",
      class: "head", isExpanded: isOpen, .tag("span", class: "number", .text("\(call.number)")),
      .tag("span", class: "time", .text(GraphTime.clock(call.time))), line.status, line.method,
      line.address, line.notes)
    return .tag(
      "li", at: ["id": "call-\(call.number)", "class": isOpen ? "call open" : "call"],
      holding: [head] + (isOpen ? [details(of: call)] : operations(of: call)))
  }

  private func details(of call: SandboxCall) -> HTML {
    guard let exchange = page.state.exchanges[call.number] else {
      return .tag(
        "p", class: "dim", "Its bodies are no longer kept; those of the last 200 calls are.")
    }
    return CallDetails(page: page, exchange: exchange).html
  }

  private func operations(of call: SandboxCall) -> [HTML] {
    guard call.isBatch, !call.operations.isEmpty else { return [] }
    var lines = call.operations.prefix(Self.operations).enumerated().map { index, operation in
      let line = CallLine(operation, status: operation.code, at: operation.resolvedURL)
      return HTML.tag(
        "li", .tag("span", class: "number", .text("\(index + 1)")), line.status, line.method,
        line.address, line.notes)
    }
    let rest = call.operations.count - lines.count
    if rest > 0 { lines.append(.tag("li", class: "dim", .text("and \(rest) more"))) }
    return [.tag("ol", at: ["class": "operations"], holding: lines)]
  }
}

/// The parts of a line for a call or an operation.
struct CallLine {
  let status: HTML
  let method: HTML
  let address: HTML
  let notes: HTML

  init(_ call: SandboxCall) {
    guard !call.isBatch, call.operations.count == 1, let operation = call.operations.first else {
      let note = call.operations.isEmpty ? "refused" : "batch of \(call.operations.count)"
      self.init(call.status, call.method, call.path, [note], call.fault)
      return
    }
    let address = call.path + operation.relativeURL.drop { $0 != "?" }
    self.init(operation, status: call.status, at: address, call.fault)
  }

  init(
    _ operation: SandboxCall.Operation, status: Int?, at address: String, _ fault: String? = nil
  ) {
    var notes: [String] = []
    if let name = operation.name { notes.append("‘\(name)’") }
    if operation.isApplied, operation.method != "GET" { notes.append("applied") }
    if let error = operation.error { notes.append("error \(error)") }
    if let note = operation.note, note != SandboxNote.invented.text { notes.append(note) }
    self.init(status, operation.method, address, notes, fault ?? operation.fault)
  }

  private init(
    _ code: Int?, _ method: String, _ address: String, _ notes: [String], _ fault: String?
  ) {
    let style = code.map { $0 < 400 && $0 > 0 ? "status good" : "status bad" } ?? "status dim"
    status = .tag("span", class: style, .text(code.map { "\($0)" } ?? "—"))
    self.method = .tag("span", class: "method", .text(method))
    self.address = .tag("span", class: "address", .text(address))
    self.notes = .tag(
      "span", class: "notes dim", .text(notes.joined(separator: ", ")),
      .tag("em", .text(fault.map { " fault: \($0)" } ?? "")))
  }
}

extension SandboxCall {
  /// Whether the call or one of its operations ended in an error, or was not run.
  fileprivate var hasFailure: Bool {
    status >= 400 || fault != nil
      || operations.contains { $0.fault != nil || $0.error != nil || $0.code ?? 0 >= 400 }
  }

  fileprivate var searchText: String {
    let texts = operations.flatMap { operation in
      [
        operation.name, operation.method, operation.resolvedURL, operation.error, operation.fault,
        operation.note,
      ].compactMap(\.self)
    }
    return ([method, path, "\(status)", fault ?? ""] + texts).joined(separator: " ")
  }
}
