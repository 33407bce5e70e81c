import GraphAPI
import JSONPath

/// The sources of placeholder values at one point of a run.
///
/// It is copied for each item, so most of it is in boxes.
struct Bindings {
  private let shared: Box<Shared>
  private var rare: Box<Rare>
  var item: Item?
  /// Whether a secret becomes `***` rather than a failure: outputs are shown, not sent.
  var masksSecrets = false

  private struct Shared: Sendable {
    let inputs: InputValues
    let run: RunIdentity
    let bodies: Bodies
    let secrets: SecretMask
  }

  /// What most bindings do not have.
  private struct Rare: Sendable {
    static let none = Box(Rare())
    var row: JSON?
    var leftToGraph: Set<Int> = []
    var isUnknown: [Bool] = []
  }

  /// The row of an answer that an output shows.
  var row: JSON? {
    get { rare.value.row }
    set { rare = rare.changed { $0.row = newValue } }
  }
  /// For each request, whether its result is not known yet: a reference to it stays as it is
  /// written, between null characters.
  var isUnknown: [Bool] {
    get { rare.value.isUnknown }
    set { rare = rare.changed { $0.isUnknown = newValue } }
  }
  /// The instances of the same batch, whose results Graph fills in.
  private var leftToGraph: Set<Int> { rare.value.leftToGraph }
  var inputs: InputValues { shared.value.inputs }
  /// The bodies of finished instances that something refers to.
  private var bodies: Bodies { shared.value.bodies }
  /// The secrets of the run: an answer may repeat one under any name.
  private var secrets: SecretMask { shared.value.secrets }

  init(
    inputs: InputValues, run: RunIdentity, bodies: Bodies, item: Item? = nil,
    leftToGraph: Set<Int> = [], secrets: SecretMask = .empty
  ) {
    shared = Box(Shared(inputs: inputs, run: run, bodies: bodies, secrets: secrets))
    self.item = item
    rare = leftToGraph.isEmpty ? Rare.none : Box(Rare(leftToGraph: leftToGraph))
  }

  /// The result of filling a placeholder.
  enum Filling {
    case value(JSON)
    /// The values of a query that can select several, in order.
    case values([JSON])
    /// The reference in Graph's own syntax.
    case left(String)
  }

  /// Fills a placeholder, anywhere except in `token`; the value is not changed.
  ///
  /// A value is a secret because of its origin, not because of its form: a person's text that
  /// resembles a token is text (docs/reference/language.md, "Secrets").
  func filling(of placeholder: Placeholder) throws(Failure) -> Filling {
    let filling = try value(of: placeholder)
    if !isUnknown.isEmpty, filling.data?.utf8.contains(0) == true { throw .marked(placeholder) }
    return filling
  }

  private func value(of placeholder: Placeholder) throws(Failure) -> Filling {
    if let text = itemText(of: placeholder) { return .value(.string(text)) }
    switch placeholder.kind {
    case .input(let name):
      let value = try input(name, placeholder)
      guard inputs.secretNames.contains(name) || Redaction.hasSecretMember(value) else {
        return .value(value)
      }
      guard masksSecrets else { throw .tainted(placeholder) }
      return .value(shown(value, of: name))
    case .runID: return .value(.string(shared.value.run.id.description))
    case .runStartedAt: return .value(.string(shared.value.run.startedAt.description))
    case .date(let date): return .value(try value(of: date, placeholder))
    case .index:
      guard let item else { throw .unresolved(placeholder) }
      return .value(.number(JSON.Number(item.index)))
    case .item(let query):
      if let value = namedValue(of: query) { return .value(value) }
      return try filling(
        with: try nodes(of: placeholder), placeholder, areFromAnswer: item?.isFromAnswer == true)
    case .row:
      return try filling(with: try nodes(of: placeholder), placeholder, areFromAnswer: true)
    case .result(let reference):
      if isUnknown.indices.contains(reference.request), isUnknown[reference.request] {
        // No other text holds the marks, so no data can be taken for a reference.
        return .left("\0\(placeholder.text)\0")
      }
      if let target = bodies.instance(of: reference, seenFrom: item),
        leftToGraph.contains(target)
      {
        return .left("{result=\(bodies.wireName(of: target)):\(reference.query.graphText)}")
      }
      let nodes = try nodes(of: placeholder)
      if nodes.isEmpty, isEmptyList(reference, placeholder) { return .values([]) }
      return try filling(with: nodes, placeholder, areFromAnswer: true)
    }
  }

  /// Whether an empty selection is an empty list rather than a failure.
  ///
  /// It is for shown values, where no request can fail because of it.
  private func isEmptyList(_ reference: Reference, _ placeholder: Placeholder) -> Bool {
    masksSecrets && placeholder.defaultValue == nil && !placeholder.isSingular
      && bodies.body(of: reference, seenFrom: item) != nil
  }

  /// The text of the item's member that a placeholder stands for, a shortcut for most placeholders.
  func itemText(of placeholder: Placeholder) -> String? {
    guard let item, !item.isFromAnswer, isUnknown.isEmpty else { return nil }
    return placeholder.value.text(in: item.value)
  }

  /// The value at a path of member names in the item, a shortcut for most placeholders.
  ///
  /// It is nil if the query has another form, selects nothing, or may select a secret.
  private func namedValue(of query: Query) -> JSON? {
    guard let names = query.names, let item, !item.isFromAnswer,
      !names.contains(where: Redaction.isSecretName), let value = item.value[path: names],
      !Redaction.hasSecretMember(value)
    else { return nil }
    return value
  }

  /// The selected values, or the default if there are none.
  private func filling(
    with nodes: [Node], _ placeholder: Placeholder, areFromAnswer: Bool
  ) throws(Failure) -> Filling {
    let areSecret = nodes.contains { node in
      node.isTainted || areFromAnswer && secrets.containsRecordedSecret(node.value)
    }
    guard masksSecrets || !areSecret else { throw .tainted(placeholder) }
    if nodes.isEmpty {
      guard let value = placeholder.defaultValue else { throw .unresolved(placeholder) }
      return .value(value)
    }
    let values = values(of: nodes)
    return placeholder.isSingular ? .value(values[0]) : .values(values)
  }

  /// The token of a request's own; nil if it uses that of a profile.
  func token(of request: Workflow.Request) throws(Failure) -> AccessToken? {
    switch request.token {
    case .profile: nil
    case .reference(let template): try token(from: template)
    case .page(let page, let list): try token(of: page, in: list, for: request.permissions)
    }
  }

  /// The token of a page on which a user has the tasks that permissions need.
  private func token(
    of page: Template, in list: Template, for permissions: [String]
  ) throws(Failure) -> AccessToken? {
    guard let placeholder = list.only else { return nil }
    let id = try text(of: page).text
    let nodes = try nodes(of: placeholder, [[.string(id)]], isList: true)
    guard !nodes.isEmpty else { throw .unlistedPage(id) }
    for tasks in nodes.compactMap(\.value.array) {
      guard let lack = PageTask.lacking(for: permissions, in: tasks) else { continue }
      throw .lackingTask(lack.task, for: lack.permission, page: id)
    }
    guard let token = nodes.compactMap(\.value.string).first.flatMap(AccessToken.init) else {
      throw .notAToken(placeholder)
    }
    return token
  }

  private func token(from template: Template) throws(Failure) -> AccessToken? {
    guard let placeholder = template.only else { return nil }
    let values = try selection(of: placeholder)
    guard !values.isEmpty else { throw .unresolved(placeholder) }
    guard values.count == 1, let text = values[0].string, text != "***",
      let token = AccessToken(text)
    else { throw .notAToken(placeholder) }
    return token
  }

  /// The values of an expression's operands.
  ///
  /// An operand that selects nothing is an empty list, not an error, so that an expression can test
  /// its existence.
  func operands(of expression: Expression) throws(Failure) -> [[JSON]] {
    try operands(expression.placeholders)
  }

  private func operands(_ placeholders: [Placeholder]) throws(Failure) -> [[JSON]] {
    var operands: [[JSON]] = []
    for placeholder in placeholders {
      switch placeholder.kind {
      case .result, .item, .row:
        let values = values(of: try nodes(of: placeholder))
        operands.append(values.isEmpty ? [placeholder.defaultValue].compactMap(\.self) : values)
      case .input(let name):
        let value = try input(name, placeholder)
        operands.append([masksSecrets ? shown(value, of: name) : value])
      case .runID, .runStartedAt, .date, .index:
        guard case .value(let value) = try filling(of: placeholder) else { continue }
        operands.append([value])
      }
    }
    return operands
  }

  /// The text of a template with its placeholders filled, outside paths.
  func text(of template: Template) throws(Failure) -> BoundText {
    if let only = template.only, let data = itemText(of: only) { return BoundText(data) }
    var text = BoundText()
    for part in template.parts {
      switch part {
      case .text(let literal): text.append(data: literal)
      case .placeholder(let placeholder): text.append(try filling(of: placeholder))
      }
    }
    return text
  }

  private func value(of date: DateExpression, _ placeholder: Placeholder) throws(Failure) -> JSON {
    let zone =
      switch date.zone {
      case .named(let name): name
      case .input(let name): try input(name, placeholder).string ?? ""
      }
    guard let clock = ZoneClock(named: zone) else { throw .unresolved(placeholder) }
    return value(of: date, in: clock)
  }

  /// The instant of all dates.
  var dateOrigin: Timestamp { shared.value.run.datesFrom }

  func value(of date: DateExpression, in clock: ZoneClock) -> JSON {
    date.value(at: dateOrigin, in: clock)
  }

  private func input(_ name: InputName, _ placeholder: Placeholder) throws(Failure) -> JSON {
    guard let value = inputs[name] else { throw .unresolved(placeholder) }
    return value
  }

  private func shown(_ value: JSON, of name: InputName) -> JSON {
    inputs.secretNames.contains(name) ? "***" : secrets.masked(value)
  }

  /// The values of nodes, with `***` in place of secrets where they are shown.
  private func values(of nodes: [Node]) -> [JSON] {
    guard masksSecrets else { return nodes.map(\.value) }
    return nodes.map { $0.isUnderSecretName ? "***" : secrets.masked($0.value) }
  }

  /// The items of a group, with secrets: they may contain the tokens that they are sent with.
  func items(of source: Workflow.ItemSource) throws(Failure) -> ItemKeys.Items {
    switch source {
    case .file(let template): .file(path: try text(of: template).text)
    case .list(let elements): .values(try json(of: .list(elements)).array ?? [])
    case .values(let placeholder): .values(try items(from: placeholder))
    case .windows(let windows): .values(try windows.items(with: self))
    }
  }

  /// The nodes of a query that can select several, or the elements of a list.
  private func items(from placeholder: Placeholder) throws(Failure) -> [JSON] {
    let values = try selection(of: placeholder, isList: true)
    if !values.isEmpty, placeholder.reference?.query.isSingular == false { return values }
    guard let value = values.first ?? placeholder.defaultValue else {
      throw .unresolved(placeholder)
    }
    guard let list = value.array else { throw .items("\(placeholder.text) is not a list") }
    return list
  }

  /// The rows in an answer: the nodes of a query that can select several, or the elements of a list.
  ///
  /// It is nil if there is no answer, or no list in it.
  func rows(from placeholder: Placeholder) -> [JSON]? {
    guard let reference = placeholder.reference,
      bodies.body(of: reference, seenFrom: item) != nil,
      let values = try? selection(of: placeholder, isList: true)
    else { return placeholder.defaultValue?.array }
    if !reference.query.isSingular, !values.isEmpty || placeholder.defaultValue == nil {
      return values
    }
    return (values.first ?? placeholder.defaultValue)?.array
  }

  /// The values that a placeholder selects, with secrets and without its default.
  private func selection(
    of placeholder: Placeholder, isList: Bool = false
  ) throws(Failure) -> [JSON] {
    if case .input(let name) = placeholder.kind { return [try input(name, placeholder)] }
    return try nodes(of: placeholder, isList: isList).map(\.value)
  }

  /// The nodes that a placeholder's query selects in a body or in the item; of a look-up at most one
  /// unless it is a list of items.
  private func nodes(of placeholder: Placeholder, isList: Bool = false) throws(Failure) -> [Node] {
    try nodes(of: placeholder, try operands(placeholder.operands), isList: isList)
  }

  private func nodes(
    of placeholder: Placeholder, _ operands: [[JSON]], isList: Bool
  ) throws(Failure) -> [Node] {
    let nodes: [Node]
    var isMasked = false
    do {
      switch placeholder.kind {
      case .item(let query):
        let host = LogicalExpression.Host(operands: operands)
        nodes = try item.map { try query.nodes(in: $0.value, host: host) } ?? []
      case .row(let query):
        let host = LogicalExpression.Host(operands: operands)
        nodes = try row.map { try query.nodes(in: $0, host: host) } ?? []
      case .result(let reference):
        let body = bodies.body(of: reference, seenFrom: item)
        isMasked = body?.isMasked == true
        nodes = try body?.nodes(of: reference.query, operands) ?? []
      case .input, .index, .runID, .runStartedAt, .date: nodes = []
      }
    } catch {
      throw .queryLimit(placeholder.text)
    }
    if placeholder.isLookup, !isList, nodes.count > 1 {
      throw .ambiguous(placeholder, nodes.count)
    }
    // A value that the journal has masked is not Graph's.
    if !masksSecrets, isMasked, nodes.contains(where: { $0.value.isMasked }) {
      throw .masked(placeholder)
    }
    return nodes
  }
}

extension Node {
  /// Whether the node is a member with a secret's name, or contains such a member.
  fileprivate var isTainted: Bool { isUnderSecretName || Redaction.hasSecretMember(value) }

  fileprivate var isUnderSecretName: Bool {
    for case .name(let name) in location.elements where Redaction.isSecretName(name) { return true }
    return false
  }
}
