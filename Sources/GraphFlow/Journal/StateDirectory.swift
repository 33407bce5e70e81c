#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Where runs are kept: `STATE/runs/<RunID>/{journal.sqlite, report.json}`.
///
/// The report of a run that is too large for one object is `report.jsonl` instead.
///
/// Folders have mode 0700 and files 0600, whatever the umask. Nothing is made before the first run.
public struct StateDirectory: Hashable, Sendable {
  /// The folder.
  public let path: String

  /// Names a folder, which need not exist.
  public init(path: String) {
    self.path = path
  }

  /// The user's own: `$XDG_STATE_HOME/graphflow`, else `~/.local/state/graphflow`.
  ///
  /// A relative `XDG_STATE_HOME` is ignored, as the XDG Base Directory Specification demands.
  /// Without `HOME`, as under some schedulers, the user database is asked.
  public static func standard(environment: [String: String]) -> String {
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
      return "\(state)/graphflow"
    }
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? registeredHome
    return "\(home == "/" ? "" : home)/.local/state/graphflow"
  }

  /// The runs, newest first.
  public func runs() throws(JournalError) -> [RunID] {
    guard let folder = opendir(runsPath) else {
      if errno == ENOENT { return [] }
      throw JournalError(.cannotCreate, failingAt: runsPath)
    }
    defer { closedir(folder) }
    var runs: [RunID] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
      }
      if let id = RunID(name) { runs.append(id) }
    }
    return runs.sorted(by: >)
  }

  /// The newest run, if there is one.
  public func latest() throws(JournalError) -> RunID? { try runs().first }

  /// Where a run's report is kept, as one object or as lines.
  public func reportPath(_ id: RunID, asLines: Bool = false) -> String {
    "\(folder(of: id))/report.\(asLines ? "jsonl" : "json")"
  }

  /// Removes a run's report in one form, if there is one, because there is a newer one in the other.
  public func removeReport(_ id: RunID, asLines: Bool) {
    unlink(reportPath(id, asLines: asLines))
  }

  /// Where a run's journal is.
  public func journalPath(_ id: RunID) -> String { "\(folder(of: id))/\(journalName)" }

  /// Makes the folder and the journal of a new run.
  ///
  /// - Throws: `cannotCreate` if they cannot be made or exist already, `cannotWrite` for a full disk.
  public func createJournal(for id: RunID) throws(JournalError) -> SQLiteJournal {
    _ = try PrivateFolder(making: runsPath)
    try PrivateFolder(makingNew: folder(of: id)).makeFile(journalName)
    return try SQLiteJournal(path: journalPath(id))
  }

  /// Opens the journal of a run that exists.
  ///
  /// - Throws: `notFound`, `damaged`, `newer`, `locked` or `cannotWrite`.
  public func openJournal(_ id: RunID) throws(JournalError) -> SQLiteJournal {
    try SQLiteJournal(path: journalPath(id))
  }

  /// Takes the lock of a workflow file and a profile; nil when another process holds it.
  ///
  /// The same file is the same lock whatever path leads to it.
  public func lock(file: String, profile: String) throws(JournalError) -> RunLock? {
    let folder = try PrivateFolder(making: "\(path)/locks")
    var seal = EventSeal()
    seal.add(kind: profile, json: Array(StateDirectory.canonical(file).utf8), body: nil)
    let digits = String(seal.value, radix: 16)
    let name = String(repeating: "0", count: 16 - digits.count) + digits
    return try RunLock(path: "\(folder.path)/\(name).lock")
  }

  private var runsPath: String { "\(path)/runs" }

  private var journalName: String { "journal.sqlite" }

  private func folder(of id: RunID) -> String { "\(runsPath)/\(id)" }

  private static var registeredHome: String {
    guard let entry = getpwuid(getuid()), let home = entry.pointee.pw_dir else { return "/" }
    return String(cString: home)
  }

  private static func canonical(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
