import JSONPath

/// An open call: why it failed, its operations, request and answer, and how to send it again.
struct CallDetails {
  let page: Page
  let exchange: Exchange
  private let mask: TokenMask
  /// nil if the request is not kept whole.
  private let decoded: GraphCall?

  init(page: Page, exchange: Exchange) {
    (self.page, self.exchange) = (page, exchange)
    mask = TokenMask(page.world)
    decoded = exchange.decoded(takesLists: page.world.behaviors.takesDependencyLists)
  }

  private var call: SandboxCall { exchange.call }

  var html: HTML {
    .tag(
      "div", at: ["class": "details"],
      holding: reasons + operations + [request, answer] + copies)
  }

  // MARK: - Reasons

  private var reasons: [HTML] {
    let answered = AnsweredOperation(
      json: try? JSON(parsing: exchange.answer.body), headers: exchange.answer.headers)
    let operation = call.isBatch ? nil : call.operations.first
    return boxes(
      CallReasons(page.world).reasons(
        for: answered, operation, fault: call.fault, token: decoded?.token))
  }

  private func boxes(_ reasons: [CallReason]) -> [HTML] {
    reasons.map { reason in
      let cures = reason.cures.map { cure in
        page.form(cure.command, cure.fields, .tag("button", .text(cure.label)))
      }
      return .tag(
        "div", at: ["class": "reason"], holding: [.tag("p", .text(reason.text))] + cures)
    }
  }

  // MARK: - Operations

  private var operations: [HTML] {
    guard call.isBatch, !call.operations.isEmpty else { return [] }
    let answers = PartialJSON.elements(of: exchange.answer.body)
    let entries = call.operations.enumerated().map { index, operation in
      entry(index, operation, answers.indices.contains(index) ? answers[index] : nil)
    }
    return [
      .tag("h3", "Operations, references filled in"),
      .tag("ol", at: ["class": "operations full"], holding: entries),
    ]
  }

  private func entry(_ index: Int, _ operation: SandboxCall.Operation, _ item: JSON?) -> HTML {
    let answered = AnsweredOperation(item: item)
    let line = CallLine(operation, status: operation.code, at: operation.resolvedURL)
    var parts: [HTML] = [
      .tag(
        "p", class: "head", .tag("span", class: "number", .text("\(index + 1)")), line.status,
        line.method, line.address, line.notes)
    ]
    let (sent, body) = (batchItem(at: index), operation.resolvedBody)
    if operation.resolvedURL != operation.relativeURL {
      parts.append(fact("sent as", operation.relativeURL))
    }
    if let body = body ?? sent.flatMap(body(of:)) { parts.append(fact("body", mask.text(body))) }
    if let names = operation.dependsOn { parts.append(fact("depends on", names)) }
    parts += boxes(
      CallReasons(page.world).reasons(
        for: answered, operation, fault: operation.fault == nil ? nil : call.fault,
        token: sent?.parameters["access_token"] ?? sent?.tokenField ?? decoded?.token))
    if let json = answered.json {
      let label = "Answer to operation \(index + 1)"
      parts.append(folded("Answer", block(json, label: label), isOpen: answered.error != nil))
    } else if item?.isNull == true {
      parts.append(.tag("p", class: "dim", .text(nullNote(operation))))
    }
    return .tag("li", at: ["id": "operation-\(call.number)-\(index + 1)"], holding: parts)
  }

  private func nullNote(_ operation: SandboxCall.Operation) -> String {
    operation.code.map { $0 < 400 } ?? false
      ? "Its answer is null, because another operation refers to it."
      : "Its answer is null: it was not run, or did not end in time."
  }

  private func batchItem(at index: Int) -> BatchItem? {
    guard case .batch(let batch)? = decoded?.kind, batch.items.indices.contains(index) else {
      return nil
    }
    return batch.items[index]
  }

  /// The body of an item without references.
  private func body(of item: BatchItem) -> String? {
    let members = item.parameters.members.dropFirst(item.url.query.count)
    return members.isEmpty
      ? nil : LoggedURL.text(version: nil, path: [], query: members).dropFirst().description
  }

  // MARK: - Request and answer

  private var request: HTML {
    let target = mask.text(exchange.request.target)
    let headers = exchange.headers.map { ($0.name, mask.header($0.name, $0.value)) }
    return folded(
      "Request", .tag("p", class: "address", .text("\(exchange.request.method) \(target)")),
      form ?? body(exchange.request.body, isWhole: exchange.isRequestWhole, "Request's body"),
      table(headers), cut(exchange.requestLength, isWhole: exchange.isRequestWhole),
      isOpen: true)
  }

  /// The parameters of a form; nil if the body is none, or is not kept whole.
  private var form: HTML? {
    guard exchange.isRequestWhole, let body = try? RequestBody(exchange.request),
      body.parameters.count > 0
    else { return nil }
    let rows = body.parameters.members.map { name, value in
      let shown = LoggedURL.isSecret(name) ? LoggedURL.mask : mask.text(value)
      let json = name == "batch" ? try? JSON(parsing: value) : nil
      return HTML.tag(
        "tr", .tag("th", at: ["scope": "row"], .text(mask.text(name))),
        .tag("td", json.map { block($0, label: "Batch") } ?? .text(shown)))
    }
    let files = body.files.map { file in
      HTML.tag(
        "tr", .tag("th", at: ["scope": "row"], .text(file.partName)),
        .tag("td", .text("a file of \(file.contents.count) bytes")))
    }
    return .tag("table", .tag("tbody", holding: rows + files))
  }

  private var answer: HTML {
    let headers = exchange.answer.headers.map { ($0.name, mask.header($0.name, $0.value)) }
    return folded(
      "Answer", .tag("p", .text("Status \(exchange.answer.status)")),
      body(exchange.answer.body, isWhole: exchange.isAnswerWhole, "Answer's body"),
      cut(exchange.answerLength, isWhole: exchange.isAnswerWhole), table(headers), isOpen: true)
  }

  private func cut(_ length: Int, isWhole: Bool) -> HTML {
    isWhole
      ? "" : .tag("p", class: "dim", .text("The first 16 KiB of \(length / 1_024) KiB are kept."))
  }

  private func body(_ bytes: [UInt8], isWhole: Bool, _ label: String) -> HTML {
    guard !bytes.isEmpty else { return .tag("p", class: "dim", "Without a body.") }
    if isWhole, let json = try? JSON(parsing: bytes), json.isStructure {
      return block(json, label: label)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return pre(.text(isWhole ? mask.text(text) : mask.beginning(text)), label: label)
  }

  private func block(_ json: JSON, label: String) -> HTML {
    pre(PrettyJSON(world: page.world, view: page.view).html(of: mask.json(json)), label: label)
  }

  private func pre(_ content: HTML, label: String, id: String? = nil) -> HTML {
    .tag(
      "pre", at: ["tabindex": "0", "role": "region", "aria-label": label, "id": id], content)
  }

  private func table(_ headers: [(name: String, value: String)]) -> HTML {
    guard !headers.isEmpty else { return "" }
    let rows = headers.map { name, value in
      HTML.tag("tr", .tag("th", at: ["scope": "row"], .text(name)), .tag("td", .text(value)))
    }
    return .tag("table", at: ["class": "dim"], .tag("tbody", holding: rows))
  }

  private func fact(_ name: String, _ text: String) -> HTML {
    .tag("p", class: "fact", .tag("span", class: "dim", .text(name + " ")), .code(text))
  }

  private func folded(_ title: String, _ parts: HTML..., isOpen: Bool = false) -> HTML {
    .tag(
      "details", at: ["open": isOpen ? "" : nil], holding: [.tag("summary", .text(title))] + parts)
  }

  // MARK: - Copies

  private var copies: [HTML] {
    guard let decoded else { return [] }
    let texts = [
      ("Copy as curl", "curl", CurlText(decoded, exchange.request, page.world.origin, mask).text),
      ("Copy as workflow request", "workflow", WorkflowText(decoded, mask).text),
    ]
    return texts.compactMap { title, name, text in
      guard let text else { return nil }
      let id = "\(name)-\(call.number)"
      return folded(
        title, pre(.text(text), label: title, id: id),
        .tag("button", at: ["type": "button", "class": "js", "data-copy": id], .text("Copy")))
    }
  }
}

extension JSON {
  /// Whether it is an array or an object.
  fileprivate var isStructure: Bool { array != nil || object != nil }
}
