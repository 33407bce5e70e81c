/// The style of text output.
package enum TextStyle: Hashable, Sendable {
  /// Without escape sequences, for pipes, files and mail.
  case plain
  /// With terminal colors.
  case colored

  /// The text with the parameters of a terminal's SGR sequence (ECMA-48 §8.3.117), if it has colors.
  func apply(_ parameters: String, to text: String) -> String {
    self == .plain ? text : "\u{1b}[\(parameters)m\(text)\u{1b}[0m"
  }
}
