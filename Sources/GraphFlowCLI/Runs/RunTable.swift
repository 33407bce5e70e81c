import GraphFlow
import JSONPath

/// A list of runs.
enum RunTable {
  static func text(of records: [RunRecord], active: Set<RunID>) -> String {
    var rows = [["RUN", "STATUS", "EXIT", "STARTED", "WORKFLOW", "FILE"]]
    for record in records {
      guard let start = record.start else { continue }
      rows.append([
        record.id.description, status(of: record, isActive: active.contains(record.id)),
        active.contains(record.id) ? "-" : String(record.exitCode),
        String(start.startedAt.description.prefix("2026-11-20T09:00:00".count)) + "Z",
        Untrusted.shown(start.workflow),
        Untrusted.shown(start.file) + (start.isSandboxRun ? " (sandbox)" : ""),
      ])
    }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = zip(row, widths).map { cell, width in
        cell + String(repeating: " ", count: width - cell.count)
      }
      var line = cells.joined(separator: "  ")
      while line.hasSuffix(" ") { line.removeLast() }
      return line + "\n"
    }
    .joined()
  }

  static func json(of records: [RunRecord]) -> [JSON] {
    records.compactMap { record in
      record.start.map { start in
        [
          "id": .string(record.id.description),
          "workflow": .string(start.workflow),
          "file": .string(start.file),
          "status": .string(record.status.rawValue),
          "exit_code": .number(JSON.Number(record.exitCode)),
          "started_at": .string(start.startedAt.description),
          "finished_at": record.finishedAt.map { .string($0.description) } ?? .null,
          "in_doubt": .number(JSON.Number(record.inDoubt)),
        ]
      }
    }
  }

  static func isActive(_ id: RunID, in directory: StateDirectory) -> Bool {
    do {
      let lock = try directory.lock(id)
      return lock == nil
    } catch {
      return false
    }
  }

  private static func status(of record: RunRecord, isActive: Bool) -> String {
    if isActive { return "active" }
    guard record.inDoubt > 0 else { return record.status.rawValue }
    return record.status == .inDoubt
      ? "in doubt (\(record.inDoubt))" : "\(record.status.rawValue), in doubt (\(record.inDoubt))"
  }
}
