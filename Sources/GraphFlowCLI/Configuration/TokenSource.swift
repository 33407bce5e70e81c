/// Where a profile's token comes from.
enum TokenSource: Sendable {
  /// The login that `graphflow login` has stored.
  case login
  case environment(String)
  /// A file that only its owner may read.
  case file(String)
  /// A program that prints the token, with its arguments; no shell is involved.
  case command([String])

  /// A description for messages, without anything that may be secret.
  var label: String {
    switch self {
    case .login: "the stored login"
    case .environment(let name): "the variable \(TokenSource.shown(name))"
    case .file(let path): "the file \(TokenSource.shown(path))"
    case .command(let words): "the program \(TokenSource.shown(words.first ?? ""))"
    }
  }

  /// A name from the configuration for a message.
  ///
  /// A long word is not shown: it may be a token that was written in place of its source.
  static func shown(_ text: String) -> String {
    let isVariable = text.utf8.allSatisfy {
      (65...90).contains($0) || (48...57).contains($0) || $0 == 95
    }
    if isVariable { return text }
    return text.contains("/") || text.utf8.count < 20
      ? "'\(text)'" : "that the configuration names"
  }

  var key: String {
    switch self {
    case .login: "login"
    case .environment: "env"
    case .file: "file"
    case .command: "command"
    }
  }
}
