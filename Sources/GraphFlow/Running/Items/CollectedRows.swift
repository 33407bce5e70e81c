package import JSONPath

/// What a run hands over for the files of its outputs.
package enum OutputPart: Hashable, Sendable {
  /// The next rows of an output with one file, in the order of the items.
  case rows(output: Int, [JSON])
  /// Rows of an item that come later: when earlier items have ended, or the item itself has.
  case held(output: Int, item: Int, [JSON])
  /// The held rows of an item are the next ones of the one file.
  case released(output: Int, item: Int)
  /// The held rows of an item are not needed, because it was not read completely.
  case dropped(output: Int, item: Int)
  /// An item that has a file of its own has ended; its rows follow those that are held.
  case file(ItemRows)
  /// A window, after the files of its item, which the bookmark does not name yet.
  case window(group: Int, Bookmark)
}

/// The last rows of an item, with the path of their file.
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
///
/// No row is kept here: those that come later are handed over at once, and released when it is their turn.
struct CollectedRows: Sendable {
  /// What a closed item adds to an output.
  enum Addition: Hashable, Sendable {
    /// The rows after those that are held, and what of all could not be read; nil for nothing.
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
    /// The request whose pages give the rows, one page after the other; nil if none does.
    let paged: Int?
    /// What the items' own files need; nil if all rows are in one file.
    var files: Files?
    /// The positions of the opened items whose rows were not taken, in order.
    var opened: ArraySlice<Int> = []
    /// The items that have ended and wait for an earlier item, by position.
    var ended: Set<Int> = []
    /// The numbers of the rows that are held, by the positions of their items.
    var held: [Int: Int] = [:]
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
        Output(
          index: index, group: $0, paged: workflow.requestWithPages(of: output),
          files: output.file.map { _ in Files() })
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

  /// The outputs whose rows are in the pages of a request, by index.
  func outputs(ofPagesOf request: Int) -> [Int] {
    outputs.lazy.filter { $0.paged == request }.map(\.index)
  }

  /// Whether the pages of a request for an item were handed over.
  func hasHeldPages(of request: Int, item: Int) -> Bool {
    outputs.contains { $0.paged == request && $0.held[item] != nil }
  }

  /// Whether rows of an item are held for an output.
  func holds(_ item: Int, for output: Int) -> Bool {
    outputs.contains { $0.index == output && $0.held[item] != nil }
  }

  /// Hands over rows of an item that has not ended.
  mutating func hold(_ rows: [JSON], ofItem item: Int, for output: Int) {
    guard let place = outputs.firstIndex(where: { $0.index == output }), !outputs[place].hasGap
    else { return }
    outputs[place].held[item, default: 0] += rows.count
    ready.append(.held(output: output, item: item, rows))
  }

  /// Gives up the rows of pages of an item, which is read again or has failed.
  mutating func dropPages(of request: Int, item: Int) {
    for place in outputs.indices where outputs[place].paged == request {
      drop(item, fromOutputAt: place)
    }
  }

  private mutating func drop(_ item: Int, fromOutputAt place: Int) {
    guard outputs[place].held.removeValue(forKey: item) != nil else { return }
    ready.append(.dropped(output: outputs[place].index, item: item))
  }

  mutating func add(_ addition: Addition, of item: ItemID, to output: Int) {
    guard let place = outputs.firstIndex(where: { $0.index == output }) else { return }
    switch addition {
    case .rows: break
    case .nothing, .gap: drop(item.index, fromOutputAt: place)
    }
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
      outputs[place].count +=
        rows.count + (outputs[place].held.removeValue(forKey: item.index) ?? 0)
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
      for item in outputs[place].held.keys.sorted() { drop(item, fromOutputAt: place) }
      outputs[place].ended = []
      outputs[place].opened = []
      return
    }
    let output = outputs[place].index
    if case .rows(let rows, missing: _) = addition, !rows.isEmpty {
      if outputs[place].opened.first == position, outputs[place].held[position] == nil {
        outputs[place].count += rows.count
        ready.append(.rows(output: output, rows))
      } else {
        hold(rows, ofItem: position, for: output)
      }
    }
    outputs[place].ended.insert(position)
    while let next = outputs[place].opened.first, outputs[place].ended.remove(next) != nil {
      outputs[place].opened.removeFirst()
      guard let count = outputs[place].held.removeValue(forKey: next) else { continue }
      outputs[place].count += count
      ready.append(.released(output: output, item: next))
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
