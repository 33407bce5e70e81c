#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Where runs are kept: `STATE/runs/<RunID>/{journal.sqlite, report.json}`.
///
/// The report of a run that is too large for one object is `report.jsonl` instead. `locks` has a
/// file for each workflow file and profile, `keys` one for each key of a workflow file.
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
    let runs = try StateDirectory.names(in: runsPath).compactMap(RunID.init(_:))
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

  /// Looks into the journal of a run that exists, without changing anything.
  ///
  /// - Throws: `notFound`, `damaged`, `newer`, `locked` or `cannotCreate`.
  public func reading(_ id: RunID) throws(JournalError) -> JournalReading {
    try JournalReading(path: journalPath(id))
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

  /// Takes the lock of a key of a workflow file, whatever the profile; nil when it is held elsewhere.
  ///
  /// The run that it notes is the one under the key.
  public func lock(key: String, of file: String) throws(JournalError) -> RunLock? {
    let folder = try PrivateFolder(making: keysPath)
    var digest = FileDigest()
    digest.update(Array(StateDirectory.canonical(file).utf8) + [0] + Array(key.utf8))
    return try RunLock(path: "\(folder.path)/\(digest.text).key")
  }

  /// Takes the lock of a run itself, which everybody holds who works on it; nil when it is held
  /// elsewhere or the run is gone.
  public func lock(_ id: RunID) throws(JournalError) -> RunLock? {
    try RunLock(folder: folder(of: id))
  }

  /// Removes a run with all that is kept of it.
  ///
  /// It disappears at once and as a whole, also if this process is killed.
  public func remove(_ id: RunID) throws(JournalError) {
    let doomed = "\(runsPath)/\(StateDirectory.doomed)\(id)"
    guard rename(folder(of: id), doomed) == 0 else {
      throw JournalError(.cannotWrite, failingAt: folder(of: id))
    }
    try StateDirectory.removeFolder(doomed)
  }

  /// Removes what is left of runs whose removal was interrupted.
  public func removeRests() throws(JournalError) {
    for name in try StateDirectory.names(in: runsPath)
    where name.hasPrefix(StateDirectory.doomed) {
      try StateDirectory.removeFolder("\(runsPath)/\(name)")
    }
  }

  /// Forgets the keys whose run is gone; one that is in use stays.
  public func removeOrphanedKeys() throws(JournalError) {
    let runs = Set(try runs())
    for name in try StateDirectory.names(in: keysPath) where name.hasSuffix(".key") {
      guard let lock = try RunLock(path: "\(keysPath)/\(name)") else { continue }
      if lock.run.map(runs.contains) != true { lock.remove() }
    }
  }

  private static let doomed = ".removed-"

  private static func removeFolder(_ path: String) throws(JournalError) {
    for name in try names(in: path) { unlink("\(path)/\(name)") }
    guard rmdir(path) == 0 else { throw JournalError(.cannotWrite, failingAt: path) }
  }

  private static func names(in folder: String) throws(JournalError) -> [String] {
    guard let stream = opendir(folder) else {
      if errno == ENOENT { return [] }
      throw JournalError(.cannotCreate, failingAt: folder)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  private var runsPath: String { "\(path)/runs" }

  private var keysPath: String { "\(path)/keys" }

  private var journalName: String { "journal.sqlite" }

  private func folder(of id: RunID) -> String { "\(runsPath)/\(id)" }

  private static var registeredHome: String {
    guard let entry = getpwuid(getuid()), let home = entry.pointee.pw_dir else { return "/" }
    return String(cString: home)
  }

  /// The path of a file without links, so that the same file has one; as it is if there is none.
  public static func canonical(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
