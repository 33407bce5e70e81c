internal import GraphAPI

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The folder that stores runs: `STATE/runs/<RunID>/{journal.sqlite, report.json, stop}`.
///
/// `stop` exists while a run is to be stopped. A report that is too large for one object is `report.jsonl` instead. `locks` has a file for each
/// workflow file and profile, `keys` one for each key of a workflow file. `intents` has a file for each
/// run, which records how far its journal has reached (``JournalEvidence``). It is outside of the run's
/// folder, so that it survives damage to that folder.
///
/// Folders have mode 0700 and files 0600, whatever the umask is. Nothing is created before the first
/// run. Folders and journals of other users, and those that others may write to, are refused, because
/// the state directory itself may be shared.
package struct StateDirectory: Hashable, StateStore {
  package let path: String

  /// The folder does not have to exist.
  package init(path: String) { self.path = path }

  package var place: String { path }
  package var releaseDelay: Duration { .zero }
  /// The locks of a folder have no lease.
  package var holdsLocks: Bool { true }

  package func quota(warn: @escaping @Sendable (String) -> Void) -> any QuotaStore {
    QuotaFile(in: self, warn: warn)
  }

  package var bookmarks: BookmarkStore { BookmarkStore(table: BookmarkFile(folder: path)) }

  /// The user's state directory: `$XDG_STATE_HOME/graphflow`, else `~/.local/state/graphflow`.
  ///
  /// A relative `XDG_STATE_HOME` is ignored, as the XDG Base Directory Specification requires.
  /// Without `HOME`, as under some schedulers, the user database is used.
  package static func standard(environment: [String: String]) -> String {
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
      return "\(state)/graphflow"
    }
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? registeredHome
    return "\(home == "/" ? "" : home)/.local/state/graphflow"
  }

  /// The runs that have a folder, newest first.
  package func runs() throws(JournalError) -> [RunID] {
    try names(in: .runs).compactMap(RunID.init(_:)).sorted(by: >)
  }

  /// The path of a run's report, as one object or as lines.
  package func reportPath(_ id: RunID, asLines: Bool = false) -> String {
    reportPath(id, ending: asLines ? "jsonl" : "json")
  }

  package func reportPath(_ id: RunID, ending: String) -> String {
    "\(folder(of: id))/report.\(ending)"
  }

  /// Creates the folder for a run's report and rows if there is none.
  package func createFolder(of id: RunID) throws(JournalError) {
    _ = try PrivateFolder(creating: "\(trusted(.runs).path)/\(id)")
  }

  /// Deletes the folder of a run that is kept elsewhere, or was removed, if there is one.
  package func removeFolder(of id: RunID) throws(JournalError) {
    let folder = folder(of: id)
    if OpenFile.exists(folder) { try StateDirectory.delete(folder) }
  }

  /// Deletes a folder and the files in it.
  private static func delete(_ folder: String) throws(JournalError) {
    for name in try names(in: folder) { unlink("\(folder)/\(name)") }
    guard rmdir(folder) == 0 else { throw JournalError(.cannotWrite, failingAt: folder) }
  }

  /// The path of the rows of one of a run's outputs, whose name may be part of a file's name.
  package func rowsPath(_ id: RunID, of output: String) -> String {
    "\(folder(of: id))/rows-\(output).jsonl"
  }

  /// Removes a run's report in one format if it exists, because a newer one has the other format.
  package func removeReport(_ id: RunID, asLines: Bool) { unlink(reportPath(id, asLines: asLines)) }

  package func journalPath(_ id: RunID) -> String { "\(folder(of: id))/journal.sqlite" }

  /// Creates the folder and the journal of a new run, and its mark before both.
  ///
  /// - Throws: `cannotCreate` if they cannot be created or exist already, `cannotWrite` for a full disk.
  package func createJournal(
    for id: RunID, named names: RunNames = RunNames()
  ) throws(JournalError) -> SQLiteJournal {
    let intents = try trusted(.intents)
    let runs = try trusted(.runs)
    let mark = try IntentFile(creating: IntentMark(names: names), named: "\(id)", in: intents)
    try PrivateFolder(creatingNew: "\(runs.path)/\(id)").createFile("journal.sqlite")
    return try SQLiteJournal(path: journalPath(id), mark: mark)
  }

  /// Opens the journal of an existing run for reading, without changing anything.
  ///
  /// - Throws: `notFound`, `damaged`, `otherVersion`, `locked`, `cannotCreate` or `foreign`.
  package func reading(_ id: RunID) throws(JournalError) -> JournalReading {
    try refuseForeign(id)
    return try JournalReading(SQLiteRows(path: journalPath(id)))
  }

  /// Opens the journal of an existing run, to append to.
  ///
  /// If its mark is missing, a new one is created, with the names of the lock and the key that the run
  /// was started under. The run stays damaged until the next durable append updates the mark. The same
  /// holds for a truncated journal.
  ///
  /// - Throws: `notFound`, `damaged`, `otherVersion`, `locked`, `cannotWrite` or `foreign`.
  package func openJournal(
    _ id: RunID, named names: RunNames = RunNames()
  ) throws(JournalError) -> SQLiteJournal {
    try refuseForeign(id)
    return try SQLiteJournal(path: journalPath(id), mark: try intentFile(of: id, named: names))
  }

  /// Locks a workflow file and a profile; nil if another process holds the lock.
  ///
  /// Different paths to the same file use the same lock.
  package func lock(file: String, profile: String) throws(JournalError) -> RunLock? {
    try RunLock(path: "\(trusted(.locks).path)/\(StateDirectory.name(ofLock: file, profile))")
  }

  /// The file name of the lock of a workflow file and a profile: a digest of the profile, a zero
  /// byte and the path.
  ///
  /// It must never change, because every version has to find the last run of a file.
  package static func name(ofLock file: String, _ profile: String) -> String {
    var hash = FNV1a()
    hash.add(profile)
    hash.add(0)
    hash.add(canonical(file))
    let bytes = withUnsafeBytes(of: hash.value.bigEndian, Array.init)
    return Hexadecimal.text(of: bytes) + ".lock"
  }

  /// Locks a key of a workflow file, for all profiles; nil if another process holds the lock.
  ///
  /// Its last run is the run with the key.
  package func lock(key: String, of file: String) throws(JournalError) -> RunLock? {
    try RunLock(path: "\(trusted(.keys).path)/\(StateDirectory.name(ofKey: key, of: file))")
  }

  package static func name(ofKey key: String, of file: String) -> String {
    var digest = FileDigest()
    digest.update(Array(canonical(file).utf8) + [0] + Array(key.utf8))
    return "\(digest.text).key"
  }

  /// Locks a run, as every process does that works on it; nil if another process holds the lock, or the
  /// run does not exist.
  package func lock(_ id: RunID) throws(JournalError) -> RunLock? {
    try RunLock(folder: folder(of: id))
  }

  /// The file is on the same host as the run, so it is not kept.
  package func keepFile(of id: RunID, _ read: () -> [UInt8]?) throws(JournalError) {}
  package func keptFile(of id: RunID) throws(JournalError) -> [UInt8]? { nil }

  package func isActive(_ id: RunID) -> Bool {
    do throws(JournalError) { return try lock(id) == nil } catch { return false }
  }

  package func requestStop(of id: RunID) throws(JournalError) {
    try refuseForeign(id)
    try OpenFile(stopPath(id), for: .creating).makePrivate()
  }

  package func takeStopRequest(of id: RunID) -> Bool { unlink(stopPath(id)) == 0 }

  private func stopPath(_ id: RunID) -> String { "\(folder(of: id))/stop" }

  enum Folder: String {
    case runs, intents, locks, keys
  }

  func path(of folder: Folder) -> String { "\(path)/\(folder.rawValue)" }
  func folder(of id: RunID) -> String { "\(path(of: .runs))/\(id)" }
  func markPath(_ id: RunID) -> String { "\(path(of: .intents))/\(id)" }

  /// Opens a folder of the state directory, or creates it; it is refused if others may write to it.
  private func trusted(_ folder: Folder) throws(JournalError) -> PrivateFolder {
    if !OpenFile.exists(path) { _ = try PrivateFolder(creating: path) }
    let folder = try PrivateFolder(creating: path(of: folder))
    try PrivateFolder.refuseForeign(folder.path)
    return folder
  }

  /// Refuses a run that another user could have created or changed.
  private func refuseForeign(_ id: RunID) throws(JournalError) {
    for path in [path(of: .runs), folder(of: id), journalPath(id)] {
      try PrivateFolder.refuseForeign(path)
    }
  }

  /// Opens the mark of a run for updates; creates it if it is missing or damaged.
  private func intentFile(of id: RunID, named names: RunNames) throws(JournalError) -> IntentFile {
    let folder = try trusted(.intents)
    let path = markPath(id)
    do throws(JournalError) {
      if try IntentFile.mark(at: path) != nil { return try IntentFile(path: path) }
    } catch {
      guard error.kind == .damaged else { throw error }
      unlink(path)
    }
    // A mark ahead of any journal, so that the run stays damaged.
    let mark = IntentMark(entry: .max, names: names)
    return try IntentFile(creating: mark, named: "\(id)", in: folder)
  }

  /// The names in a folder of the state directory; none if it does not exist.
  func names(in folder: Folder) throws(JournalError) -> [String] {
    let folder = path(of: folder)
    try PrivateFolder.refuseForeign(folder)
    return try StateDirectory.names(in: folder)
  }

  package static func names(in folder: String) throws(JournalError) -> [String] {
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

  private static var registeredHome: String {
    guard let entry = getpwuid(getuid()), let home = entry.pointee.pw_dir else { return "/" }
    return String(cString: home)
  }

  /// The path of a file with all links resolved; unchanged if there is no such file.
  package static func canonical(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

/// Removing runs permanently; a pruned run must not look like a lost one.
extension StateDirectory {
  /// Removes a run; ``removeLeftovers()`` deletes its files.
  ///
  /// The run disappears atomically, even if this process is killed. Until its leftovers are deleted,
  /// they show that it was pruned.
  package func remove(_ id: RunID) throws(JournalError) {
    let leftover = leftoverPath(id)
    guard rename(folder(of: id), leftover) != 0 else { return }
    // A run without a folder still has a mark.
    guard errno == ENOENT, mkdir(leftover, 0o700) == 0 || errno == EEXIST else {
      throw JournalError(.cannotWrite, failingAt: folder(of: id))
    }
  }

  /// Deletes the leftovers of runs that were removed.
  ///
  /// These are their folders, their marks, and references to them in locks and keys. If a lock or key
  /// is in use, the leftovers of its run stay until the next time.
  package func removeLeftovers() throws(JournalError) {
    let prefix = StateDirectory.removedPrefix
    let ids = try names(in: .runs).filter { $0.hasPrefix(prefix) }
      .compactMap { RunID(String($0.dropFirst(prefix.count))) }
    let named = try removeReferences(to: Set(ids))
    for id in ids where !named.contains(id) {
      unlink(markPath(id))
      try StateDirectory.delete(leftoverPath(id))
    }
  }

  /// Whether a run was removed, and its leftovers still exist.
  func isPruned(_ id: RunID) -> Bool { OpenFile.exists(leftoverPath(id)) }

  /// Removes runs from the locks and keys that name them.
  ///
  /// - Returns: the runs whose lock or key is in use.
  private func removeReferences(to ids: Set<RunID>) throws(JournalError) -> Set<RunID> {
    var kept: Set<RunID> = []
    guard !ids.isEmpty else { return kept }
    for folder in [Folder.locks, .keys] {
      for name in try names(in: folder) {
        let path = "\(path(of: folder))/\(name)"
        guard case .run(let id) = RunLock.lastRun(at: path), ids.contains(id) else { continue }
        guard let lock = try RunLock(path: path) else {
          kept.insert(id)
          continue
        }
        // Before it was locked, another run may have been recorded.
        guard case .run(let id) = lock.lastRun, ids.contains(id) else { continue }
        // A key belongs to one run. A workflow file may have older runs, so its lock is kept.
        if folder == .keys { lock.remove() } else { try lock.recordPruning(of: id) }
      }
    }
    return kept
  }

  private func leftoverPath(_ id: RunID) -> String {
    "\(path(of: .runs))/\(StateDirectory.removedPrefix)\(id)"
  }

  private static let removedPrefix = ".removed-"
}
