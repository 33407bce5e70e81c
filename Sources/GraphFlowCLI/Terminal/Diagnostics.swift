import GraphFlow
import JSONPath

/// Diagnostics on the command's streams.
enum Diagnostics {
  /// The diagnostics without the last line break; coloured if the stream takes colours.
  ///
  /// If the source is given, each comes with its line.
  static func text(of diagnostics: [Diagnostic], in source: SourceFile?, on stream: Int32) -> String
  {
    let text = diagnostics.text(in: source, color: Terminal.hasColor(stream))
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  /// The diagnostics as one JSON list, each on its own line.
  static func json(of diagnostics: [Diagnostic]) -> String {
    guard !diagnostics.isEmpty else { return "[]" }
    let lines = diagnostics.map { "  " + $0.json.serialized() }
    return "[\n" + lines.joined(separator: ",\n") + "\n]"
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
