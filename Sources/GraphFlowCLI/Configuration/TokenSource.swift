/// Where a profile's token comes from.
enum TokenSource: Sendable {
  /// The login that `graphflow login` has stored.
  case login
  /// An environment variable.
  case environment(String)
  /// A file for the owner's eyes only.
  case file(String)
  /// A program that prints the token, with its arguments; no shell is involved.
  case command([String])

  /// What people call it, without anything that may be secret.
  var words: String {
    switch self {
    case .login: "the stored login"
    case .environment(let name): "the variable \(name)"
    case .file(let path): "the file '\(path)'"
    case .command(let words): "the program '\(words.first ?? "")'"
    }
  }

  /// The key by which the configuration names it.
  var key: String {
    switch self {
    case .login: "login"
    case .environment: "env"
    case .file: "file"
    case .command: "command"
    }
  }
}
