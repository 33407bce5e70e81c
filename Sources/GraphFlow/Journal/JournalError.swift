/// Why a journal or its folder cannot be used.
package struct JournalError: Error, Hashable, Sendable {
  /// The kind of error, which determines the exit code of the command.
  package enum Kind: String, Hashable, Sendable {
    /// A folder or file cannot be created or opened: exit code 73.
    case cannotCreate
    /// The disk is full or failing, or the file is read-only: exit code 74.
    case cannotWrite
    /// The file is not a journal, or parts of it are missing.
    case damaged
    /// Another version of the tool wrote it.
    case otherVersion
    /// There is no such run.
    case notFound
    /// Another process holds it.
    case locked
    /// It belongs to another user, or others may write to it: exit code 77.
    case foreign
    /// The database does not answer: exit code 75.
    case unavailable
    /// Another process has taken over the run, because this one did not renew its lease: exit code 75.
    case lockLost
    /// The address of a database is wrong, or it has no tables: exit code 78.
    case misconfigured
  }

  package let kind: Kind
  package let path: String
  /// What happened, as a fragment without a full stop.
  package let message: String

  init(_ kind: Kind, path: String, message: String) {
    self.kind = kind
    self.path = path
    self.message = message
  }
}

extension JournalError: CustomStringConvertible {
  package var description: String { "\(path): \(message)" }
}
