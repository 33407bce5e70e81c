import GraphAPI
import JSONPath

/// Where the values of placeholders come from at one moment of a run.
struct Bindings {
  /// The inputs' values.
  let inputs: InputValues
  /// The run's id and start.
  let run: (id: RunID, startedAt: Timestamp)
  /// The bodies of what is over, as far as something refers to them.
  let bodies: Bodies
  /// The item for which a member of a group is sent.
  var item: Item?
  /// The instances whose results Graph puts in, being in the same batch.
  var leftToGraph: Set<Int> = []
  /// What the run knows to be secret: an answer may repeat it under any name.
  var secrets = SecretMask.empty
  /// Whether secrets become `***` rather than a failure: outputs are shown, not sent.
  var masksSecrets = false

  /// What fills a placeholder.
  enum Filling {
    /// The one value that there could be.
    case value(JSON)
    /// The values that a query selected which could select several, in order.
    case values([JSON])
    /// Graph's own form of the reference.
    case left(String)
  }

  /// What fills a placeholder outside the token's place: the value exactly as it is.
  ///
  /// A value is a secret by its origin, never by its looks: text of a person that resembles a token
  /// is text (docs/reference/language.md, "Secrets").
  ///
  /// - Throws: if a query selects nothing and there is no default, if it takes too many steps, or if
  ///   the value is a secret.
  func filling(of placeholder: Placeholder) throws(BindingFailure) -> Filling {
    switch placeholder.kind {
    case .input(let name):
      let value = try input(name, placeholder)
      guard inputs.secretNames.contains(name) || Redaction.hasSecretMember(value) else {
        return .value(value)
      }
      guard masksSecrets else { throw .tainted(placeholder) }
      return .value(shown(value, of: name))
    case .runID:
      return .value(.string(run.id.description))
    case .runStartedAt:
      return .value(.string(run.startedAt.description))
    case .index:
      guard let item else { throw .unresolved(placeholder) }
      return .value(.number(JSON.Number(item.index)))
    case .item(let query):
      if let value = namedValue(of: query) { return .value(value) }
      let nodes = try nodes(of: placeholder)
      guard
        item?.isOfAnswer != true
          || !nodes.contains(where: { secrets.containsRecordedSecret($0.value) })
      else { throw .tainted(placeholder) }
      return try filling(with: nodes, placeholder, query)
    case .result(let reference):
      if let target = bodies.instance(of: reference, seenFrom: item),
        leftToGraph.contains(target)
      {
        return .left("{result=\(bodies.wireName(of: target)):\(reference.query.graphText)}")
      }
      let nodes = try nodes(of: placeholder)
      if nodes.isEmpty, isEmptyList(reference, placeholder) { return .values([]) }
      guard masksSecrets || !nodes.contains(where: { secrets.containsRecordedSecret($0.value) })
      else {
        throw .tainted(placeholder)
      }
      return try filling(with: nodes, placeholder, reference.query)
    }
  }

  /// Whether what selects nothing is a list without elements: where values are shown, and none is
  /// sent, there is no request that could fail by it.
  private func isEmptyList(_ reference: Reference, _ placeholder: Placeholder) -> Bool {
    masksSecrets && placeholder.defaultValue == nil && !reference.query.isSingular
      && bodies.body(of: reference, seenFrom: item) != nil
  }

  /// The item's value behind a few names, as most placeholders ask for it; nil if there is more to
  /// it, or if it is a secret.
  private func namedValue(of query: Query) -> JSON? {
    guard let names = query.names, let item, !item.isOfAnswer else { return nil }
    var value = item.value
    for name in names {
      guard !Redaction.isSecretName(name), let member = value[name] else { return nil }
      value = member
    }
    guard !Redaction.hasSecretMember(value) else { return nil }
    return value
  }

  /// The selected values if they are no secrets, or else the default.
  private func filling(
    with nodes: [Node],
    _ placeholder: Placeholder,
    _ query: Query
  ) throws(BindingFailure) -> Filling {
    guard masksSecrets || nodes.allSatisfy({ !$0.isTainted }) else {
      throw .tainted(placeholder)
    }
    if nodes.isEmpty {
      guard let value = placeholder.defaultValue else { throw .unresolved(placeholder) }
      return .value(value)
    }
    let values = values(of: nodes)
    return query.isSingular ? .value(values[0]) : .values(values)
  }

  /// The token that a template yields.
  func token(from template: Template) throws(BindingFailure) -> AccessToken? {
    guard let placeholder = template.only else { return nil }
    let values =
      if case .input(let name) = placeholder.kind {
        [try input(name, placeholder)]
      } else {
        try nodes(of: placeholder).map(\.value)
      }
    guard !values.isEmpty else { throw .unresolved(placeholder) }
    guard values.count == 1, let text = values[0].string, text != "***",
      let token = AccessToken(text)
    else {
      throw .notAToken(placeholder)
    }
    return token
  }

  /// The values of an expression's operands; one that selects nothing is an empty list, not an
  /// error, so that its existence can be tested.
  func operands(of expression: Expression) throws(BindingFailure) -> [[JSON]] {
    var operands: [[JSON]] = []
    for placeholder in expression.placeholders {
      switch placeholder.kind {
      case .result, .item:
        let values = values(of: try nodes(of: placeholder))
        operands.append(values.isEmpty ? [placeholder.defaultValue].compactMap(\.self) : values)
      case .input(let name):
        let value = try input(name, placeholder)
        operands.append([masksSecrets ? shown(value, of: name) : value])
      case .runID, .runStartedAt, .index:
        guard case .value(let value) = try filling(of: placeholder) else { continue }
        operands.append([value])
      }
    }
    return operands
  }

  /// The text that a template becomes outside paths; `isPlain` says that Graph would expand nothing
  /// in it but what was left to Graph on purpose.
  func text(of template: Template) throws(BindingFailure) -> BoundText {
    var text = BoundText()
    for part in template.parts {
      switch part {
      case .text(let literal): text.append(data: literal)
      case .placeholder(let placeholder): text.append(try filling(of: placeholder))
      }
    }
    return text
  }

  private func input(
    _ name: InputName,
    _ placeholder: Placeholder
  ) throws(BindingFailure) -> JSON {
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

  /// The items of a group, as they are: they may hold the tokens that they are sent with.
  func items(of source: Workflow.ItemSource) throws(BindingFailure) -> ItemKeys.Items {
    switch source {
    case .file(let template): .file(path: try text(of: template).text)
    case .list(let elements): .values(try json(of: .list(elements)).array ?? [])
    case .values(let placeholder): .values(try items(from: placeholder))
    }
  }

  /// The nodes of a query that can select several, or the elements of a list.
  private func items(from placeholder: Placeholder) throws(BindingFailure) -> [JSON] {
    var value = placeholder.defaultValue
    if case .input(let name) = placeholder.kind {
      value = try input(name, placeholder)
    } else {
      let nodes = try nodes(of: placeholder)
      if !nodes.isEmpty, placeholder.reference?.query.isSingular == false {
        return nodes.map(\.value)
      }
      value = nodes.first?.value ?? value
    }
    guard let value else { throw .unresolved(placeholder) }
    guard let list = value.array else { throw .items("\(placeholder.text) is not a list") }
    return list
  }

  /// What the query of a placeholder selects in a body or in the item.
  private func nodes(of placeholder: Placeholder) throws(BindingFailure) -> [Node] {
    let nodes: [Node]
    var isMasked = false
    do {
      switch placeholder.kind {
      case .item(let query): nodes = try item.map { try query.nodes(in: $0.value) } ?? []
      case .result(let reference):
        let body = bodies.body(of: reference, seenFrom: item)
        isMasked = body?.isMasked == true
        nodes = try body.map { try reference.query.nodes(in: $0.document) } ?? []
      case .input, .index, .runID, .runStartedAt: nodes = []
      }
    } catch {
      throw .queryLimit(placeholder.text)
    }
    // What the journal has masked is not what Graph said.
    if !masksSecrets, isMasked, nodes.contains(where: { $0.value.isMasked }) {
      throw .masked(placeholder)
    }
    return nodes
  }
}

/// Text that is about to be sent, and whether data in it could be taken for a reference by Graph.
struct BoundText: Hashable, Sendable {
  /// The text.
  private(set) var text = ""
  /// The text as its author meant it, without what is left to Graph; nil if that is the text.
  private var original: String?

  /// Whether Graph would expand something in it that is data: such text never enters a batch.
  var holdsReferenceLikeData: Bool { (original ?? text).holdsReferenceLikeText }

  mutating func append(data part: String) {
    original?.append(part)
    text.append(part)
  }

  /// Appends text that stands for other data, being encoded.
  mutating func append(_ part: String, data: String) {
    if part != data { original = original ?? text }
    original?.append(data)
    text.append(part)
  }

  mutating func append(_ filling: Bindings.Filling) {
    if let data = filling.data {
      append(data: data)
    } else if case .left(let reference) = filling {
      // A character that no reference holds, so that what stands around it does not join.
      append(reference, data: "\u{0}")
    }
  }
}

extension Bindings.Filling {
  /// The text of what is not left to Graph.
  var data: String? {
    switch self {
    case .value(let value): value.parameterText
    // Several stand behind one another, with commas between them.
    case .values(let values): values.map(\.parameterText).joined(separator: ",")
    case .left: nil
    }
  }
}

extension JSON {
  /// The value as text in a parameter or a path: strings as they are, `null` as nothing, the rest
  /// as compact JSON.
  var parameterText: String {
    switch self {
    case .null: ""
    case .string(let text): text
    default: serialized()
    }
  }
}

extension Node {
  /// Whether the node arrived under a secret's name, or holds what did.
  fileprivate var isTainted: Bool { isUnderSecretName || Redaction.hasSecretMember(value) }

  fileprivate var isUnderSecretName: Bool {
    for case .name(let name) in location.elements where Redaction.isSecretName(name) { return true }
    return false
  }
}
