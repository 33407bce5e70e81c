import JSONPath

/// The subset of Goessner's JSONPath that Graph is known to support in references.
///
/// `$`, `.name`, `['name']`, `[n]`, `.n` (an index in an array, a name in an object), `*`, `..`,
/// slices and unions; no filters and no scripts (docs/internals/graph-api.md, References and
/// decision 12). This is not RFC 9535, in which `.0` is an error; the client has its own evaluator.
struct GoessnerPath: Hashable, Sendable {
  enum Selector: Hashable, Sendable {
    case name(String)
    /// Digits after a dot: an index in an array, a name in an object.
    case nameOrIndex(String, Int)
    case index(Int)
    case wildcard
    case slice(start: Int?, end: Int?, step: Int)
  }

  struct Step: Hashable, Sendable {
    var selectors: [Selector]
    /// Whether the step follows `..`: it applies to the value and all its descendants.
    var isRecursive: Bool
  }

  let steps: [Step]

  /// The most values that a path may visit; one that would visit more matches nothing.
  static let visitLimit = 200_000

  /// Reads a path; nil if it is outside the subset, and so matches nothing.
  init?(_ text: String) {
    var parser = GoessnerPathParser(text)
    guard let steps = parser.steps() else { return nil }
    self.steps = steps
  }

  /// The text that replaces a reference: the selected values, joined by commas without spaces; empty
  /// if nothing matches (docs/internals/graph-api.md, References).
  func text(in root: JSON) -> String {
    values(in: root).map(\.parameterText).joined(separator: ",")
  }

  /// The selected values in document order; none if the path visits too many.
  func values(in root: JSON) -> [JSON] {
    var visits = 0
    var nodes = [root]
    for step in steps {
      var selected: [JSON] = []
      for node in nodes {
        let isDone =
          step.isRecursive
          ? Self.appendDescendants(of: node, step.selectors, to: &selected, visits: &visits)
          : Self.append(node, step.selectors, to: &selected, visits: &visits)
        guard isDone else { return [] }
      }
      nodes = selected
    }
    return nodes
  }

  /// Applies the selectors to a value and its descendants; false if the limit is exceeded.
  ///
  /// Depth is bounded by the JSON parser's own limit.
  private static func appendDescendants(
    of node: JSON, _ selectors: [Selector], to selected: inout [JSON], visits: inout Int
  ) -> Bool {
    guard append(node, selectors, to: &selected, visits: &visits) else { return false }
    switch node {
    case .array(let elements):
      return elements.allSatisfy {
        appendDescendants(of: $0, selectors, to: &selected, visits: &visits)
      }
    case .object(let members):
      return members.allSatisfy {
        appendDescendants(of: $0.value, selectors, to: &selected, visits: &visits)
      }
    default: return true
    }
  }

  private static func append(
    _ node: JSON, _ selectors: [Selector], to selected: inout [JSON], visits: inout Int
  ) -> Bool {
    let count = selected.count
    for selector in selectors { append(node, selector, to: &selected) }
    visits += selectors.count + selected.count - count
    return visits <= visitLimit
  }

  private static func append(_ node: JSON, _ selector: Selector, to selected: inout [JSON]) {
    switch (node, selector) {
    case (.object(let members), .name(let name)), (.object(let members), .nameOrIndex(let name, _)):
      if let value = members[name] { selected.append(value) }
    case (.object(let members), .wildcard):
      selected.append(contentsOf: members.members.lazy.map(\.value))
    case (.array(let elements), .index(let index)),
      (.array(let elements), .nameOrIndex(_, let index)):
      if elements.indices.contains(index) { selected.append(elements[index]) }
    case (.array(let elements), .wildcard):
      selected.append(contentsOf: elements)
    case (.array(let elements), .slice(let start, let end, let step)):
      let bound = { (index: Int) in
        index < 0 ? max(0, elements.count &+ index) : min(elements.count, index)
      }
      let range = bound(start ?? 0)..<max(bound(start ?? 0), bound(end ?? elements.count))
      var index = range.lowerBound
      while index < range.upperBound {
        selected.append(elements[index])
        index = step > elements.count ? range.upperBound : index + step
      }
    default: break
    }
  }
}
