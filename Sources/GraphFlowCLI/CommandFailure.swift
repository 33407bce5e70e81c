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
