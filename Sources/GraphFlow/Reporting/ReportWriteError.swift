/// Why a report could not be written.
package struct ReportWriteError: Error, Hashable, Sendable {
  /// What failed, which determines the exit code of the command.
  package enum Kind: String, Hashable, Sendable {
    /// The file cannot be created in its folder: exit code 73.
    case cannotCreate
    /// It cannot be written completely, for example because the disk is full: exit code 74.
    case cannotWrite
  }

  package let kind: Kind
  package let path: String
  /// The system's reason.
  package let message: String

  package var exitCode: Int {
    switch kind {
    case .cannotCreate: 73
    case .cannotWrite: 74
    }
  }
}

extension ReportWriteError: CustomStringConvertible {
  package var description: String {
    switch kind {
    case .cannotCreate: "cannot create \(path): \(message)"
    case .cannotWrite: "cannot write \(path): \(message)"
    }
  }
}
