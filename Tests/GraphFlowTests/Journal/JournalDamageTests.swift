import TestSupport
import Testing

@testable import GraphFlow

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

@Suite
struct JournalDamageTests {
  private let scratch: ScratchFolder
  private let state: StateDirectory
  /// The bytes of a closed journal of 40 reads.
  private let bytes: [UInt8]

  init() async throws {
    scratch = try ScratchFolder()
    state = StateDirectory(path: scratch.path)
    let journal = try state.createJournal(for: SampleRuns.id)
    try await journal.append(SampleRuns.reads(40) { "\($0)" }, durably: true)
    try await journal.close()
    bytes = try contents(of: state.journalPath(SampleRuns.id))
  }

  private func read(_ bytes: [UInt8]) async throws -> [RunEvent] {
    for suffix in ["", "-wal", "-shm"] { unlink(state.journalPath(SampleRuns.id) + suffix) }
    try ScratchFolder.write(bytes, to: state.journalPath(SampleRuns.id))
    let journal = try state.openJournal(SampleRuns.id)
    // Closed before the next file takes the path: a late close would remove that file's WAL.
    do {
      let events = try await journal.events()
      try await journal.close()
      return events
    } catch {
      try? await journal.close()
      throw error
    }
  }

  @Test
  func `a changed byte is detected or has no effect`() async throws {
    let whole = try await read(bytes)
    var noticed = 0
    for position in stride(from: 0, to: bytes.count, by: 97) {
      var changed = bytes
      changed[position] ^= 0x11
      do {
        #expect(try await read(changed) == whole, "byte \(position)")
      } catch let error as JournalError {
        #expect([.damaged, .otherVersion, .cannotCreate, .cannotWrite].contains(error.kind))
        noticed += 1
      }
    }
    #expect(noticed > 50)
  }

  @Test
  func `a truncated journal is damaged, an empty one is a run without events`()
    async throws
  {
    #expect(try await read([]).isEmpty)
    for length in stride(from: 1, to: bytes.count, by: 1021) {
      await #expect(throws: JournalError.self, "\(length) bytes") {
        try await read(Array(bytes[..<length]))
      }
    }
  }

  @Test(arguments: [
    Array("not a database, and longer than the hundred bytes of a header, by far".utf8)
      + [UInt8](repeating: 0, count: 4096),
    [UInt8](repeating: 0, count: 8192),
    [0],
  ])
  func `a file that is not a database is damaged`(bytes: [UInt8]) async throws {
    let error = await #expect(throws: JournalError.self) { try await read(bytes) }
    #expect(error?.kind == .damaged)
  }

  /// A change to a file's bytes that another program or a later version would make.
  struct Change: Sendable {
    let name: String
    let kind: JournalError.Kind
    let apply: @Sendable ([UInt8]) -> [UInt8]
  }

  /// The version is the header's four bytes from 60 on, the program from 68 on
  /// (https://sqlite.org/fileformat2.html §1.3).
  static let changes = [
    Change(name: "without a mark", kind: .damaged) { $0[..<68] + [0, 0, 0, 0] + $0[72...] },
    Change(name: "of another program", kind: .damaged) { $0[..<68] + [0, 0, 0, 7] + $0[72...] },
    Change(name: "later", kind: .otherVersion) { $0[..<60] + [0, 0, 0, 9] + $0[64...] },
    Change(name: "never released", kind: .otherVersion) { $0[..<60] + [0, 0, 0, 3] + $0[64...] },
    Change(name: "other table", kind: .damaged) {
      replacing("TABLE events (", by: "TABLE evenpz (", in: $0)
    },
  ]

  static func replacing(_ text: String, by other: String, in bytes: [UInt8]) -> [UInt8] {
    let text = Array(text.utf8)
    var result = bytes
    for start in 0..<bytes.count - text.count where bytes[start...].starts(with: text) {
      result.replaceSubrange(start..<start + text.count, with: other.utf8)
    }
    return result
  }

  @Test(arguments: changes.indices)
  func `a database of another program or a later version is refused and unchanged`(
    number: Int
  ) async throws {
    let change = Self.changes[number]
    let changed = change.apply(bytes)
    try #require(changed != bytes)
    let error = await #expect(throws: JournalError.self) { try await read(changed) }
    #expect(error?.kind == change.kind, "\(change.name)")
    #expect(try contents(of: state.journalPath(SampleRuns.id)) == changed)
  }

  @Test
  func `a missing journal and a link in its place are distinguished`() async throws {
    let path = state.journalPath(SampleRuns.id)
    rename(path, scratch.path + "/elsewhere")
    #expect(throws: JournalError(.notFound, path: path, message: "there is no journal")) {
      try state.openJournal(SampleRuns.id)
    }
    symlink(scratch.path + "/elsewhere", path)
    let error = #expect(throws: JournalError.self) { try state.openJournal(SampleRuns.id) }
    #expect(error?.kind == .foreign)
  }

  @Test
  func `a journal that is deleted during a run stops the run`() async throws {
    let scratch = try ScratchFolder()
    let state = StateDirectory(path: scratch.path)
    let journal = try state.createJournal(for: SampleRuns.id)
    try await journal.append(SampleRuns.succeeded, durably: true)
    unlink(state.journalPath(SampleRuns.id))
    let error = await #expect(throws: JournalError.self) {
      try await journal.append(SampleRuns.succeeded, durably: true)
    }
    #expect(error?.kind == .cannotWrite)
  }
}
