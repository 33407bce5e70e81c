/// The files that name a run: its lock and its key.
package struct RunNames: Hashable, Sendable {
  /// The name of the lock's file; nil for a workflow from standard input.
  package var lock: String?
  /// The name of the key's file; nil for a run without a key.
  package var key: String?

  /// Puts two names together.
  package init(lock: String? = nil, key: String? = nil) {
    self.lock = lock
    self.key = key
  }
}

/// How far a run's journal has reached, and what the run is found by.
struct IntentMark: Hashable, Sendable {
  /// The number of the last durable entry; 0 before the first.
  var entry: Int64 = 0
  /// Its running checksum.
  var checksum: Int64 = 0
  /// The lock and the key that the run was started under.
  var names = RunNames()
}

/// The file that holds an ``IntentMark``, outside of the run's folder: `STATE/intents/<RunID>`.
///
/// The names come first and never change. The rest is written over in one piece, within one sector,
/// so that a power cut leaves the old mark or the new one.
final class IntentFile: Sendable {
  /// Where the entry's number begins: the names are shorter in any case.
  private static let start = 256
  private static let size = 512
  private let file: OpenFile
  private let names: [UInt8]

  /// Makes the file in a folder; it survives a power cut.
  ///
  /// - Throws: `cannotCreate` if there is one already, `cannotWrite`.
  init(making mark: IntentMark, named name: String, in folder: PrivateFolder) throws(JournalError) {
    try folder.makeFile(name)
    file = try OpenFile("\(folder.path)/\(name)", for: .writing)
    names = IntentFile.line(of: mark.names)
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

  /// Whether a file was never written to its end: its run was cut off before it had a journal.
  static func isUnfinished(_ path: String) -> Bool {
    OpenFile.size(at: path).map { $0 < size } ?? false
  }

  /// Opens a file to write on in it.
  init(path: String) throws(JournalError) {
    file = try OpenFile(path, for: .writing)
    names = IntentFile.names(in: file.read(Self.size))
  }

  /// Reads a file.
  ///
  /// - Returns: nil if there is none.
  /// - Throws: `damaged` if it is not as it was written, `cannotCreate` if it cannot be opened.
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
    else {
      throw JournalError(.damaged, path: path, message: "the file is not as it was written")
    }
    func name(_ word: Substring) -> String? { word == "-" ? nil : String(word) }
    return IntentMark(
      entry: entry,
      checksum: checksum,
      names: RunNames(lock: name(words[2]), key: name(words[3]))
    )
  }

  /// Notes the last durable entry.
  ///
  /// A mark that is lost with the power is one that is behind, which does no harm.
  ///
  /// - Parameters:
  ///   - entry: its number.
  ///   - checksum: its running checksum.
  ///   - isSynced: whether it must survive a power cut before this returns.
  /// - Throws: `cannotWrite`.
  func note(entry: Int64, checksum: Int64, isSynced: Bool) throws(JournalError) {
    try file.write(IntentFile.record(entry, checksum, names), at: Self.start)
    if isSynced { try file.syncBytes() }
  }

  private static let title = "graphflow-intents"

  private static func line(of names: RunNames) -> [UInt8] {
    Array("\(title) 1 \(names.lock ?? "-") \(names.key ?? "-")\n".utf8)
  }

  /// The first line of a file, with its end.
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
