/// Where a profile's token comes from.
enum TokenSource: Sendable {
  /// The login that the tool has stored; comes with a later version.
  case login
  /// An environment variable.
  case environment(String)
  /// A file for the owner's eyes only.
  case file(String)
  /// A program that prints the token, with its arguments; no shell is involved.
  case command([String])
}
