/// The file names of a run's lock and key.
package struct RunNames: Hashable, Sendable {
  /// Nil for a workflow from standard input.
  package var lock: String?
  /// Nil for a run without a key.
  package var key: String?

  package init(lock: String? = nil, key: String? = nil) {
    self.lock = lock
    self.key = key
  }
}

/// How far a run's journal reaches, and the lock and key of the run.
struct IntentMark: Hashable, Sendable {
  /// The number of the last durable entry; 0 before the first.
  var entry: Int64 = 0
  /// Its running checksum.
  var checksum: Int64 = 0
  /// The lock and the key that the run was started under.
  var names = RunNames()
}

/// The file that contains an ``IntentMark``, outside of the run's folder: `STATE/intents/<RunID>`.
///
/// The names come first and never change. The rest is overwritten in one write within one sector, so a
/// power failure leaves either the old mark or the new one.
final class IntentFile: Sendable {
  /// The offset of the entry's number; the names are always shorter.
  private static let start = 256
  private static let size = 512
  private static let title = "graphflow-intents"
  private let file: OpenFile
  private let names: [UInt8]

  /// Creates the file in a folder, and syncs it.
  ///
  /// - Throws: `cannotCreate` if there is one already, `cannotWrite`.
  init(creating mark: IntentMark, named name: String, in folder: PrivateFolder) throws(JournalError)
  {
    try folder.createFile(name)
    file = try OpenFile("\(folder.path)/\(name)", for: .writing)
    names = Array("\(Self.title) 1 \(mark.names.lock ?? "-") \(mark.names.key ?? "-")\n".utf8)
    var bytes = names + [UInt8](repeating: UInt8(ascii: " "), count: Self.start - names.count)
    bytes += IntentFile.record(mark.entry, mark.checksum, names)
    bytes += [UInt8](repeating: UInt8(ascii: "\n"), count: Self.size - bytes.count)
    do throws(JournalError) {
      try file.write(bytes)
      try file.sync()
    } catch {
      OpenFile.remove(file.path)
      throw error
    }
  }

  /// Whether a file is incomplete because its run was killed before it had a journal.
  static func isUnfinished(_ path: String) -> Bool {
    OpenFile.size(at: path).map { $0 < size } ?? false
  }

  /// Opens an existing file for updates.
  init(path: String) throws(JournalError) {
    file = try OpenFile(path, for: .writing)
    names = IntentFile.names(in: file.read(Self.size))
  }

  /// Reads a file.
  ///
  /// - Returns: nil if there is none.
  /// - Throws: `damaged` if its contents were changed, `cannotCreate` if it cannot be opened.
  static func mark(at path: String) throws(JournalError) -> IntentMark? {
    guard try FileIdentity(path) != nil else { return nil }
    let bytes = try OpenFile(path, for: .reading).read(size)
    let names = names(in: bytes)
    let words = String(decoding: names, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    let fields = String(decoding: bytes.dropFirst(start), as: UTF8.self)
      .split(separator: " ").prefix(3)
    guard words.count == 4, words[0] == title, bytes.count == size,
      let entry = fields.first.flatMap({ Int64($0) }), entry >= 0,
      let checksum = fields.dropFirst().first.flatMap({ Int64($0) }),
      bytes.dropFirst(start).starts(with: record(entry, checksum, names))
    else { throw JournalError(.damaged, path: path, message: "the file is not as it was written") }
    func name(_ word: Substring) -> String? { word == "-" ? nil : String(word) }
    return IntentMark(
      entry: entry, checksum: checksum, names: RunNames(lock: name(words[2]), key: name(words[3])))
  }

  /// Records the last durable entry; if `isSynced`, the file is synced before this returns.
  ///
  /// If a power failure undoes this, the mark is behind the journal, which is harmless.
  func update(entry: Int64, checksum: Int64, isSynced: Bool) throws(JournalError) {
    let record = IntentFile.record(entry, checksum, names)
    do throws(JournalError) {
      try file.write(record, at: Self.start)
    } catch {
      // A part may be written, and half a record would make the run unreadable.
      try file.write(record, at: Self.start)
    }
    if isSynced { try file.syncBytes() }
  }

  /// The first line of a file, with its line break.
  private static func names(in bytes: [UInt8]) -> [UInt8] {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")), end < start else { return [] }
    return Array(bytes[...end])
  }

  /// The number, the entry's checksum, and a checksum of both and the names.
  private static func record(_ entry: Int64, _ checksum: Int64, _ names: [UInt8]) -> [UInt8] {
    let text = Array("\(entry) \(checksum) ".utf8)
    var check = RunningChecksum()
    check.add(names, text)
    return text + Array("\(check.stored) \n".utf8)
  }
}
