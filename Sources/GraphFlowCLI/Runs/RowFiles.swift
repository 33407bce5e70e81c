import GraphFlow
import JSONPath

/// The files with the rows of a run's outputs, written during the run: each is complete or absent.
struct RowFiles {
  fileprivate struct Target {
    let output: Workflow.Output
    let path: String
    let format: RowsDestination.Format
    /// How to write the same file again when the run is resumed.
    let option: String
    /// Nil once it could not be written.
    var file: AtomicFile?
    var text: [UInt8] = []
    var count = 0
  }

  private static let bufferSize = 1 << 16
  /// By the index of the output.
  private var targets: [Int: [Target]] = [:]
  private var outcome = CommandOutcome()

  /// Begins the files that the user asked for, and those of the other outputs in the state directory;
  /// none without a list of destinations.
  init(
    of workflow: Workflow, _ id: RunID, at destinations: [RowsDestination]?,
    in directory: StateDirectory
  ) throws {
    guard let destinations else { return }
    for (index, output) in workflow.outputs.enumerated() where output.each != nil {
      var targets = try destinations.filter { $0.isMeant(output) }.map { rows in
        let path = rows.file.path(for: workflow.name)
        return Target(
          output: output, path: path, format: try rows.format,
          option: " --rows " + "\(output.name)=\(path)".shellQuoted, file: try AtomicFile(at: path))
      }
      if targets.isEmpty {
        let path = directory.rowsPath(id, of: ReportDestination.fileName(output.name))
        targets = [
          Target(
            output: output, path: path, format: .jsonl, option: "", file: try AtomicFile(at: path))
        ]
      }
      self.targets[index] = targets
    }
  }

  mutating func append(_ row: OutputRow) {
    for place in targets[row.output]?.indices ?? 0..<0 {
      targets[row.output]?[place].append(row.value, &outcome)
    }
  }

  /// Gives the complete files their names, and says where the rows are.
  mutating func conclude(
    after end: RunEnd?, of id: RunID, _ output: RunOutput, isSandbox: Bool
  ) -> ExitStatus {
    for index in targets.keys.sorted() {
      for var target in targets[index] ?? [] {
        guard end?.outputs[target.output.name]?.isNull == false else {
          Terminal.notify(
            Untrusted.shown(
              "the rows of '\(target.output.name)' are incomplete, so \(target.path) is not written; "
                + (isSandbox
                  ? "run the workflow again"
                  : "complete it: graphflow resume \(id)\(target.option)")))
          continue
        }
        guard target.finish(&outcome) else { continue }
        let rows = target.count == 1 ? "1 row" : "\(target.count) rows"
        output.notify("\(target.output.name): \(rows) in \(target.path)")
      }
    }
    targets = [:]
    return outcome.status
  }
}

extension RowFiles.Target {
  fileprivate mutating func append(_ row: JSON, _ outcome: inout CommandOutcome) {
    guard file != nil else { return }
    if count == 0 { begin() }
    switch format {
    case .csv: CSVLine.append(output.columns.map { row[$0] ?? .null }, to: &text)
    case .jsonl:
      row.write(to: &text)
      text.append(UInt8(ascii: "\n"))
    case .json:
      text += (count == 0 ? "\n" : ",\n").utf8
      row.write(to: &text)
    }
    count += 1
    if text.count >= RowFiles.bufferSize { flush(&outcome) }
  }

  /// Whether the file has its name.
  fileprivate mutating func finish(_ outcome: inout CommandOutcome) -> Bool {
    if count == 0 { begin() }
    if format == .json { text += "\n]\n".utf8 }
    flush(&outcome)
    guard let file else { return false }
    do {
      try file.finish()
      return true
    } catch {
      outcome.recordFailure(error)
      return false
    }
  }

  private mutating func begin() {
    if format == .csv { CSVLine.append(output.columns.map(JSON.string), to: &text) }
    if format == .json { text.append(UInt8(ascii: "[")) }
  }

  /// Whole rows, so that no secret is cut in two.
  private mutating func flush(_ outcome: inout CommandOutcome) {
    do {
      try file?.append(ProcessRedactor.redacted(text))
    } catch {
      outcome.recordFailure(error)
      file = nil
    }
    text.removeAll(keepingCapacity: true)
  }
}
