package import JSONPath

/// A row of an output that has one for each item.
package struct OutputRow: Hashable, Sendable {
  /// The output's index.
  package let output: Int
  package let value: JSON
}

/// The rows of outputs, in the order of the items, until the runner takes them.
struct CollectedRows: Sendable {
  /// What a closed item adds to an output.
  enum Addition: Hashable, Sendable {
    case rows([JSON])
    /// The request was not sent for it, or failed, and that counts as success.
    case nothing
    /// A request has failed for it, so the rows are not complete.
    case gap
  }

  /// How far a group may be ahead of its first item that is open, whose row comes first.
  private static let lead = 10_000

  private struct Output: Sendable {
    let index: Int
    let group: Int
    /// The positions of the opened items whose rows were not taken, in order.
    var opened: ArraySlice<Int> = []
    /// The rows of items that wait for an earlier item, by position.
    var waiting: [Int: Addition] = [:]
    var count = 0
    var hasGap = false
  }

  private var outputs: [Output]
  private var ready: [OutputRow] = []

  /// Prepares for the rows of a workflow's outputs, or of some of them.
  init(of workflow: Workflow, where isShown: (Workflow.Output) -> Bool = { _ in true }) {
    outputs = workflow.outputs.enumerated().compactMap { index, output in
      guard isShown(output) else { return nil }
      return output.each.flatMap { workflow.requests[$0].group }.map {
        Output(index: index, group: $0)
      }
    }
  }

  /// Whether any output has rows of a group.
  func contains(group: Int) -> Bool { outputs.contains { $0.group == group } }

  /// The outputs with rows of a group, by index.
  func outputs(ofGroup group: Int) -> [Int] {
    outputs.lazy.filter { $0.group == group }.map(\.index)
  }

  /// Whether an item may be opened: a limited number of rows may wait for the first one.
  func hasPlace(forItemOf group: Int) -> Bool {
    outputs.allSatisfy {
      $0.group != group || $0.hasGap || $0.opened.count < CollectedRows.lead
    }
  }

  /// Records that an item was opened: its rows come after those of the items before it.
  mutating func open(_ position: Int, of group: Int) {
    for place in outputs.indices where outputs[place].group == group && !outputs[place].hasGap {
      outputs[place].opened.append(position)
    }
  }

  mutating func add(_ addition: Addition, ofItem position: Int, to output: Int) {
    guard let place = outputs.firstIndex(where: { $0.index == output }), !outputs[place].hasGap
    else { return }
    if addition == .gap {
      // Nobody will see the other rows.
      outputs[place].hasGap = true
      outputs[place].waiting = [:]
      outputs[place].opened = []
      return
    }
    outputs[place].waiting[position] = addition
    while let next = outputs[place].opened.first,
      let addition = outputs[place].waiting.removeValue(forKey: next)
    {
      outputs[place].opened.removeFirst()
      guard case .rows(let values) = addition else { continue }
      outputs[place].count += values.count
      ready += values.map { OutputRow(output: output, value: $0) }
    }
  }

  /// Records that a group was closed before all of its items were opened.
  mutating func addGap(ofGroup group: Int) {
    for output in outputs(ofGroup: group) { add(.gap, ofItem: 0, to: output) }
  }

  /// Removes and returns the next rows.
  mutating func take() -> [OutputRow] {
    defer { ready = [] }
    return ready
  }

  /// The number of an output's rows; nil if a row is missing.
  func count(of output: Int) -> Int? {
    outputs.first { $0.index == output && !$0.hasGap }?.count
  }
}
