import GraphAPI

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

extension TokenSource {
  /// The most that a file may hold or a program may print, 64 KiB.
  static let limit = 65_536
  private static let timeout = Duration.seconds(10)

  /// The token of the profile with this name, for requests to this host.
  ///
  /// Messages never show what was read.
  func token(of profile: String, at url: GraphURL) throws -> AccessToken {
    let (bytes, place): ([UInt8], String)
    switch self {
    case .login: return try LoginStore.required().login(of: profile, at: url).token
    case .environment(let name):
      guard let text = Environment.value(name) else {
        throw CommandFailure(
          .notPermitted,
          "profile '\(profile)': the environment variable \(TokenSource.shown(name)) is not set")
      }
      (bytes, place) = (Array(text.utf8), label)
    case .file(let path):
      (bytes, place) = (
        try TokenSource.secretBytes(of: path, for: profile), TokenSource.shown(path)
      )
    case .command(let words):
      place = TokenSource.shown(words.first ?? "")
      do {
        bytes = try ChildProcess.output(
          of: words, limit: TokenSource.limit, within: TokenSource.timeout)
      } catch {
        throw CommandFailure(.notPermitted, "profile '\(profile)': \(place) \(error)")
      }
    }
    let text = TokenSource.trimmed(bytes)
    guard !text.isEmpty else {
      throw CommandFailure(.notPermitted, "profile '\(profile)': \(place) holds no token")
    }
    guard let token = AccessToken(text) else {
      throw CommandFailure(
        .notPermitted, "profile '\(profile)': what \(place) holds is not a token",
        hint: "a token is one word without white space")
    }
    ProcessRedactor.record(token)
    return token
  }

  /// Refuses a source that can never provide a token.
  func check(of profile: String, at url: GraphURL) throws {
    switch self {
    case .login: try LoginStore.required().check(profile, at: url)
    case .file(let path):
      let path = Environment.expanded(path)
      if let status = FileStatus(path) { try TokenSource.check(status, of: path, for: profile) }
    case .environment, .command: break
    }
  }

  private static func check(_ status: FileStatus, of path: String, for profile: String) throws {
    guard !status.isPrivate else { return }
    throw CommandFailure(
      .misconfigured, "profile '\(profile)': '\(path)' can be read by users other than its owner",
      hint: "chmod 600 '\(path)'")
  }

  /// The bytes of a file that only its owner may read.
  private static func secretBytes(of path: String, for profile: String) throws -> [UInt8] {
    let path = Environment.expanded(path)
    do {
      let file = InputFile(try SystemError.check(open(path, O_RDONLY | O_CLOEXEC)))
      try check(try FileStatus(of: file.descriptor), of: path, for: profile)
      return try FileReading.bytes(of: file, limit: limit)
    } catch let error as SystemError {
      throw CommandFailure(
        .notPermitted, "profile '\(profile)': cannot read \(TokenSource.shown(path)): \(error)")
    }
  }

  /// The bytes as text, without the white space around it.
  static func trimmed(_ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes, as: UTF8.self).drop(while: \.isWhitespace)
    return String(text.reversed().drop(while: \.isWhitespace).reversed())
  }
}
