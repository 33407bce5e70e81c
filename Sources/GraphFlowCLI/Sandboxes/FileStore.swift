import GraphFlow
import GraphSandbox
import Synchronization

/// A world's store in a SQLite file.
final class FileStore: WorldStore {
  // A class, because all writers share the file and one warning is printed.
  private let file: RecordFile
  private let isFailing = Mutex(false)

  init(path: String) throws {
    do {
      file = try RecordFile(path: path)
    } catch {
      let status: ExitStatus = error.kind == .damaged ? .invalid : .cannotCreate
      throw CommandFailure(status, "the store cannot be used: \(error)")
    }
  }

  func forEachRecord(_ visit: (_ key: String, _ value: [UInt8]) throws -> Void) throws {
    try file.readAll(visit)
  }

  func change(_ records: [(key: String, value: [UInt8]?)]) -> Bool {
    do {
      try file.change(records)
      isFailing.withLock { $0 = false }
      return true
    } catch {
      let isNew = isFailing.withLock { failing in
        defer { failing = true }
        return !failing
      }
      if isNew { Terminal.notify("warning: the world cannot be stored: \(error)") }
      return false
    }
  }
}
