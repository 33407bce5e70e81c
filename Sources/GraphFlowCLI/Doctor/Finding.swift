import GraphFlow
import JSONPath

/// The result of one check of `graphflow doctor`.
struct Finding: Sendable, Hashable {
  enum Level: String {
    case ok, warning, failed, skipped
  }

  /// What was checked, such as `token`.
  let check: String
  let level: Level
  /// What was found, without secrets.
  let message: String
  /// What to do next.
  var hint: String?
  /// The exit code of the command, if nothing worse was found.
  var status = ExitStatus.succeeded

  static func ok(_ check: String, _ message: String) -> Finding {
    Finding(check: check, level: .ok, message: message)
  }

  static func skipped(_ check: String, _ reason: String) -> Finding {
    Finding(check: check, level: .skipped, message: reason)
  }

  static func warning(_ check: String, _ message: String, hint: String) -> Finding {
    Finding(check: check, level: .warning, message: message, hint: hint)
  }

  static func failed(_ check: String, _ failure: CommandFailure) -> Finding {
    Finding(
      check: check, level: .failed, message: failure.message, hint: failure.hint,
      status: failure.status)
  }
}

extension [Finding] {
  var status: ExitStatus {
    var outcome = CommandOutcome()
    for finding in self { outcome.record(finding.status) }
    return outcome.status
  }

  /// A line for each finding, and below it what to do.
  func text(hasColor: Bool) -> String {
    let colors: [Finding.Level: String] = [.ok: "32", .warning: "33", .failed: "31", .skipped: "2"]
    return map { finding in
      let word = finding.level.rawValue.padded(to: 9)
      let level = hasColor ? "\u{1B}[\(colors[finding.level] ?? "0")m\(word)\u{1B}[0m" : word
      let line = level + finding.check.padded(to: 15) + Untrusted.shown(finding.message)
      guard let hint = finding.hint else { return line }
      return line + "\n" + String(repeating: " ", count: 24) + Untrusted.shown(hint)
    }
    .joined(separator: "\n")
  }

  var json: JSON {
    [
      "exit_code": .number(.init(Int(status.rawValue))),
      "checks": .array(
        map { finding in
          [
            "check": .string(finding.check), "level": .string(finding.level.rawValue),
            "message": .string(finding.message), "hint": finding.hint.map(JSON.string) ?? .null,
          ]
        }),
    ]
  }
}
