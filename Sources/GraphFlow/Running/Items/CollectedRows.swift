package import JSONPath

/// What a run hands over for the files of its outputs.
package enum OutputPart: Hashable, Sendable {
  /// A row of an output with one file, in the order of the items.
  case row(output: Int, JSON)
  /// All rows of an item that has a file of its own.
  case file(ItemRows)
  /// A window, after the files of its item, which the bookmark does not name yet.
  case window(group: Int, Bookmark)
}

/// The rows of an item, with the path of their file.
package struct ItemRows: Hashable, Sendable {
  /// The output's index.
  package let output: Int
  package let path: String
  package let item: ItemID
  package let rows: [JSON]
  /// What of them could not be read; nil for nothing.
  package let missing: JSON?
}

/// The rows of outputs until the runner takes them: in the order of the items, if they are in one file.
struct CollectedRows: Sendable {
  /// What a closed item adds to an output.
  enum Addition: Hashable, Sendable {
    /// The rows, and what of them could not be read; nil for nothing.
    case rows([JSON], missing: JSON? = nil)
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
    /// What the items' own files need; nil if all rows are in one file.
    var files: Files?
    /// The positions of the opened items whose rows were not taken, in order.
    var opened: ArraySlice<Int> = []
    /// The rows of items that wait for an earlier item, by position.
    var waiting: [Int: Addition] = [:]
    var count = 0
    var hasGap = false

    /// Whether the order of the items matters.
    var isOrdered: Bool { files == nil && !hasGap }
  }

  /// The files of the items of an output.
  private struct Files: Sendable {
    /// The paths of all items, which differ.
    var taken: Set<String> = []
    /// Those of the open items, by position.
    var open: [Int: String] = [:]
    var (complete, incomplete) = (0, 0)
  }

  private var outputs: [Output]
  private var ready: [OutputPart] = []
  /// The groups with windows that are kept.
  private let keeping: Set<Int>

  /// Prepares for the rows of a workflow's outputs, or of some of them, and for the windows of the groups
  /// that the run performs itself.
  init(
    of workflow: Workflow, where isShown: (Workflow.Output) -> Bool = { _ in true },
    performs: (Int) -> Bool = { _ in true }
  ) {
    outputs = workflow.outputs.enumerated().compactMap { index, output in
      guard isShown(output) else { return nil }
      return output.each.flatMap { workflow.requests[$0].group }.map {
        Output(index: index, group: $0, files: output.file.map { _ in Files() })
      }
    }
    keeping = Set(
      workflow.groups.indices.filter { index in
        workflow.groups[index].source.keptWindows != nil
          && workflow.groups[index].members.allSatisfy(performs)
      })
  }

  /// Whether the end of an item of a group has to be recorded.
  func contains(group: Int) -> Bool {
    keeping.contains(group) || outputs.contains { $0.group == group }
  }

  /// The outputs with rows of a group, by index.
  func outputs(ofGroup group: Int) -> [Int] {
    outputs.lazy.filter { $0.group == group }.map(\.index)
  }

  /// Whether an item may be opened: a limited number of rows may wait for the first one.
  func hasPlace(forItemOf group: Int) -> Bool {
    outputs.allSatisfy {
      $0.group != group || !$0.isOrdered || $0.opened.count < CollectedRows.lead
    }
  }

  /// Records that an item was opened: its rows come after those of the items before it.
  mutating func open(_ position: Int, of group: Int) {
    for place in outputs.indices where outputs[place].group == group && outputs[place].isOrdered {
      outputs[place].opened.append(position)
    }
  }

  /// Records the file of an open item; false if another item has it.
  mutating func open(_ position: Int, fileOf output: Int, at path: String) -> Bool {
    guard let place = outputs.firstIndex(where: { $0.index == output }) else { return true }
    outputs[place].files?.open[position] = path
    return outputs[place].files?.taken.insert(path).inserted ?? true
  }

  mutating func add(_ addition: Addition, of item: ItemID, to output: Int) {
    guard let place = outputs.firstIndex(where: { $0.index == output }) else { return }
    if outputs[place].files == nil {
      add(addition, ofItem: item.index, toOrdered: place)
    } else {
      addFile(addition, of: item, to: place)
    }
  }

  private mutating func addFile(_ addition: Addition, of item: ItemID, to place: Int) {
    let path = outputs[place].files?.open.removeValue(forKey: item.index)
    switch addition {
    case .rows(let rows, let missing):
      guard let path else { return }
      outputs[place].count += rows.count
      outputs[place].files?.complete += 1
      ready.append(
        .file(
          ItemRows(
            output: outputs[place].index, path: path, item: item, rows: rows,
            missing: missing)))
    case .nothing: break
    case .gap: outputs[place].files?.incomplete += 1
    }
  }

  private mutating func add(
    _ addition: Addition, ofItem position: Int, toOrdered place: Int
  ) {
    guard !outputs[place].hasGap else { return }
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
      guard case .rows(let values, missing: _) = addition else { continue }
      outputs[place].count += values.count
      let output = outputs[place].index
      ready += values.map { .row(output: output, $0) }
    }
  }

  /// Records that an item of a group with kept windows has ended, after its rows were added.
  mutating func close(_ bookmark: Bookmark, of group: Int) {
    guard keeping.contains(group) else { return }
    ready.append(.window(group: group, bookmark))
  }

  /// Records that a group was closed before all of its items were opened.
  mutating func addGap(ofGroup group: Int) {
    for place in outputs.indices where outputs[place].group == group && outputs[place].isOrdered {
      add(.gap, ofItem: 0, toOrdered: place)
    }
  }

  /// Removes and returns the next parts.
  mutating func take() -> [OutputPart] {
    defer { ready = [] }
    return ready
  }

  /// What the report shows of an output; nil if a row of its one file is missing.
  func summary(of output: Int) -> JSON? {
    guard let output = outputs.first(where: { $0.index == output }), !output.hasGap else {
      return nil
    }
    func number(_ count: Int) -> JSON { .number(JSON.Number(count)) }
    guard let files = output.files else { return ["rows": number(output.count)] }
    let members: [(String, JSON)] = [
      ("rows", number(output.count)), ("files", number(files.complete)),
    ]
    let missing = [("missing", number(files.incomplete))]
    return .object(JSON.Object(members + (files.incomplete > 0 ? missing : [])))
  }
}
