/// Why a command ends without having done its work: one message for people, one code for scripts.
struct CommandFailure: Error {
  /// The exit code.
  var status: ExitStatus
  /// What is wrong, without a full stop; an empty message has been printed already.
  var message: String
  /// How to go on, in a sentence.
  var hint: String?

  /// Makes a failure from its code and its message.
  init(_ status: ExitStatus, _ message: String, hint: String? = nil) {
    self.status = status
    self.message = message
    self.hint = hint
  }

  /// The end of a command that has already said everything.
  static func silent(_ status: ExitStatus) -> CommandFailure { CommandFailure(status, "") }
}

extension CommandFailure: CustomStringConvertible {
  /// The message: others may put it into a sentence of theirs.
  var description: String { message }
}
