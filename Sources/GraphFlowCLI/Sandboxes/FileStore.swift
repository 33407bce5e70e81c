import GraphFlow
import GraphSandbox
import Synchronization

/// A world's store in a SQLite file.
final class FileStore: WorldStore {
  // A class, because all writers share the file and one warning is printed.
  private let file: RecordFile
  private let warning = RepeatedWarning("the world cannot be stored")

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
      warning.report(nil)
      return true
    } catch {
      warning.report(error)
      return false
    }
  }
}

/// A warning that is printed once, until what it is about succeeds again.
final class RepeatedWarning: Sendable {
  private let message: String
  private let isFailing = Mutex(false)

  init(_ message: String) { self.message = message }

  func report(_ failure: (any Error)?) {
    let wasFailing = isFailing.withLock { isFailing in
      defer { isFailing = failure != nil }
      return isFailing
    }
    if let failure, !wasFailing { Terminal.notify("warning: \(message): \(failure)") }
  }
}
