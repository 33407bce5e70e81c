import GraphFlow
import GraphSandbox

/// Why a command fails: a message for people, and an exit code for scripts.
///
/// Functions of this module throw it, unless their types or comments name another error.
struct CommandFailure: Error, CustomStringConvertible {
  var status: ExitStatus
  /// What is wrong, without a full stop; empty if it has been printed already.
  var message: String
  /// How to fix it, in a sentence.
  var hint: String?

  init(_ status: ExitStatus, _ message: String, hint: String? = nil) {
    self.status = status
    self.message = message
    self.hint = hint
  }

  /// The failure of a command that has already printed all its messages.
  static func silent(_ status: ExitStatus) -> CommandFailure { CommandFailure(status, "") }

  /// The message, so that other messages can include it.
  var description: String { message }

  init(_ error: any Error) {
    switch error {
    case let failure as CommandFailure:
      self = failure
    case let error as JournalError:
      let status: ExitStatus =
        switch error.kind {
        case .cannotCreate: .cannotCreate
        case .cannotWrite: .cannotWrite
        case .damaged, .otherVersion: .invalid
        case .notFound: .unreadable
        case .locked, .unavailable, .lockLost: .tryAgainLater
        case .misconfigured: .misconfigured
        case .foreign: .notPermitted
        }
      self.init(status, "\(error)")
    case let error as ReportWriteError:
      self.init(error.kind == .cannotCreate ? .cannotCreate : .cannotWrite, "\(error)")
    case let error as SandboxFailure:
      self.init(
        .unreachable, "\(error)",
        hint: error.isPortTaken ? "choose another with --port; --port 0 picks a free one" : nil)
    case is CancellationError:
      self.init(.interrupted, "stopped")
    default:
      self.init(
        .internalError, "internal error: \(error)",
        hint: "this is a bug in graphflow; please report it")
    }
  }
}

/// The outcome of a command that does several things, and continues when one of them fails.
struct CommandOutcome {
  /// The worst status so far.
  private(set) var status = ExitStatus.succeeded

  mutating func record(_ status: ExitStatus) { self.status = .worst(of: [self.status, status]) }

  /// Prints why a part has failed, and records its status.
  mutating func recordFailure(_ error: any Error) {
    let failure = CommandFailure(error)
    Terminal.printFailure(failure)
    record(failure.status)
  }

  /// Does a part; if it fails, that is printed and recorded.
  mutating func attempt(_ body: () throws -> Void) {
    do { try body() } catch { recordFailure(error) }
  }
}

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

  fileprivate static func worst(of statuses: [ExitStatus]) -> ExitStatus {
    byWeight.first(where: statuses.contains) ?? .succeeded
  }
}
