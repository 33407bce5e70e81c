import GraphAPI
import JSONPath

/// The bodies of finished instances that something refers to.
struct Bodies: Sendable {
  private let layout: Box<Layout>
  /// Indirect, because this value is copied for each binding.
  @Indirect private var kept: Kept?

  /// A body, and whether some of it comes from a journal, which holds `***` in place of secrets.
  struct Body: Sendable {
    let document: JSON.Document
    let isMasked: Bool
    /// The indexes of the look-ups in it.
    private let indexes: [Query: LookupIndex]

    init(_ document: JSON.Document, isMasked: Bool, lookups: Set<Query>) {
      (self.document, self.isMasked) = (document, isMasked)
      indexes = Dictionary(
        uniqueKeysWithValues: lookups.compactMap { query in
          LookupIndex(of: query, in: document).map { (query, $0) }
        })
    }

    /// The nodes that a query selects, given the values of its operands.
    func nodes(of query: Query, _ operands: [[JSON]]) throws(QueryLimitExceeded) -> [Node] {
      if operands.count == 1, let value = operands[0].first, let index = indexes[query] {
        return try index.nodes(for: value)
      }
      return try query.nodes(in: document, host: LogicalExpression.Host(operands: operands))
    }
  }

  /// The bodies of a member's items, which become a list when the group closes.
  private struct Items: Sendable {
    var texts: [Int: [UInt8]] = [:]
    var areMasked = false
  }

  private struct Kept: Sendable {
    var bodies: InstanceTable<Body?>
    /// The bodies of members that are referred to from outside their groups.
    var items: [Int: Items] = [:]
    var lists: [Int: Body] = [:]
  }

  /// The part that does not change during a run.
  private struct Layout: Sendable {
    let graph: InstanceGraph
    let needs: [Need]
  }

  private var graph: InstanceGraph { layout.value.graph }
  private var needs: [Need] { layout.value.needs }

  /// The kinds of references to a request's body.
  private struct Need: Hashable {
    /// Whether a reference means the body of one instance.
    var isSingle = false
    /// Whether a reference from outside the group means the list of all bodies.
    var isList = false
    /// The queries that find something in it by other values.
    var lookups: Set<Query> = []
    /// Whether there is a reference that needs more of it than one page after the other.
    var isWhole = false
  }

  /// Prepares for the bodies that a run needs; those that only other runs of its job need are not kept.
  ///
  /// - Parameters:
  ///   - workflow: the workflow.
  ///   - graph: the numbering of its instances.
  ///   - isEvaluated: whether the run may send a request.
  ///   - shows: whether an output is the run's own.
  init(
    of workflow: Workflow, _ graph: InstanceGraph, where isEvaluated: (_ request: Int) -> Bool,
    shows: (Workflow.Output) -> Bool
  ) {
    kept = Kept(bodies: InstanceTable(requestCount: workflow.requests.count, initial: nil))
    var needs = [Need](repeating: Need(), count: workflow.requests.count)
    func addNeeds(of placeholders: [Placeholder], from group: Int? = nil, byPage: Int? = nil) {
      for placeholder in placeholders {
        guard let reference = placeholder.reference else { continue }
        if LookupIndex.serves(reference.query) {
          needs[reference.request].lookups.insert(reference.query)
        }
        let referred = workflow.requests[reference.request].group
        let isSingle = referred == nil || referred == group
        needs[reference.request].isSingle = needs[reference.request].isSingle || isSingle
        needs[reference.request].isList = needs[reference.request].isList || !isSingle
        if reference.request != byPage { needs[reference.request].isWhole = true }
      }
    }
    for (index, request) in workflow.requests.enumerated() where isEvaluated(index) {
      addNeeds(of: request.placeholders, from: request.group)
    }
    addNeeds(of: workflow.groups.flatMap(\.source.placeholders))
    for output in workflow.outputs where shows(output) {
      let group = output.each.flatMap { workflow.requests[$0].group }
      addNeeds(
        of: output.placeholders, from: group, byPage: workflow.requestWithPages(of: output))
    }
    for request in workflow.listsOfNews where isEvaluated(request) {
      needs[request].isSingle = true
      needs[request].isWhole = true
    }
    layout = Box(Layout(graph: graph, needs: needs))
  }

  /// For bindings that refer to no body.
  init(emptyIn graph: InstanceGraph) {
    kept = nil
    layout = Box(Layout(graph: graph, needs: []))
  }

  func isNeeded(_ instance: Int) -> Bool { needs[graph.request(of: instance)] != Need() }

  /// Whether anything needs the whole body of an instance, and not only each of its pages.
  func isNeededWhole(_ instance: Int) -> Bool { needs[graph.request(of: instance)].isWhole }

  subscript(instance: Int) -> Body? { $kept.flatMap { $0.value.bodies[instance] } }

  /// Keeps the body of an instance, if anything refers to it.
  ///
  /// `isMasked` means that it comes from a journal, with `***` in place of secrets.
  mutating func keep(_ body: ResponseBody, of instance: Int, isMasked: Bool = false) {
    let need = needs[graph.request(of: instance)]
    guard need != Need(), let document = try? body.document() else { return }
    let (request, item) = (graph.request(of: instance), graph.item(of: instance))
    change { kept in
      if need.isSingle {
        let wasMasked = kept.bodies[instance]?.isMasked == true
        kept.bodies[instance] = Body(
          document, isMasked: isMasked || wasMasked, lookups: need.lookups)
      }
      if need.isList {
        kept.items[request, default: Items()].texts[item] = document.text
        if isMasked { kept.items[request]?.areMasked = true }
      }
    }
  }

  private mutating func change(_ body: (inout Kept) -> Void) {
    guard var kept else { return }
    // Moved out of its box, so that it is not copied.
    self.kept = nil
    body(&kept)
    self.kept = kept
  }

  /// Removes the body of an instance when its item closes.
  mutating func forget(_ instance: Int) {
    guard isNeeded(instance) else { return }
    change { $0.bodies.removeValue(of: instance) }
  }

  /// Makes the list of the bodies of all items, with `null` for items without one.
  mutating func collect(member: Int, itemCount: Int) {
    guard needs[member].isList else { return }
    let items = $kept?.value.items[member] ?? Items()
    let lookups = needs[member].lookups
    var text: [UInt8] = [UInt8(ascii: "[")]
    for item in 0..<itemCount {
      if item > 0 { text.append(UInt8(ascii: ",")) }
      text += items.texts[item] ?? Array("null".utf8)
    }
    text.append(UInt8(ascii: "]"))
    let list = try? JSON.Document(parsing: text)
    change { kept in
      kept.items[member] = nil
      kept.lists[member] = list.map {
        Body($0, isMasked: items.areMasked, lookups: lookups)
      }
    }
  }

  func hasAny(of member: Int) -> Bool {
    $kept?.value.items[member]?.texts.isEmpty == false
      || $kept?.value.lists[member]?.document.value.elements?.contains { !$0.isNull } == true
  }

  /// The instance that a reference means; nil if it means all items of a group.
  func instance(of reference: Reference, seenFrom item: Item?) -> Int? {
    guard let group = graph.group(of: reference.request) else { return reference.request }
    guard let item, item.group == group else { return nil }
    return graph.instance(of: reference.request, item: item.index)
  }

  func wireName(of instance: Int) -> String { graph.wireName(of: instance) }

  func body(of reference: Reference, seenFrom item: Item?) -> Body? {
    guard let instance = instance(of: reference, seenFrom: item) else {
      return $kept?.value.lists[reference.request]
    }
    return self[instance]
  }
}

/// One item of a group's source.
///
/// A class, because it is copied for each binding and never changes.
final class Item: Sendable {
  let group: Int
  /// The position, from 0.
  let index: Int
  /// The identity in journal and report.
  let key: String
  let value: JSON
  /// Whether it comes from an answer, which may repeat any secret.
  let isFromAnswer: Bool

  init(group: Int, index: Int, key: String, value: JSON, isFromAnswer: Bool = false) {
    self.group = group
    self.index = index
    self.key = key
    self.value = value
    self.isFromAnswer = isFromAnswer
  }
}
