/// A message of a rule about a place in a file.
public struct Diagnostic: Hashable, Sendable {
  /// How serious a problem is.
  public enum Severity: String, Hashable, Sendable {
    /// The file cannot be used.
    case error
    /// The file can be used, but probably does not do what its author wants.
    case warning
    /// Advice.
    case note
  }

  /// How serious the problem is.
  public let severity: Severity
  /// The stable id of the rule, in kebab case; `docs/reference/diagnostics.md` has a section for
  /// each.
  public let rule: String
  /// What is wrong, without a full stop.
  public let message: String
  /// The file's path as the user typed it.
  public let file: String
  /// The place in the file.
  public let location: SourceLocation
  /// How to fix it, printed beside the caret: `did you mean 'status-post'?`.
  public let hint: String?
  /// The text that replaces the text at the location; nil unless it certainly fixes the problem.
  public let fix: String?

  package init(
    severity: Severity = .error, rule: String, message: String, file: String,
    location: SourceLocation, hint: String? = nil, fix: String? = nil
  ) {
    self.severity = severity
    self.rule = rule
    self.message = message
    self.file = file
    self.location = location
    self.hint = hint
    self.fix = fix
  }
}

extension Diagnostic {
  /// The message with the hint, for formats with one text.
  var sentence: String { hint.map { "\(message); \($0)" } ?? message }

  /// The diagnostic with its place in the file that it is in.
  func placed(in source: SourceFile) -> Diagnostic {
    guard file == source.path, !source.parts.isEmpty else { return self }
    let place = source.parts.place(of: location)
    return Diagnostic(
      severity: severity, rule: rule, message: message, file: place.path ?? file,
      location: place.location, hint: hint, fix: fix)
  }

  /// Whether it comes before another one in a list: by place, then rule, then message.
  package func precedes(_ other: Diagnostic) -> Bool {
    (location, rule, message) < (other.location, other.rule, other.message)
  }
}
