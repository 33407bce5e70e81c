/// What the command's exit code says; scripts may rely on every one of them.
///
/// The numbers from 64 are those of `sysexits.h`; 130 and 143 are what a shell reports for a
/// process that a signal ended. docs/reference/cli.md has the same table.
enum ExitStatus: Int32, CaseIterable {
  /// Every request succeeded, or was skipped by its own `when`.
  case succeeded = 0
  /// At least one request failed, or an expectation did not hold.
  case failed = 1
  /// Writes are in doubt: a person has to look before the run goes on.
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
  /// The system gives the process too little, such as memory or files that may be open.
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

  /// The statuses from the one that matters most, for a command that ends in several ways.
  private static let byWeight: [ExitStatus] = [
    .interrupted, .terminated, .inDoubt, .internalError, .systemLimit, .notPermitted,
    .misconfigured,
    .cannotWrite, .cannotCreate, .unreachable, .tryAgainLater, .unreadable, .invalid, .usage,
    .failed, .succeeded,
  ]

  /// Ends the command with this status, unless all went well; everything has been said by then.
  func throwUnlessSucceeded() throws {
    if self != .succeeded { throw CommandFailure.silent(self) }
  }

  /// The status that matters most; success where there is none.
  static func worst(of statuses: [ExitStatus]) -> ExitStatus {
    byWeight.first(where: statuses.contains) ?? .succeeded
  }
}
