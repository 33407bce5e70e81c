import TestSupport
import Testing

@testable import GraphFlow

/// The verdict on the remaining files of a run, for every combination of mark and journal.
@Suite
struct JournalEvidenceTests {
  private typealias Journal = JournalEvidence.Journal

  private static func entries(_ last: Int64, checksum: Int64? = nil) -> Journal {
    .entries(last: last, checksumAtMark: checksum)
  }

  @Test func `a journal that has reached its mark is whole, even if it is ahead`() {
    for last in [5, 6, 90] as [Int64] {
      let evidence = JournalEvidence(
        mark: .reached(entry: 5, checksum: 7), journal: Self.entries(last, checksum: 7))
      #expect(evidence.verdict == .whole)
    }
    let atOnce = JournalEvidence(mark: .reached(entry: 0, checksum: 0), journal: Self.entries(1))
    #expect(atOnce.verdict == .whole)
  }

  @Test func `without a durable entry nothing was sent`() {
    for journal in [.missing, .unreadable("half"), Self.entries(0)] as [JournalEvidence.Journal] {
      let evidence = JournalEvidence(mark: .reached(entry: 0, checksum: 0), journal: journal)
      #expect(evidence.verdict == .neverBegan)
    }
  }

  @Test func `every missing or changed part is damage`() {
    let reached = JournalEvidence.Mark.reached(entry: 5, checksum: 7)
    let cases: [(JournalEvidence.Mark, JournalEvidence.Journal, JournalEvidence.Damage)] = [
      (reached, .missing, .gone), (reached, Self.entries(0), .empty),
      (reached, Self.entries(4), .short(last: 4, reached: 5)),
      (reached, Self.entries(5, checksum: 8), .replaced(entry: 5)),
      (reached, Self.entries(9), .replaced(entry: 5)),
      (reached, .unreadable("no"), .unreadable("no")),
      (reached, .otherVersion("v9"), .otherVersion("v9")),
      (.reached(entry: 0, checksum: 0), .otherVersion("v9"), .otherVersion("v9")),
      (.missing, .missing, .gone), (.missing, Self.entries(9), .unmarked),
      (.missing, Self.entries(0), .empty),
      (.unreadable, Self.entries(0), .empty),
      (.unreadable, Self.entries(9), .markUnreadable), (.unreadable, .missing, .gone),
    ]
    for (mark, journal, damage) in cases {
      let evidence = JournalEvidence(mark: mark, journal: journal)
      #expect(evidence.verdict == .damaged(damage), "\(mark) \(journal)")
    }
  }

  @Test func `only a valid mark is read back`() throws {
    let scratch = try ScratchFolder()
    let folder = try PrivateFolder(creating: scratch.path + "/intents")
    let names = RunNames(lock: "0123456789abcdef.lock", key: String(repeating: "k", count: 64))
    let file = try IntentFile(creating: IntentMark(names: names), named: "a", in: folder)
    let path = folder.path + "/a"
    #expect(try IntentFile.mark(at: path) == IntentMark(names: names))
    #expect(try IntentFile.mark(at: path + "b") == nil)
    for entry in [1, 9_000_000_000, 3, .max] as [Int64] {
      try file.update(entry: entry, checksum: -entry, isSynced: entry == 3)
      #expect(
        try IntentFile.mark(at: path) == IntentMark(entry: entry, checksum: -entry, names: names))
    }
    let again = try IntentFile(path: path)
    try again.update(entry: 70, checksum: 12_345, isSynced: true)
    let bytes = try contents(of: path)
    let end = try #require(bytes.lastIndex { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: " ") })
    let mark = IntentMark(entry: 70, checksum: 12_345, names: names)
    for position in 0...end {
      var changed = bytes
      changed[position] ^= 0x04
      try ScratchFolder.write(changed, to: path)
      do {
        #expect(try IntentFile.mark(at: path) == mark, "byte \(position)")
      } catch {
        #expect(error.kind == .damaged)
      }
    }
    for count in [0, 3, 200, 300, 511] {
      try ScratchFolder.write(Array(bytes.prefix(count)), to: path)
      #expect(throws: JournalError.self) { try IntentFile.mark(at: path) }
    }
  }
}
