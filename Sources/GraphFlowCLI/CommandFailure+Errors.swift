import GraphFlow
import GraphSandbox

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
