import GraphFlow
import JSONPath

/// The program that the configuration names for events, and the events that it gets.
///
/// The program reads one JSON object on standard input. It never gets a secret: its environment is
/// without the variables of this tool, and the object is masked like every other output.
struct Notifier: Sendable {
  /// What a person or a program may want to know at once.
  enum Event: String, CaseIterable {
    // Of runs.
    case runFailed = "run_failed"
    case inDoubt = "in_doubt"
    case throttled, recovered
    // Of logins and tokens.
    case loggedIn = "logged_in"
    case loggedOut = "logged_out"
    case cancelled
    case loginFailed = "login_failed"
    case tokenInvalidated = "token_invalidated"
    case userChanged = "user_changed"
    case permissionLost = "permission_lost"
  }

  private static let timeout = Duration.seconds(10)
  private static let outputLimit = 1 << 20
  var command: [String]
  var events = Set(Event.allCases)

  /// Runs the program, and waits for it; a failure is a warning.
  func send(_ event: Event, _ facts: JSON.Object) {
    guard events.contains(event) else { return }
    var members: JSON.Object = [
      "event": .string(event.rawValue), "time": .string(WallClock.now().description),
    ]
    for (name, value) in facts { members[name] = value }
    let text = TokenShape.masking(JSON.object(members).serialized())
    do {
      _ = try ChildProcess.output(
        of: command, reading: ProcessRedactor.redacted(Array((text + "\n").utf8)),
        limit: Notifier.outputLimit, within: Notifier.timeout)
    } catch {
      // Also for a quiet command: somebody relies on the program.
      Terminal.warn("notify: \(TokenSource.shown(command.first ?? "")) \(error)")
    }
  }

  /// Reports that a command about a login has failed.
  func sendFailure(of profile: String, _ failure: CommandFailure) {
    let wasCancelled =
      [.interrupted, .terminated].contains(failure.status) || failure.message == Self.refusal
    send(
      wasCancelled ? .cancelled : .loginFailed,
      [
        "profile": .string(profile), "message": .string(failure.message),
        "exit_code": .number(.init(Int(failure.status.rawValue))),
      ])
  }

  /// The message of a login that the person has refused.
  static let refusal = "the person refused the login"
}
