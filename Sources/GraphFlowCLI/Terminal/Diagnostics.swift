import GraphFlow

/// Diagnostics on the command's streams.
enum Diagnostics {
  /// The diagnostics, with their lines of the source, without the last line break.
  static func text(of diagnostics: [Diagnostic], in source: SourceFile?, on stream: Int32) -> String
  {
    let text = diagnostics.text(in: source, color: Terminal.hasColor(stream))
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  /// Prints errors and warnings on standard error; only `validate` prints notes.
  static func report(_ diagnostics: [Diagnostic], of source: SourceFile?, onlyErrors: Bool = false)
  {
    let diagnostics = diagnostics.filter {
      $0.severity == .error || $0.severity == .warning && !onlyErrors
    }
    guard !diagnostics.isEmpty else { return }
    Terminal.notify(text(of: diagnostics, in: source, on: STDERR_FILENO))
  }
}
