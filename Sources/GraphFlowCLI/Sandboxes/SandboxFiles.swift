import GraphFlow
import GraphSandbox
import JSONPath
import Synchronization

/// The sandbox's ledger: one line of JSON for each HTTP call, written before it is answered.
final class Ledger: Sendable {
  // A class, because the server's handlers share it; the lock keeps lines whole.
  private let file: Mutex<Int32>
  private let warning = RepeatedWarning("the ledger is incomplete")

  init(path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CommandFailure(.cannotCreate, "cannot create '\(path)': \(SystemError.last)")
    }
    file = Mutex(descriptor)
  }

  deinit { file.withLock { _ = close($0) } }

  /// Writes a call; a disk error does not stop the sandbox, and one warning is printed.
  func append(_ call: SandboxCall) {
    var line: [UInt8] = []
    Ledger.json(of: call).write(to: &line)
    line.append(UInt8(ascii: "\n"))
    warning.report(file.withLock { Terminal.write(line, to: $0) })
  }

  private static func json(of call: SandboxCall) -> JSON {
    [
      "call": .number(JSON.Number(call.number)),
      "path": .string(call.path),
      "status": .number(JSON.Number(call.status)),
      "batch": .bool(call.isBatch),
      "fault": call.fault.map { .string($0) } ?? .null,
      "operations": .array(
        call.operations.map { operation in
          [
            "name": operation.name.map { .string($0) } ?? .null,
            "method": .string("\(operation.method)"),
            "relative_url": .string(operation.relativeURL),
            "resolved_url": .string(operation.resolvedURL),
            "depends_on": operation.dependsOn.map { .string($0) } ?? .null,
            "code": operation.code.map { .number(JSON.Number($0)) } ?? .null,
            "error": operation.error.map { .string($0) } ?? .null,
            "applied": .bool(operation.isApplied),
            "fault": operation.fault.map { .string($0) } ?? .null,
            "note": operation.note.map { .string($0) } ?? .null,
          ]
        }),
    ]
  }
}

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
    if let failure, !wasFailing { Terminal.warn("\(message): \(failure)") }
  }
}
