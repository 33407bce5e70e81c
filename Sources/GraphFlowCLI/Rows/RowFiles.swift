import GraphFlow
import JSONPath

/// The files with the rows of a run's outputs, written during the run: each is complete or absent.
struct RowFiles {
  fileprivate struct Target {
    let output: Workflow.Output
    let path: String
    /// How to write the same file again when the run is resumed.
    let option: String
    /// Nil once it could not be written.
    var file: AtomicFile?
    var text: RowText
  }

  /// The files of the outputs with one file, by the index of the output.
  private var targets: [Int: [Target]] = [:]
  /// Those of the outputs with a file for each item.
  private var items: [Int: ItemFiles] = [:]
  /// The rows that come later.
  private let spool: RowSpool
  /// The files of the item whose window comes next; nil if one of them could not be written.
  private var written: [Bookmark.File]? = []
  /// The bookmarks that wait for a file with the rows of all items, by group.
  private var waiting: [Int: [Bookmark]] = [:]
  private let workflow: Workflow
  private let state: WindowState
  private var outcome = CommandOutcome()

  /// Begins the files that the user asked for, and those of the other outputs in the state directory;
  /// none without a list of destinations.
  init(
    of job: RunJob, _ id: RunID, at destinations: [RowsDestination]?,
    in directory: StateDirectory, _ state: WindowState
  ) throws {
    (workflow, self.state) = (job.workflow, state)
    spool = RowSpool(at: directory.rowsPath(id, of: "held") + ".tmp")
    guard let destinations else { return }
    for (index, output) in workflow.outputs.enumerated() where output.each != nil {
      let meant = destinations.filter { $0.isMeant(output) }
      if output.file != nil {
        let folder = meant.last?.folder(for: workflow.name)
        items[index] = try ItemFiles(
          of: output, in: folder ?? WorkflowFolder(of: workflow.source.path).path)
        continue
      }
      var targets = try meant.map { rows in
        let path = rows.file.path(for: workflow.name)
        return Target(
          output: output, path: path, option: " --rows " + "\(output.name)=\(path)".shellQuoted,
          file: try AtomicFile(at: path),
          text: RowText(columns: output.columns, try rows.format))
      }
      if targets.isEmpty {
        let path = directory.rowsPath(id, of: ReportDestination.fileName(output.name))
        targets = [
          Target(
            output: output, path: path, option: "", file: try AtomicFile(at: path),
            text: RowText(columns: output.columns, .jsonl))
        ]
      }
      self.targets[index] = targets
    }
  }

  mutating func append(_ part: OutputPart) {
    switch part {
    case .rows(let output, let rows): for row in rows { append(row, to: output) }
    case .held(let output, let item, let rows):
      guard targets[output] != nil || items[output] != nil else { return }
      spool.append(rows, of: RowSpool.Owner(output: output, item: item), &outcome)
    case .released(let output, let item): release(RowSpool.Owner(output: output, item: item))
    case .dropped(let output, let item): spool.drop(RowSpool.Owner(output: output, item: item))
    case .file(let item): write(item)
    case .window(let group, let bookmark): end(bookmark, of: group)
    }
  }

  private mutating func append(_ row: JSON, to output: Int) {
    for place in targets[output]?.indices ?? 0..<0 {
      targets[output]?[place].append(row, &outcome)
    }
  }

  /// Writes held rows, whose turn it is.
  private mutating func release(_ owner: RowSpool.Owner) {
    guard targets[owner.output] != nil else { return }
    do { try spool.take(owner) { append($0, to: owner.output) } } catch {
      outcome.recordFailure(error)
      for place in targets[owner.output]?.indices ?? 0..<0 {
        targets[owner.output]?[place].file = nil
      }
    }
  }

  private mutating func write(_ item: ItemRows) {
    guard items[item.output] != nil else { return }
    let owner = RowSpool.Owner(output: item.output, item: item.item.index)
    let held = { [spool] in try spool.take(owner, $0) }
    guard let file = items[item.output]?.write(item, after: held, &outcome) else {
      written = nil
      return
    }
    written?.append(file)
    items[item.output]?.list(file, ofItem: item.item.key)
  }

  /// Keeps the bookmark of a window, after its files have their names.
  private mutating func end(_ bookmark: Bookmark, of group: Int) {
    defer { written = [] }
    guard let files = written else { return }
    var bookmark = bookmark
    bookmark.files = files
    let isInOneFile = targets.keys.contains { workflow.group(of: $0) == group }
    guard isInOneFile, bookmark.isFinished else { return keep([bookmark], ofGroup: group) }
    waiting[group, default: []].append(bookmark)
  }

  private mutating func keep(_ bookmarks: [Bookmark], ofGroup group: Int) {
    do {
      for bookmark in bookmarks { try state.keep(bookmark, ofGroup: group) }
    } catch { outcome.recordFailure(error) }
  }

  /// Gives the complete files their names, and says where the rows are.
  mutating func conclude(
    after end: RunEnd?, of id: RunID, _ output: RunOutput, isSandbox: Bool
  ) -> ExitStatus {
    var incomplete: Set<Int> = []
    for index in targets.keys.sorted() {
      for var target in targets[index] ?? [] {
        guard end?.outputs[target.output.name]?.isNull == false else {
          incomplete.formUnion([workflow.group(of: index)].compactMap(\.self))
          Terminal.notify(
            Untrusted.shown(
              "the rows of '\(target.output.name)' are incomplete, so \(target.path) is not written; "
                + (isSandbox
                  ? "run the workflow again"
                  : "complete it: graphflow resume \(id)\(target.option)")))
          continue
        }
        guard target.finish(&outcome) else { continue }
        output.notify("\(target.output.name): \(target.text.count.rows) in \(target.path)")
      }
    }
    for (group, bookmarks) in waiting where !incomplete.contains(group) {
      keep(bookmarks, ofGroup: group)
    }
    for index in items.keys.sorted() { conclude(index, output) }
    targets = [:]
    return outcome.status
  }

  /// Writes the manifest of an output whose items have files of their own.
  private mutating func conclude(_ index: Int, _ output: RunOutput) {
    guard var files = items[index] else { return }
    if files.failures > 1 {
      Terminal.notify("\(files.failures) files of '\(files.output.name)' could not be written")
    }
    do {
      if let bookmarks = try workflow.group(of: index).flatMap(state.all(ofGroup:)) {
        files.list(bookmarks)
      }
      try files.writeManifest()
      let count = files.files == 1 ? "1 file" : "\(files.files) files"
      output.notify(
        "\(files.output.name): \(files.rows.rows) in \(count); all files are listed in "
          + files.place(of: files.manifestPath))
    } catch { outcome.recordFailure(error) }
  }
}

extension Int {
  fileprivate var rows: String { self == 1 ? "1 row" : "\(self) rows" }
}

extension Workflow {
  /// The group whose items have the rows of an output.
  fileprivate func group(of output: Int) -> Int? {
    outputs[output].each.flatMap { requests[$0].group }
  }
}

extension RowFiles.Target {
  fileprivate mutating func append(_ row: JSON, _ outcome: inout CommandOutcome) {
    guard let file else { return }
    do { try text.append(row, file.append) } catch {
      outcome.recordFailure(error)
      self.file = nil
    }
  }

  /// Whether the file has its name.
  fileprivate mutating func finish(_ outcome: inout CommandOutcome) -> Bool {
    guard let file else { return false }
    do {
      try text.finish(file.append)
      try file.finish()
      return true
    } catch {
      outcome.recordFailure(error)
      return false
    }
  }
}
