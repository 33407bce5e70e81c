internal import CSQLite

extension JournalError {
  /// Converts an error of SQLite, without the values of a statement.
  init(_ error: any Error, path: String, calling file: String = "the journal") {
    if let known = error as? JournalError {
      self = known
      return
    }
    guard let error = error as? SQLiteError else {
      self.init(.cannotWrite, path: path, message: "\(error)")
      return
    }
    let message = error.message
    switch error.code {
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      self.init(.damaged, path: path, message: "\(file) is damaged: \(message)")
    case SQLITE_BUSY, SQLITE_LOCKED:
      self.init(.locked, path: path, message: "another process holds \(file)")
    case SQLITE_CANTOPEN:
      self.init(.cannotCreate, path: path, message: message)
    case SQLITE_FULL:
      self.init(.cannotWrite, path: path, message: JournalError.diskFull)
    default:
      self.init(.cannotWrite, path: path, message: message)
    }
  }

  /// Whether releasing the reserved space may help.
  var isDiskFull: Bool { kind == .cannotWrite && message == JournalError.diskFull }

  private static let diskFull = "the disk is full"
}
