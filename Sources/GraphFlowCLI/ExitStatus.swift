/// The command's exit codes; scripts may rely on every one of them.
///
/// The numbers from 64 to 78 are those of `sysexits.h`; 130 and 143 are what a shell reports for a
/// process that a signal has ended. docs/reference/cli.md has the same table.
enum ExitStatus: Int32, CaseIterable {
  /// Every request succeeded, or was skipped by its own `when`.
  case succeeded = 0
  /// At least one request failed, or an expectation did not hold.
  case failed = 1
  /// Writes are in doubt: a person has to check them before the run continues.
  case inDoubt = 3
  /// The command line is wrong.
  case usage = 64
  /// The workflow file, an input, a query or a document is invalid.
  case invalid = 65
  /// A file cannot be read.
  case unreadable = 66
  /// The Graph API could not be reached at all.
  case unreachable = 69
  /// A bug in this program.
  case internalError = 70
  /// The system provides too little, such as memory or open files.
  case systemLimit = 71
  /// An output cannot be created.
  case cannotCreate = 73
  /// An output cannot be written.
  case cannotWrite = 74
  /// Unfinished: try again later.
  case tryAgainLater = 75
  /// A permission or a token is missing or invalid.
  case notPermitted = 77
  /// The configuration is invalid.
  case misconfigured = 78
  /// Stopped by SIGINT.
  case interrupted = 130
  /// Stopped by SIGTERM or SIGHUP.
  case terminated = 143

  /// The statuses, the worst first, for a command to which several apply.
  private static let byWeight: [ExitStatus] = [
    .interrupted, .terminated, .inDoubt, .internalError, .systemLimit, .notPermitted,
    .misconfigured, .cannotWrite, .cannotCreate, .unreachable, .tryAgainLater, .unreadable,
    .invalid, .usage, .failed, .succeeded,
  ]

  /// Ends the command with this status unless it succeeded; all messages have been printed.
  func throwUnlessSucceeded() throws { if self != .succeeded { throw CommandFailure.silent(self) } }

  static func worst(of statuses: [ExitStatus]) -> ExitStatus {
    byWeight.first(where: statuses.contains) ?? .succeeded
  }
}
