internal import GraphAPI

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
/// file for each workflow file and profile, `keys` one for each key of a workflow file. `intents`
/// has a file for each run, which says how far its journal has reached (``JournalEvidence``): outside
/// of the run's folder, so that it outlives what happens to that.
///
/// Folders have mode 0700 and files 0600, whatever the umask. Nothing is made before the first run.
/// Folders and journals of somebody else, and those that others may write to, are refused: the
/// state directory itself may be shared.
package struct StateDirectory: Hashable, Sendable {
  /// The folder.
  package let path: String

  /// Names a folder, which need not exist.
  package init(path: String) {
    self.path = path
  }

  /// The user's own: `$XDG_STATE_HOME/graphflow`, else `~/.local/state/graphflow`.
  ///
  /// A relative `XDG_STATE_HOME` is ignored, as the XDG Base Directory Specification demands.
  /// Without `HOME`, as under some schedulers, the user database is asked.
  package static func standard(environment: [String: String]) -> String {
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
      return "\(state)/graphflow"
    }
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? registeredHome
    return "\(home == "/" ? "" : home)/.local/state/graphflow"
  }

  /// The runs that have a folder, newest first.
  package func runs() throws(JournalError) -> [RunID] {
    let runs = try names(in: .runs).compactMap(RunID.init(_:))
    return runs.sorted(by: >)
  }

  /// The newest run, if there is one.
  package func latest() throws(JournalError) -> RunID? { try runs().first }

  /// Where a run's report is kept, as one object or as lines.
  package func reportPath(_ id: RunID, asLines: Bool = false) -> String {
    "\(folder(of: id))/report.\(asLines ? "jsonl" : "json")"
  }

  /// Removes a run's report in one form, if there is one, because there is a newer one in the other.
  package func removeReport(_ id: RunID, asLines: Bool) {
    unlink(reportPath(id, asLines: asLines))
  }

  /// Where a run's journal is.
  package func journalPath(_ id: RunID) -> String { "\(folder(of: id))/\(journalName)" }

  /// Makes the folder and the journal of a new run, and before both the file that says how far the
  /// journal has reached.
  ///
  /// - Throws: `cannotCreate` if they cannot be made or exist already, `cannotWrite` for a full disk.
  package func createJournal(
    for id: RunID,
    named names: RunNames = RunNames()
  ) throws(JournalError) -> SQLiteJournal {
    let intents = try trusted(.intents)
    let runs = try trusted(.runs)
    let mark = try IntentFile(making: IntentMark(names: names), named: "\(id)", in: intents)
    try PrivateFolder(makingNew: "\(runs.path)/\(id)").makeFile(journalName)
    return try SQLiteJournal(path: journalPath(id), mark: mark)
  }

  /// Looks into the journal of a run that exists, without changing anything.
  ///
  /// - Throws: `notFound`, `damaged`, `otherVersion`, `locked`, `cannotCreate` or `foreign`.
  package func reading(_ id: RunID) throws(JournalError) -> JournalReading {
    try refuseForeign(id)
    return try JournalReading(path: journalPath(id))
  }

  /// Opens the journal of a run that exists.
  ///
  /// One that has lost its mark gets another, which the next durable append makes a true one: until
  /// then the run stays a damaged one. So does one whose end is lost.
  ///
  /// - Parameters:
  ///   - id: the run.
  ///   - names: the lock and the key that it was started under, for a mark that has to be made.
  /// - Returns: the journal, to append to.
  /// - Throws: `notFound`, `damaged`, `otherVersion`, `locked`, `cannotWrite` or `foreign`.
  package func openJournal(
    _ id: RunID,
    named names: RunNames = RunNames()
  ) throws(JournalError) -> SQLiteJournal {
    try refuseForeign(id)
    return try SQLiteJournal(path: journalPath(id), mark: try intentFile(of: id, named: names))
  }

  /// Takes the lock of a workflow file and a profile; nil when another process holds it.
  ///
  /// The same file is the same lock whatever path leads to it.
  package func lock(file: String, profile: String) throws(JournalError) -> RunLock? {
    let folder = try trusted(.locks)
    return try RunLock(path: "\(folder.path)/\(StateDirectory.name(ofLock: file, profile))")
  }

  /// The name of the file of the lock of a workflow file and a profile: FNV-1a with 64 bits over the
  /// profile, a zero and the path (http://www.isthe.com/chongo/tech/comp/fnv/).
  ///
  /// It must never change: by it every version finds the last run of a file, whoever began it.
  static func name(ofLock file: String, _ profile: String) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in Array(profile.utf8) + [0] + Array(canonical(file).utf8) {
      hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: hash >> (56 - 8 * $0)) }
    return Hexadecimal.text(of: bytes) + ".lock"
  }

  /// Takes the lock of a key of a workflow file, whatever the profile; nil when it is held elsewhere.
  ///
  /// The run that it notes is the one under the key.
  package func lock(key: String, of file: String) throws(JournalError) -> RunLock? {
    let folder = try trusted(.keys)
    return try RunLock(path: "\(folder.path)/\(StateDirectory.name(ofKey: key, of: file))")
  }

  /// The name of the file of a key of a workflow file.
  package static func name(ofKey key: String, of file: String) -> String {
    var digest = FileDigest()
    digest.update(Array(canonical(file).utf8) + [0] + Array(key.utf8))
    return "\(digest.text).key"
  }

  /// Takes the lock of a run itself, which everybody holds who works on it; nil when it is held
  /// elsewhere or the run is gone.
  package func lock(_ id: RunID) throws(JournalError) -> RunLock? {
    try RunLock(folder: folder(of: id))
  }

  enum Folder: String {
    case runs
    case intents
    case locks
    case keys
  }

  func path(of folder: Folder) -> String { "\(path)/\(folder.rawValue)" }

  /// A folder of ours, made where it is missing.
  private func trusted(_ folder: Folder) throws(JournalError) -> PrivateFolder {
    if !OpenFile.exists(path) { _ = try PrivateFolder(making: path) }
    return try PrivateFolder(trusted: path(of: folder))
  }

  /// Refuses a run that somebody else could have put there or changed.
  private func refuseForeign(_ id: RunID) throws(JournalError) {
    for path in [path(of: .runs), folder(of: id), journalPath(id)] {
      try PrivateFolder.refuseForeign(path)
    }
  }

  /// The file that says how far a run's journal has reached, to write on in it.
  private func intentFile(
    of id: RunID,
    named names: RunNames
  ) throws(JournalError) -> IntentFile {
    let folder = try trusted(.intents)
    let path = "\(folder.path)/\(id)"
    do throws(JournalError) {
      if try IntentFile.mark(at: path) != nil { return try IntentFile(path: path) }
    } catch {
      guard error.kind == .damaged else { throw error }
      unlink(path)
    }
    // Ahead of any journal.
    let mark = IntentMark(entry: .max, names: names)
    return try IntentFile(making: mark, named: "\(id)", in: folder)
  }

  /// The names in a folder of ours; none if there is no such folder.
  func names(in folder: Folder) throws(JournalError) -> [String] {
    let folder = path(of: folder)
    try PrivateFolder.refuseForeign(folder)
    return try StateDirectory.names(in: folder)
  }

  static func names(in folder: String) throws(JournalError) -> [String] {
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

  private var journalName: String { "journal.sqlite" }

  func folder(of id: RunID) -> String { "\(path(of: .runs))/\(id)" }

  private static var registeredHome: String {
    guard let entry = getpwuid(getuid()), let home = entry.pointee.pw_dir else { return "/" }
    return String(cString: home)
  }

  /// The path of a file without links, so that the same file has one; as it is if there is none.
  package static func canonical(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
