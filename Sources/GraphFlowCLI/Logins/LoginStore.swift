import GraphAPI
import GraphFlow

/// The stored logins: `graphflow/logins` beside the configuration, a file for each profile and host.
///
/// Each host has its own logins, so that a login at a sandbox replaces no real one, and no token is
/// sent to another host. The folder has mode 0700, its files 0600; if others may read them, they
/// are not read. They are beside the configuration and not with the runs, because no file of the
/// state directory holds a token.
struct LoginStore: Sendable {
  let folder: String
  private static let limit = 1 << 20
  private static let maximumNameLength = 120

  /// The user's own store; nil if neither `XDG_CONFIG_HOME` nor `HOME` is set.
  static var standard: LoginStore? {
    Configuration.folder.map { LoginStore(folder: $0 + "/logins") }
  }

  static func required() throws -> LoginStore {
    guard let store = standard else {
      throw CommandFailure(
        .misconfigured, "there is no folder for logins: neither XDG_CONFIG_HOME nor HOME is set")
    }
    return store
  }

  /// Whether there is a login for the profile, at this host or another.
  func hasLogin(for profile: String) -> Bool { !hosts(of: profile).isEmpty }

  /// Whether there is a login for the profile at this host, readable or not.
  func hasLogin(for profile: String, at url: GraphURL) -> Bool {
    guard let path = try? path(of: profile, at: url) else { return false }
    return FileStatus(path, ofLink: true) != nil
  }

  func login(
    of profile: String, at url: GraphURL, now: Int = WallClock.seconds()
  ) throws -> StoredLogin {
    let path = try path(of: profile, at: url)
    try check(profile, at: url)
    let command = LoginStore.command(for: profile, at: url)
    func unreadable(_ reason: String) -> CommandFailure {
      CommandFailure(
        .misconfigured, "cannot use the login '\(path)': \(reason)",
        hint: "log in again: \(command)")
    }
    guard FileStatus(path) != nil else {
      let others = hosts(of: profile)
      let remark = others.isEmpty ? "" : ", only for \(others.joined(separator: ", "))"
      throw CommandFailure(
        .notPermitted, "profile '\(profile)': there is no stored login for \(url)\(remark)",
        hint: "log in: \(command)")
    }
    let login: StoredLogin
    do {
      let file = try InputFile(regular: path)
      // Checks the opened file: the name may be that of another file by now.
      try check(try FileStatus(of: file.descriptor), of: path)
      login = try StoredLogin(fileText: try FileReading.bytes(of: file, limit: Self.limit))
    } catch let error as SystemError {
      throw unreadable(error.description)
    }
    ProcessRedactor.record(login.token)
    guard login.profile == profile, login.graphURL == url else {
      throw unreadable("it is the login of another profile or host")
    }
    if login.facts.end.isExpired(at: now), let end = login.facts.end.seconds {
      throw CommandFailure(
        .notPermitted, "profile '\(profile)': the login expired on \(DayText.day(end))",
        hint: "log in again: \(command)")
    }
    return login
  }

  /// Refuses a folder or a login that others may read; a missing one is accepted.
  func check(_ profile: String, at url: GraphURL) throws {
    for path in [folder, try path(of: profile, at: url)] { try check(FileStatus(path), of: path) }
  }

  /// Writes a login atomically, in place of an older one.
  func save(_ login: StoredLogin) throws {
    let path = try path(of: login.profile, at: login.graphURL)
    try check(FileStatus(folder), of: folder)
    _ = try PrivateFolder(creating: folder)
    // Keeps the tokens out of version control, even if the configuration is in it.
    let ignored = folder + "/.gitignore"
    if FileStatus(ignored) == nil { try writeAtomically(Array("*\n".utf8), to: ignored) }
    try writeAtomically(Array(login.fileText.utf8), to: path)
  }

  /// Removes a login, even a damaged one.
  func remove(_ profile: String, at url: GraphURL) throws -> Bool {
    let path = try path(of: profile, at: url)
    guard unlink(path) != 0 else { return true }
    guard errno != ENOENT else { return false }
    throw CommandFailure(.cannotWrite, "cannot remove '\(path)': \(SystemError.last)")
  }

  /// The command that stores a login; `page` is the profile of `login --page`.
  static func command(for profile: String, at url: GraphURL) -> String {
    "graphflow login"
      + (profile == "page" ? " --page NAME" + host(url) : options(for: profile, at: url))
  }

  /// The options by which a command finds a login.
  static func options(for profile: String, at url: GraphURL) -> String {
    let isPlain = profile.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte & 0xDF) || byte == 45 || byte == 95
    }
    return " --profile \(isPlain ? profile : "'\(profile)'")" + host(url)
  }

  private static func host(_ url: GraphURL) -> String {
    url == .standard ? "" : " --graph-url \(url)"
  }

  /// The path of a profile's login: `PROFILE@HOST.json`, percent-encoded where it must be.
  private func path(of profile: String, at url: GraphURL) throws -> String {
    let name = PercentEncoding.encoded(profile)
    guard !name.isEmpty, !name.hasPrefix("."), name.utf8.count <= Self.maximumNameLength else {
      throw CommandFailure(.usage, "'\(profile)' cannot be the name of a profile with a login")
    }
    // A host without TLS counts as another host.
    let host = url.description.replacing("https://", with: "", maxReplacements: 1)
    return "\(folder)/\(name)@\(PercentEncoding.encoded(host)).json"
  }

  /// The hosts for which a profile has logins, as their files are named.
  private func hosts(of profile: String) -> [String] {
    let beginning = PercentEncoding.encoded(profile) + "@"
    return ((try? FileReading.entries(of: folder)) ?? []).compactMap { name in
      guard name.hasPrefix(beginning), name.hasSuffix(".json") else { return nil }
      return PercentEncoding.decoded(String(name.dropFirst(beginning.count).dropLast(5)))
    }
  }

  /// The profiles with a login at some host.
  var profiles: [String] {
    ((try? FileReading.entries(of: folder)) ?? []).compactMap { name in
      guard name.hasSuffix(".json"), let at = name.firstIndex(of: "@") else { return nil }
      return PercentEncoding.decoded(String(name[..<at]))
    }
  }

  private func check(_ status: FileStatus?, of path: String) throws {
    guard let status else { return }
    guard status.owner == geteuid() || geteuid() == 0 else {
      throw CommandFailure(.misconfigured, "'\(path)' belongs to another user")
    }
    if status.isPrivate { return }
    throw CommandFailure(
      .misconfigured, "'\(path)' can be read by users other than its owner",
      hint: "chmod \(status.isFolder ? 700 : 600) '\(path)'; if others could read it, log in again")
  }
}
