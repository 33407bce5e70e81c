import GraphFlow
import GraphSandbox

/// Why a command fails: a message for people, and an exit code for scripts.
///
/// Functions of this module throw it, unless their types or comments name another error.
struct CommandFailure: Error {
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
}

extension CommandFailure: CustomStringConvertible {
  /// The message, so that other messages can include it.
  var description: String { message }
}

extension CommandFailure {
  init(_ error: any Error) {
    switch error {
    case let failure as CommandFailure:
      self = failure
    case let error as JournalError:
      self.init(CommandFailure.status(of: error), "\(error)")
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

  private static func status(of error: JournalError) -> ExitStatus {
    switch error.kind {
    case .cannotCreate: .cannotCreate
    case .cannotWrite: .cannotWrite
    case .damaged, .otherVersion: .invalid
    case .notFound: .unreadable
    case .locked: .tryAgainLater
    case .foreign: .notPermitted
    }
  }
}
